"""Failures of librill as exceptions: one class for each status, the library's message as their text."""
from __future__ import annotations

import re
from typing import Optional


class RillError(Exception):
    """A failure of the library. `status` is its code, which is also the exit code of the rill program."""

    status = 0

    def __init__(self, message: str) -> None:
        super().__init__(message)
        place = re.match(r"(.*?):(\d+):(\d+): ", message)
        self.file: Optional[str] = place[1] if place else None
        self.line: Optional[int] = int(place[2]) if place else None
        self.column: Optional[int] = int(place[3]) if place else None


class UsageError(RillError, ValueError):
    """A call that makes no sense."""

    status = 2


class BadScene(RillError, ValueError):
    """The scene; `file`, `line` and `column` tell where."""

    status = 3


class BadFile(RillError, OSError):
    """A file to be read: missing, damaged, of another kind or of another scene."""

    status = 4

    def __str__(self) -> str:
        return str(self.args[0])


class DiskError(RillError, OSError):
    """Writing failed."""

    status = 5

    def __str__(self) -> str:
        return str(self.args[0])


class NoMemory(RillError, MemoryError):
    """An allocation failed."""

    status = 6


class BlewUp(RillError, ArithmeticError):
    """The simulation left the range of sense, also with a sixteenth of the step."""

    status = 7


class Cancelled(RillError):
    """Stopped on request (Simulation.cancel)."""

    status = 130


class StaleView(RillError, BufferError):
    """An array of a simulation that has moved on since."""

    status = 2


BY_STATUS = {c.status: c for c in (UsageError, BadScene, BadFile, DiskError, NoMemory, BlewUp, Cancelled)}
