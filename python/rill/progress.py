"""Progress of a loop over frames: a bar on a terminal, one line that is replaced in a notebook, else a line a frame."""
from __future__ import annotations

import sys
import time
from typing import Any, Optional, TextIO


def _clock(seconds: float) -> str:
    s = int(seconds + 0.5)
    return f"{s // 3600}:{s // 60 % 60:02d}:{s % 60:02d}" if s >= 3600 else f"{s // 60}:{s % 60:02d}"


def _in_notebook() -> bool:
    try:
        shell = sys.modules["IPython"].get_ipython()
        return shell is not None and "kernel" in type(shell).__module__
    except (KeyError, AttributeError):
        return False


class Progress:
    """Shows how far something is: Progress(120, "frames"), then update(done, "t = 0.5 s") after each."""

    def __init__(self, total: int, what: str = "frames", stream: Optional[TextIO] = None) -> None:
        self.total, self.what = max(total, 1), what
        self.stream = stream if stream is not None else sys.stderr
        self.began = self.shown = time.monotonic()
        self.handle: Any = None
        self.kind = "notebook" if stream is None and _in_notebook() else (
            "bar" if self.stream.isatty() else "lines")

    def line(self, done: int, note: str) -> str:
        spent = time.monotonic() - self.began
        share = min(done / self.total, 1.0)
        left = _clock(spent / share - spent) if share > 0 else "?"
        tail = f"{done}/{self.total} {self.what}, {_clock(spent)} spent, {left} left" + (f", {note}" if note else "")
        if self.kind == "lines":
            return tail
        width = 24
        full = int(share * width)
        return f"[{'#' * full}{'.' * (width - full)}] {tail}"

    def update(self, done: int, note: str = "") -> None:
        now = time.monotonic()
        if self.kind != "lines" and done < self.total and now - self.shown < 0.1 and done:
            return
        self.shown = now
        line = self.line(done, note)
        if self.kind == "notebook":
            from IPython.display import display

            content = {"text/plain": line}
            if self.handle is None:
                self.handle = display(content, raw=True, display_id=True)
            else:
                self.handle.update(content, raw=True)
        elif self.kind == "bar":
            self.stream.write("\r\x1b[K" + line)
            self.stream.flush()
        else:
            self.stream.write(line + "\n")

    def close(self) -> None:
        if self.kind == "bar":
            self.stream.write("\n")
            self.stream.flush()
