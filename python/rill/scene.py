"""Scenes, from files, dictionaries or JSON text."""
from __future__ import annotations

import json
import os
from ctypes import byref, c_char_p, c_size_t, c_void_p
from typing import Any, Dict, List, Mapping, Optional, Tuple, Union

from ._library import Context, Life, Overrides, text


def _json_value(value: Any) -> Any:
    """What json does not know: NumPy's numbers and arrays."""
    if hasattr(value, "tolist"):
        return value.tolist()
    raise TypeError(f"{type(value).__name__} has no place in a scene")


def _word(name: str, value: Any) -> bytes:
    """A text for the library, whose texts end with a zero byte."""
    if not isinstance(value, str):
        raise TypeError(f"{name} is a text, not {type(value).__name__}")
    if "\0" in value:
        raise ValueError(f"{name} has a zero byte: {value!r}")
    return value.encode()


class Scene:
    """A checked scene with every default filled in; never changed by a simulation, and good for several.

    source   the path of a scene file, or a scene as a dictionary
    method   simulates it with this method, whatever the scene says
    frames   another number of frames
    set      values to change, by their paths: {"spacing": 0.01, "fluid.viscosity": 0.1}
    folder   where a dictionary's mesh files are looked for; default: the current one
    threads  of the simulations made from it; 0: as many as the machine has

    A scene and its simulations are used by one thread at a time; scenes are independent of each other.
    """

    def __init__(self, source: Union[str, "os.PathLike[str]", Mapping[str, Any]], *, method: Optional[str] = None,
                 frames: int = 0, set: Optional[Mapping[str, Any]] = None, folder: str = ".", threads: int = 0) -> None:
        self._pointer: Optional[c_void_p] = None
        self.context = Context(threads)
        pointer, lib = c_void_p(), self.context.lib
        if set is not None and not isinstance(set, Mapping):
            raise TypeError(f"set is a dictionary of paths and values, not {type(set).__name__}")
        changes = [_word("a path of set", path) + b"=" + json.dumps(value, default=_json_value).encode()
                   for path, value in (set or {}).items()]
        overrides = Overrides(_word("method", method) if method else None, frames,
                              (c_char_p * len(changes))(*changes), len(changes))
        if isinstance(source, Mapping):
            data = json.dumps(source, default=_json_value).encode()
            name = ("scene" if folder == "." else os.path.join(folder, "scene")).encode()
            status = lib.rill_scene_parse_with(self.context.pointer, name, data, len(data), byref(overrides),
                                               byref(pointer))
        else:
            status = lib.rill_scene_read_with(self.context.pointer, os.fsencode(source), byref(overrides),
                                              byref(pointer))
        self.context.check(status)
        self._pointer = pointer
        context = self.context.life
        context.use()

        def free() -> None:
            lib.rill_scene_destroy(pointer)
            context.leave()

        self.life = Life(free)

    @property
    def pointer(self) -> c_void_p:
        if self._pointer is None:
            raise ValueError("the scene is closed")
        return self._pointer

    def close(self) -> None:
        """Frees it, when its simulations are closed as well."""
        if self._pointer is not None:
            self._pointer = None
            self.life.close()

    def __enter__(self) -> "Scene":
        return self

    def __exit__(self, *_: Any) -> None:
        self.close()

    def __del__(self) -> None:
        if getattr(self, "_pointer", None) is not None:
            self.close()

    @property
    def name(self) -> str:
        return text(self.context.lib.rill_scene_name(self.pointer))

    @property
    def method(self) -> str:
        return text(self.context.lib.rill_scene_method(self.pointer))

    @property
    def dimensions(self) -> int:
        return int(self.context.lib.rill_scene_dimensions(self.pointer))

    @property
    def frames(self) -> int:
        """After frame 0, the initial state."""
        return int(self.context.lib.rill_scene_frames(self.pointer))

    @property
    def fps(self) -> float:
        return float(self.context.lib.rill_scene_fps(self.pointer))

    @property
    def spacing(self) -> float:
        return float(self.context.lib.rill_scene_spacing(self.pointer))

    @property
    def domain(self) -> Tuple[Tuple[float, float, float], Tuple[float, float, float]]:
        """Its two corners."""
        box = self.context.lib.rill_scene_domain(self.pointer)
        return (box.min.x, box.min.y, box.min.z), (box.max.x, box.max.y, box.max.z)

    @property
    def gauges(self) -> List[str]:
        lib = self.context.lib
        return [text(lib.rill_scene_gauge_name(self.pointer, i)) for i in
                range(lib.rill_scene_gauge_count(self.pointer))]

    @property
    def solids(self) -> List[str]:
        lib = self.context.lib
        return [text(lib.rill_scene_solid_name(self.pointer, i)) for i in
                range(lib.rill_scene_solid_count(self.pointer))]

    @property
    def emitters(self) -> int:
        return int(self.context.lib.rill_scene_emitter_count(self.pointer))

    def json(self) -> str:
        """As a scene file, every default written out."""
        from ctypes import create_string_buffer

        lib, length = self.context.lib, c_size_t()
        self.context.check(lib.rill_scene_print(self.pointer, None, 0, byref(length)))
        buffer = create_string_buffer(length.value + 1)
        self.context.check(lib.rill_scene_print(self.pointer, buffer, length.value + 1, byref(length)))
        return buffer.value.decode()

    def dict(self) -> Dict[str, Any]:
        """The same as a dictionary."""
        scene: Dict[str, Any] = json.loads(self.json())
        return scene

    def __repr__(self) -> str:
        if self._pointer is None:
            return "<rill.Scene, closed>"
        return f"<rill.Scene {self.name!r}: {self.method}, spacing {self.spacing:g} m, {self.frames} frames>"
