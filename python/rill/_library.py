"""librill: where it is, and its public header (include/rill/rill.h) in ctypes.

It is looked for in the environment variable RILL_LIBRARY, beside this package, in a build folder of the tree the package
is in, and where the system looks. It is loaded at the first need, so that run folders can be read without it.
"""
from __future__ import annotations

import ctypes
import ctypes.util
import os
import threading
from ctypes import (CFUNCTYPE, POINTER, Structure, byref, c_char_p, c_double, c_float, c_int, c_int64, c_size_t,
                    c_uint32, c_uint64, c_void_p)
from typing import Any, Callable, Dict, Iterator, List, Optional, Tuple

from .errors import BY_STATUS, RillError

SONAME = "librill.so.0.2"  # the interface below is that of this one
FORCES = 16


class Vec3(Structure):
    _fields_ = [("x", c_double), ("y", c_double), ("z", c_double)]


class Box(Structure):
    _fields_ = [("min", Vec3), ("max", Vec3)]


class Allocator(Structure):
    _fields_ = [("allocate", c_void_p), ("release", c_void_p), ("user", c_void_p)]


LogFunction = CFUNCTYPE(None, c_void_p, c_int, c_char_p)
StepFunction = CFUNCTYPE(c_int, c_void_p, c_void_p)


class ContextDef(Structure):
    _fields_ = [("allocator", Allocator), ("log", LogFunction), ("progress", c_void_p), ("user", c_void_p),
                ("threads", c_int)]


class Overrides(Structure):
    _fields_ = [("method", c_char_p), ("frames", c_int64), ("set", POINTER(c_char_p)), ("set_count", c_size_t)]


class ParticlesStruct(Structure):
    _fields_ = [("count", c_size_t), ("position", c_void_p), ("velocity", c_void_p), ("id", c_void_p),
                ("column_count", c_uint32)]


class CellsStruct(Structure):
    _fields_ = [("count", c_size_t), ("site", c_void_p), ("velocity", c_void_p), ("column_count", c_uint32),
                ("column_name", POINTER(c_char_p)), ("column", POINTER(c_void_p))]


class MeshStruct(Structure):
    _fields_ = [("vertex_count", c_size_t), ("triangle_count", c_size_t), ("position", c_void_p), ("normal", c_void_p),
                ("velocity", c_void_p), ("triangle", c_void_p), ("column_count", c_uint32),
                ("column_name", POINTER(c_char_p)), ("column", POINTER(c_void_p)), ("column_width", POINTER(c_uint32)),
                ("owner", c_void_p)]


class VolumeStruct(Structure):
    _fields_ = [("name", c_char_p), ("origin", Vec3), ("cell", c_double), ("width", c_uint32), ("background", c_float),
                ("block_count", c_size_t), ("block", c_void_p), ("value", c_void_p)]


class VolumesStruct(Structure):
    _fields_ = [("count", c_uint32), ("volume", POINTER(VolumeStruct))]


class StatsStruct(Structure):
    _fields_ = [("dt", c_double), ("seconds", c_double), ("elements", c_uint64), ("volume", c_double),
                ("kinetic", c_double), ("potential", c_double), ("max_speed", c_double), ("compression", c_double),
                ("div_max", c_double), ("div_rms", c_double), ("solve_iterations", c_uint32),
                ("viscous_iterations", c_uint32), ("solve_residual", c_double), ("viscous_residual", c_double),
                ("stage_count", c_uint32), ("stage_name", c_char_p * 16), ("stage_seconds", c_double * 16)]


class ForceStruct(Structure):
    _fields_ = [("center", Vec3), ("acceleration", Vec3), ("radius", c_double)]


class PoseStruct(Structure):
    _fields_ = [("translate", Vec3), ("rotate", Vec3)]


class BodyPoseStruct(Structure):
    _fields_ = [("position", Vec3), ("rotation", c_double * 4), ("scale", c_double), ("center", Vec3)]


_P = c_void_p  # of an object of the library
_OUT = POINTER(c_void_p)
# name: (result, arguments). c_int results that are a rill_status are checked by Context.check.
_FUNCTIONS: Dict[str, Tuple[Any, List[Any]]] = {
    "rill_version": (c_char_p, []),
    "rill_build": (c_char_p, []),
    "rill_status_text": (c_char_p, [c_int]),
    "rill_ctx_def_default": (ContextDef, []),
    "rill_ctx_create": (c_int, [POINTER(ContextDef), _OUT]),
    "rill_ctx_destroy": (None, [_P]),
    "rill_ctx_message": (c_char_p, [_P]),
    "rill_ctx_cancel": (None, [_P]),
    "rill_scene_read_with": (c_int, [_P, c_char_p, POINTER(Overrides), _OUT]),
    "rill_scene_parse_with": (c_int, [_P, c_char_p, c_char_p, c_size_t, POINTER(Overrides), _OUT]),
    "rill_scene_destroy": (None, [_P]),
    "rill_scene_print": (c_int, [_P, c_char_p, c_size_t, POINTER(c_size_t)]),
    "rill_scene_name": (c_char_p, [_P]),
    "rill_scene_method": (c_char_p, [_P]),
    "rill_scene_dimensions": (c_int, [_P]),
    "rill_scene_frames": (c_int, [_P]),
    "rill_scene_fps": (c_double, [_P]),
    "rill_scene_spacing": (c_double, [_P]),
    "rill_scene_domain": (Box, [_P]),
    "rill_scene_gauge_count": (c_uint32, [_P]),
    "rill_scene_gauge_name": (c_char_p, [_P, c_uint32]),
    "rill_scene_solid_count": (c_uint32, [_P]),
    "rill_scene_solid_name": (c_char_p, [_P, c_uint32]),
    "rill_scene_emitter_count": (c_uint32, [_P]),
    "rill_sim_create": (c_int, [_P, _P, _OUT]),
    "rill_sim_destroy": (None, [_P]),
    "rill_sim_time": (c_double, [_P]),
    "rill_sim_steps": (c_uint64, [_P]),
    "rill_sim_elements": (c_uint64, [_P]),
    "rill_sim_advance": (c_int, [_P, c_double]),
    "rill_sim_step": (c_int, [_P, c_double, POINTER(c_double)]),
    "rill_sim_stats": (None, [_P, POINTER(StatsStruct)]),
    "rill_sim_on_step": (c_int, [_P, StepFunction, c_void_p]),
    "rill_sim_save": (c_int, [_P, c_char_p]),
    "rill_sim_load": (c_int, [_P, c_char_p]),
    "rill_sim_set_gravity": (c_int, [_P, Vec3]),
    "rill_sim_set_force": (c_int, [_P, c_uint32, POINTER(ForceStruct)]),
    "rill_sim_set_emitter": (c_int, [_P, c_uint32, c_double]),
    "rill_sim_add_liquid": (c_int, [_P, c_char_p, c_size_t, POINTER(c_uint64)]),
    "rill_sim_pose": (c_int, [_P, c_uint32, POINTER(PoseStruct)]),
    "rill_sim_set_pose": (c_int, [_P, c_uint32, POINTER(PoseStruct), c_double]),
    "rill_sim_body_count": (c_uint32, [_P]),
    "rill_sim_body_name": (c_char_p, [_P, c_uint32]),
    "rill_sim_body_pose": (c_int, [_P, c_uint32, POINTER(BodyPoseStruct)]),
    "rill_sim_body_velocity": (c_int, [_P, c_uint32, POINTER(Vec3), POINTER(Vec3)]),
    "rill_sim_body_force": (c_int, [_P, c_uint32, POINTER(Vec3), POINTER(Vec3)]),
    "rill_sim_body_apply": (c_int, [_P, c_uint32, Vec3, Vec3]),
    "rill_sim_gauges": (c_int, [_P, c_uint32, POINTER(c_double)]),
    "rill_sim_view": (None, [_P, POINTER(ParticlesStruct)]),
    "rill_sim_column": (c_void_p, [_P, c_char_p]),
    "rill_sim_column_name": (c_char_p, [_P, c_uint32]),
    "rill_sim_tracers": (None, [_P, POINTER(ParticlesStruct)]),
    "rill_sim_tracer_column": (c_void_p, [_P, c_char_p]),
    "rill_sim_tracer_column_name": (c_char_p, [_P, c_uint32]),
    "rill_sim_whitewater": (None, [_P, POINTER(ParticlesStruct)]),
    "rill_sim_whitewater_column": (c_void_p, [_P, c_char_p]),
    "rill_sim_whitewater_column_name": (c_char_p, [_P, c_uint32]),
    "rill_sim_volumes": (c_int, [_P, POINTER(POINTER(VolumesStruct))]),
    "rill_volumes_destroy": (None, [POINTER(VolumesStruct)]),
    "rill_sim_cells": (c_int, [_P, POINTER(POINTER(CellsStruct))]),
    "rill_cells_destroy": (None, [POINTER(CellsStruct)]),
    "rill_sim_velocity": (c_int, [_P, c_size_t, c_void_p, c_void_p]),
    "rill_sim_pressure": (c_int, [_P, c_size_t, c_void_p, c_void_p]),
    "rill_sim_surface": (c_int, [_P, POINTER(POINTER(MeshStruct))]),
    "rill_mesh_destroy": (None, [POINTER(MeshStruct)]),
    "rill_keeper_create": (c_void_p, []),
    "rill_keeper_destroy": (None, [_P]),
    "rill_keeper_allocator": (Allocator, [_P]),
    "rill_keeper_hold": (c_int, [_P, c_void_p]),
    "rill_keeper_drop": (None, [_P, c_void_p]),
}

_library: Any = None
_path = ""
_lock = threading.Lock()


def _candidates() -> Iterator[str]:
    here = os.path.dirname(os.path.abspath(__file__))
    if os.environ.get("RILL_LIBRARY"):
        yield os.environ["RILL_LIBRARY"]
        return
    for name in (SONAME, "librill.so"):
        yield os.path.join(here, name)
    tree = os.path.dirname(os.path.dirname(here))
    if os.path.exists(os.path.join(tree, "include", "rill", "rill.h")):
        yield os.path.join(tree, "build", "release", SONAME)
    yield SONAME
    for folder in ("/usr/local/lib", "/usr/local/lib/x86_64-linux-gnu"):  # not always known to the loader
        yield os.path.join(folder, SONAME)


def _load() -> Tuple[Any, str]:
    tried = []
    for path in _candidates():
        if os.sep in path and not os.path.exists(path):
            tried.append(f"{path}: no such file")
            continue
        try:
            lib = ctypes.CDLL(path)
        except OSError as error:
            tried.append(str(error))
            continue
        try:
            for name, (result, arguments) in _FUNCTIONS.items():
                function = getattr(lib, name)
                function.restype, function.argtypes = result, arguments
        except AttributeError as error:
            raise RillError(f"{path} is a librill of another version than this package: {error}") from None
        return lib, path
    raise RillError("librill was not found; install it (package librill), or set RILL_LIBRARY to its file. Tried:\n  "
                    + "\n  ".join(tried))


def library() -> Any:
    """The library with its functions declared."""
    global _library, _path
    if _library is None:
        with _lock:
            if _library is None:
                _library, _path = _load()
    return _library


def library_path() -> str:
    """The file of the library that is used."""
    library()
    return _path


def version() -> str:
    """The library's version."""
    return str(library().rill_version().decode())


def build() -> str:
    """What the library was built with."""
    return str(library().rill_build().decode())


class Life:
    """When something of the library is freed: once it is closed and nothing uses it any more. The garbage collector calls the
    finalizers of a cycle in any order, so that a context may be closed before its simulations are."""

    __slots__ = ("_free", "_users", "_closed")

    def __init__(self, free: Callable[[], None]) -> None:
        self._free: Optional[Callable[[], None]] = free
        self._users, self._closed = 0, False

    def use(self) -> None:
        self._users += 1

    def leave(self) -> None:
        self._users -= 1
        self._end()

    def close(self) -> None:
        self._closed = True
        self._end()

    def _end(self) -> None:
        if self._closed and self._users == 0 and self._free is not None:
            free, self._free = self._free, None
            free()


class Keeper:
    """Memory of arrays that Python may still see (rill_keeper); its life ends with the last of them."""

    def __init__(self) -> None:
        lib = library()
        destroy, pointer = lib.rill_keeper_destroy, lib.rill_keeper_create()
        if not pointer:
            raise MemoryError("rill: no memory")
        self.pointer = pointer
        self.hold = lib.rill_keeper_hold
        self.drop = lib.rill_keeper_drop

        def free() -> None:
            destroy(pointer)

        self.life = Life(free)

    def __del__(self) -> None:
        if hasattr(self, "life"):
            self.life.close()


class Context:
    """A context of the library, its messages, and its warnings as Python's."""

    def __init__(self, threads: int = 0) -> None:
        lib = library()
        self.lib = lib
        self.pointer: Optional[c_void_p] = None
        self.keeper = Keeper()
        self.warnings: List[str] = []
        definition = lib.rill_ctx_def_default()
        definition.allocator = lib.rill_keeper_allocator(self.keeper.pointer)
        definition.threads = threads
        warnings = self.warnings

        def log(_user: Any, level: int, message: bytes) -> None:
            if level >= 2:
                warnings.append(message.decode(errors="replace"))

        heard = LogFunction(log)
        definition.log = heard
        pointer = c_void_p()
        status = lib.rill_ctx_create(byref(definition), byref(pointer))
        if status:
            why = ("not enough memory" if status == 6 else
                   f"{threads} threads make no sense, or the processor is older than x86-64-v3 (AVX2, 2013)")
            raise BY_STATUS.get(status, RillError)(f"rill_ctx_create: {why}")
        self.pointer = pointer
        keeper = self.keeper.life
        keeper.use()

        def free(heard: Any = heard) -> None:  # which the library may call until then
            lib.rill_ctx_destroy(pointer)
            keeper.leave()

        self.life = Life(free)

    def message(self) -> str:
        return str(self.lib.rill_ctx_message(self.pointer).decode(errors="replace"))

    def check(self, status: int) -> None:
        """Raises what the status stands for."""
        if status:
            raise BY_STATUS.get(status, RillError)(self.message())

    def __del__(self) -> None:
        if hasattr(self, "life"):
            self.life.close()


def text(value: Optional[bytes]) -> str:
    return value.decode(errors="replace") if value else ""


__all__ = ["Context", "Keeper", "RillError", "build", "library", "library_path", "version", "c_float", "c_double"]
