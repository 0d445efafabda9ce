"""Simulations: taken through time, looked at, and steered while they run."""
from __future__ import annotations

import json
import math
import os
import signal
import threading
import weakref
from ctypes import POINTER, byref, c_double, c_uint64, c_void_p
from typing import Any, Callable, Dict, Iterator, List, Mapping, NamedTuple, Optional, Sequence, Tuple, Union

from ._library import (BodyPoseStruct, CellsStruct, Context, ForceStruct, MeshStruct, ParticlesStruct, PoseStruct, StatsStruct,
                       StepFunction, Vec3, VolumesStruct, VolumeStruct, text)
from .progress import Progress
from .scene import Scene, _json_value
from .views import State, address_of, borrowed, copied, points_of

Vector = Sequence[float]
_CANCELLED = 130


def _vec3(v: Vector) -> Vec3:
    if len(v) not in (2, 3):
        raise ValueError("a vector has three components, or two in two dimensions")
    return Vec3(float(v[0]), float(v[1]), float(v[2]) if len(v) == 3 else 0.0)


def _tuple(v: Vec3) -> Tuple[float, float, float]:
    return v.x, v.y, v.z


class Stats(NamedTuple):
    """What the last step says; NaN for what the method does not have."""

    dt: float
    seconds: float
    elements: int
    volume: float
    kinetic: float
    potential: float
    max_speed: float
    compression: float
    div_max: float
    div_rms: float
    solve_iterations: int
    viscous_iterations: int
    solve_residual: float
    viscous_residual: float
    stages: Dict[str, float]


class Pose(NamedTuple):
    """Of an animated solid: shifted (m), turned about its pivot (degrees about x, then y, then z)."""

    translate: Tuple[float, float, float]
    rotate: Tuple[float, float, float]


class Body(NamedTuple):
    """A solid that the fluid moves: a point x of its shape is at position + scale * (rotation of x)."""

    name: str
    position: Tuple[float, float, float]
    rotation: Tuple[float, float, float, float]  # unit quaternion: w, x, y, z
    scale: float
    center: Tuple[float, float, float]  # of mass
    velocity: Tuple[float, float, float]  # of the centre, m/s
    spin: Tuple[float, float, float]  # rad/s
    force: Tuple[float, float, float]  # of the fluid in the last step, N
    torque: Tuple[float, float, float]  # about the centre, N m


class Particles:
    """Particles, tracers or white water of a state: `position`, `velocity` (n by 3), `id`, and columns by name.

    The arrays are views of the simulation's own memory and raise StaleView once it has moved on; so does this object.
    Particles change their order from step to step; `id` tells which is which.
    """

    def __init__(self, sim: "Simulation", view: str, column: str) -> None:
        lib, found = sim._lib, ParticlesStruct()
        getattr(lib, view)(sim._pointer, byref(found))
        # Not the simulation itself, which would then wait for the garbage collector; the state ends with it.
        self._pointer, self._keeper = sim._pointer, sim._context.keeper
        self._state, self._found = sim._state, found
        self._column, self._column_name = getattr(lib, column), getattr(lib, column + "_name")
        self._made: Dict[str, Any] = {}

    def __len__(self) -> int:
        self._state.check()
        return int(self._found.count)

    def _array(self, name: str, address: Optional[int], shape: Tuple[int, ...], letter: str) -> Any:
        self._state.check()
        made = self._made.get(name)
        if made is None:
            made = borrowed(self._keeper, self._state, address, shape, letter)
            self._made[name] = made
        return made

    @property
    def position(self) -> Any:
        return self._array("position", self._found.position, (self._found.count, 3), "d")

    @property
    def velocity(self) -> Any:
        return self._array("velocity", self._found.velocity, (self._found.count, 3), "d")

    @property
    def id(self) -> Any:
        return self._array("id", self._found.id, (self._found.count,), "Q")

    @property
    def columns(self) -> List[str]:
        """Names of the other values, such as "density"."""
        self._state.check()
        return [text(self._column_name(self._pointer, i)) for i in range(self._found.column_count)]

    def __getitem__(self, name: str) -> Any:
        self._state.check()
        if name in ("position", "velocity", "id"):
            return getattr(self, name)
        address = self._column(self._pointer, name.encode())
        if not address:
            raise KeyError(f"there is no column {name!r}; there are {', '.join(self.columns) or 'none'}")
        return self._array("column " + name, address, (self._found.count,), "f")

    def __contains__(self, name: str) -> bool:
        return name in self.columns or name in ("position", "velocity", "id")


class Cells:
    """Sites of a method's cells with their velocities and values; arrays of their own."""

    def __init__(self, found: CellsStruct) -> None:
        n = found.count
        self.site = copied(found.site, (n, 3), "d")
        self.velocity = copied(found.velocity, (n, 3), "d")
        self.columns: Dict[str, Any] = {
            text(found.column_name[k]): copied(found.column[k], (n,), "f") for k in range(found.column_count)}

    def __len__(self) -> int:
        return len(self.site)

    def __getitem__(self, name: str) -> Any:
        return self.columns[name]


class Volume:
    """A field on a sparse grid: `name`, `origin`, `cell`, `background`, and blocks of 8 x 8 x 8 samples where there is anything.

    `blocks` (n by 3, integers) are their places; sample [b, k, j, i] of `values`, with three numbers in the last axis for a
    velocity, lies at origin + cell * (8 * blocks[b] + (i, j, k)). Arrays of their own."""

    def __init__(self, found: VolumeStruct) -> None:
        n, width = int(found.block_count), int(found.width)
        self.name, self.cell, self.background = text(found.name), float(found.cell), float(found.background)
        self.origin = _tuple(found.origin)
        self.blocks = copied(found.block, (n, 3), "i")
        self.values = copied(found.value, (n, 8, 8, 8) if width == 1 else (n, 8, 8, 8, width), "f")

    def __len__(self) -> int:
        return len(self.blocks)

    def dense(self) -> Tuple[Any, Tuple[float, float, float]]:
        """The box of all blocks as one array, [z, y, x], and the place of its first sample. Needs NumPy."""
        import numpy
        if len(self) == 0:
            return numpy.zeros((0, 0, 0), numpy.float32), self.origin
        low = self.blocks.min(axis=0)
        size = 8 * (self.blocks.max(axis=0) + 1 - low)
        out = numpy.full((size[2], size[1], size[0]) + self.values.shape[4:], self.background, numpy.float32)
        for place, block in zip(8 * (self.blocks - low), self.values):
            x, y, z = place
            out[z:z + 8, y:y + 8, x:x + 8] = block
        x, y, z = (self.origin[a] + 8 * self.cell * float(low[a]) for a in range(3))
        return out, (x, y, z)


class Mesh:
    """A closed triangle mesh: `position` and, where there are some, `normal` and `velocity` (n by 3), `triangles`
    (m by 3, counter-clockwise seen from outside) and `columns` by name. Arrays of its own."""

    def __init__(self, found: MeshStruct) -> None:
        n = found.vertex_count
        self.position = copied(found.position, (n, 3), "d")
        self.normal = copied(found.normal, (n, 3), "f") if found.normal else None
        self.velocity = copied(found.velocity, (n, 3), "f") if found.velocity else None
        self.triangles = copied(found.triangle, (found.triangle_count, 3), "I")
        self.columns: Dict[str, Any] = {}
        for k in range(found.column_count):
            width = found.column_width[k]
            self.columns[text(found.column_name[k])] = copied(found.column[k], (n, 3) if width == 3 else (n,), "f")

    def __repr__(self) -> str:
        return f"<rill.Mesh: {len(self.position)} vertices, {len(self.triangles)} triangles>"


class Simulation:
    """A simulation of a scene, at its initial state.

    scene    a Scene, or what Scene takes
    threads  when it is not a Scene yet: 0: as many as the machine has

    It is used by one thread at a time. Other threads of Python run while it computes. Ctrl-C stops it after the step
    it is in; `advance` then goes back to where it began, and KeyboardInterrupt is raised.
    """

    def __init__(self, scene: Union[Scene, str, "os.PathLike[str]", Mapping[str, Any]], *, threads: int = 0) -> None:
        self._address: Optional[c_void_p] = None
        self.scene = scene if isinstance(scene, Scene) else Scene(scene, threads=threads)
        self._context: Context = self.scene.context
        self._lib = self._context.lib
        self._callbacks: List[Callable[["Simulation"], Any]] = []
        self._raised: Optional[BaseException] = None
        self._inside = self._interrupted = False
        pointer = c_void_p()
        self._context.check(self._lib.rill_sim_create(self._context.pointer, self.scene.pointer, byref(pointer)))
        self._address = pointer
        self.scene.life.use()
        self._state = State(self.time)
        self._seen: Dict[str, Particles] = {}
        # Called after each step: where Python runs handlers of signals, and where callbacks are. A reference that does not
        # count, so that the last one outside frees the simulation at once.
        myself = weakref.ref(self)

        def stepped(_user: Any, _sim: Any) -> int:
            sim = myself()
            return sim._after_step() if sim is not None else 0

        self._stepped = StepFunction(stepped)
        self._context.check(self._lib.rill_sim_on_step(pointer, self._stepped, None))

    # ---- life ----

    @property
    def _pointer(self) -> c_void_p:
        if self._address is None:
            raise ValueError("the simulation is closed")
        return self._address

    def close(self) -> None:
        """Frees it. Views of it raise StaleView from then on."""
        if self._address is not None:
            if self._inside:
                raise ValueError("a simulation cannot be closed from its own callback")
            self._move_on()
            address, self._address = self._address, None
            self._lib.rill_sim_destroy(address)
            self.scene.life.leave()

    def __enter__(self) -> "Simulation":
        return self

    def __exit__(self, *_: Any) -> None:
        self.close()

    def __del__(self) -> None:
        if getattr(self, "_address", None) is not None:
            self.close()

    def __repr__(self) -> str:
        if self._address is None:
            return "<rill.Simulation, closed>"
        return (f"<rill.Simulation of {self.scene.name!r} by {self.scene.method}: t = {self.time:.6g} s, "
                f"{self.steps} steps, {self.elements} elements>")

    @property
    def warnings(self) -> List[str]:
        """What the library warned of so far, such as steps that were taken again."""
        return list(self._context.warnings)

    # ---- time ----

    @property
    def time(self) -> float:
        """Simulated seconds."""
        return float(self._lib.rill_sim_time(self._pointer))

    @property
    def steps(self) -> int:
        return int(self._lib.rill_sim_steps(self._pointer))

    @property
    def elements(self) -> int:
        """Particles, or cells of a method that has no particles."""
        return int(self._lib.rill_sim_elements(self._pointer))

    def _move_on(self) -> None:
        state = getattr(self, "_state", None)
        if state is not None:
            state.end()
            self._seen = {}

    def _after_step(self) -> int:
        if self._interrupted:
            return _CANCELLED
        try:
            if self._callbacks:
                self._state = State(self.time)
                for callback in self._callbacks:
                    if callback(self) is False:
                        return _CANCELLED
            return 0
        except BaseException as error:  # raised after the call
            self._raised = error
            return _CANCELLED
        finally:
            if self._callbacks:
                self._move_on()

    def _run(self, call: Callable[..., int], *arguments: Any) -> None:
        """Anything that changes the state."""
        pointer = self._pointer
        if self._inside:
            raise ValueError("a simulation cannot be stepped or loaded from its own callback")
        self._move_on()
        self._raised, self._inside, self._interrupted = None, True, False
        before = self._catch_interrupts()
        try:
            status = call(pointer, *arguments)
        finally:
            if before is not None:
                signal.signal(signal.SIGINT, before)
            self._inside = False
            self._state = State(self.time)
        raised, self._raised = self._raised, None
        if raised is not None:
            raise raised
        if self._interrupted and callable(before):
            before(signal.SIGINT, None)  # KeyboardInterrupt, unless the program does something else
        self._context.check(status)

    def _catch_interrupts(self) -> Any:
        """Ctrl-C must not raise in the callback of the library: it is remembered. Returns the handler to put back."""
        if threading.current_thread() is not threading.main_thread():
            return None
        before = signal.getsignal(signal.SIGINT)
        if not callable(before):
            return None

        def remember(_number: int, _frame: Any) -> None:
            self._interrupted = True
            self._lib.rill_ctx_cancel(self._context.pointer)

        signal.signal(signal.SIGINT, remember)
        return before

    def advance(self, until: float) -> None:
        """To this time, in as many steps as it takes; from frame to frame with the bits of `rill run`. On failure, and
        when it is stopped, the simulation is where it was before."""
        self._run(self._lib.rill_sim_advance, until)

    def step(self, max_dt: float = math.inf) -> float:
        """One step, as long as the method allows but not longer than max_dt; returns how long it was."""
        taken = c_double()
        self._run(self._lib.rill_sim_step, max_dt, byref(taken))
        return taken.value

    def frames(self, frames: Optional[int] = None, *, progress: bool = False) -> Iterator[int]:
        """Goes from frame to frame: for frame in sim.frames(): ... at frame 0, 1, ... to the scene's last, or `frames`."""
        fps, last = self.scene.fps, self.scene.frames if frames is None else frames
        bar = Progress(last) if progress else None
        try:
            for frame in range(last + 1):
                at = frame / fps
                if at < self.time - 1e-9:
                    continue  # where it was loaded, or is already
                if at > self.time:
                    self.advance(at)
                if bar:
                    bar.update(frame, f"t = {self.time:.4g} s, {self.elements} elements")
                yield frame
        finally:
            if bar:
                bar.close()

    def on_step(self, callback: Callable[["Simulation"], Any]) -> Callable[["Simulation"], Any]:
        """Calls it with the simulation after each step; also a decorator. It may read and steer, but not step. Returning
        False, or raising, ends the call: `advance` goes back to where it began, `step` keeps its step. When `advance`
        begins again with shorter steps, the callback comes again with an earlier time."""
        self._callbacks.append(callback)
        return callback

    def cancel(self) -> None:
        """From another thread: what runs raises Cancelled."""
        self._lib.rill_ctx_cancel(self._context.pointer)

    def save(self, path: Union[str, "os.PathLike[str]"]) -> None:
        """The state, with all that was steered, as a file."""
        self._context.check(self._lib.rill_sim_save(self._pointer, os.fsencode(path)))

    def load(self, path: Union[str, "os.PathLike[str]"]) -> None:
        """A state that `save` wrote for the same scene, or a checkpoint of its run folder."""
        self._run(self._lib.rill_sim_load, os.fsencode(path))

    # ---- looking at it ----

    @property
    def particles(self) -> Particles:
        found = self._seen.get("particles")
        if found is None:
            found = self._seen["particles"] = Particles(self, "rill_sim_view", "rill_sim_column")
        return found

    @property
    def tracers(self) -> Particles:
        found = self._seen.get("tracers")
        if found is None:
            found = self._seen["tracers"] = Particles(self, "rill_sim_tracers", "rill_sim_tracer_column")
        return found

    @property
    def whitewater(self) -> Particles:
        """Spray, foam and bubbles of a scene that asks for white water."""
        found = self._seen.get("whitewater")
        if found is None:
            found = self._seen["whitewater"] = Particles(self, "rill_sim_whitewater", "rill_sim_whitewater_column")
        return found

    @property
    def stats(self) -> Stats:
        s = StatsStruct()
        self._lib.rill_sim_stats(self._pointer, byref(s))
        stages = {text(s.stage_name[k]): s.stage_seconds[k] for k in range(s.stage_count)}
        return Stats(**{name: getattr(s, name) for name in Stats._fields[:-1]}, stages=stages)

    @property
    def gauges(self) -> Dict[str, float]:
        """The scene's gauges now, by name."""
        names = self.scene.gauges
        values = (c_double * len(names))()
        self._context.check(self._lib.rill_sim_gauges(self._pointer, len(names), values))
        return dict(zip(names, values))

    @property
    def bodies(self) -> List[Body]:
        """The scene's bodies now, in its order."""
        lib, found = self._lib, []
        for k in range(lib.rill_sim_body_count(self._pointer)):
            p, v, spin, force, torque = BodyPoseStruct(), Vec3(), Vec3(), Vec3(), Vec3()
            self._context.check(lib.rill_sim_body_pose(self._pointer, k, byref(p)))
            self._context.check(lib.rill_sim_body_velocity(self._pointer, k, byref(v), byref(spin)))
            self._context.check(lib.rill_sim_body_force(self._pointer, k, byref(force), byref(torque)))
            w, x, y, z = p.rotation
            found.append(Body(text(lib.rill_sim_body_name(self._pointer, k)), _tuple(p.position), (w, x, y, z), p.scale,
                              _tuple(p.center), _tuple(v), _tuple(spin), _tuple(force), _tuple(torque)))
        return found

    def surface(self) -> Mesh:
        """The liquid's surface now, made as the scene's "surface" says."""
        found = POINTER(MeshStruct)()
        self._context.check(self._lib.rill_sim_surface(self._pointer, byref(found)))
        try:
            return Mesh(found.contents)
        finally:
            self._lib.rill_mesh_destroy(found)

    def cells(self) -> Cells:
        """The method's cells now."""
        found = POINTER(CellsStruct)()
        self._context.check(self._lib.rill_sim_cells(self._pointer, byref(found)))
        try:
            return Cells(found.contents)
        finally:
            self._lib.rill_cells_destroy(found)

    def volumes(self) -> Dict[str, Volume]:
        """The fields that the scene's "volume" asks for and that there are now, by name."""
        found = POINTER(VolumesStruct)()
        self._context.check(self._lib.rill_sim_volumes(self._pointer, byref(found)))
        try:
            all_of = found.contents
            made = [Volume(all_of.volume[k]) for k in range(all_of.count)]
            return {v.name: v for v in made}
        finally:
            self._lib.rill_volumes_destroy(found)

    def velocity(self, points: Any) -> Any:
        """Of the fluid at points (n by 3); zero where there is none."""
        memory, n = points_of(points)
        out = (c_double * (3 * n))()
        self._context.check(self._lib.rill_sim_velocity(self._pointer, n, address_of(memory), out))
        return _array_of(out, (n, 3))

    def pressure(self, points: Any) -> Any:
        """In Pa, at points (n by 3)."""
        memory, n = points_of(points)
        out = (c_double * n)()
        self._context.check(self._lib.rill_sim_pressure(self._pointer, n, address_of(memory), out))
        return _array_of(out, (n,))

    # ---- while it runs ----

    def set_gravity(self, gravity: Vector) -> None:
        """In place of the scene's."""
        self._context.check(self._lib.rill_sim_set_gravity(self._pointer, _vec3(gravity)))

    def set_force(self, slot: int, center: Optional[Vector] = None, acceleration: Vector = (0, 0, 0),
                  radius: float = 0) -> None:
        """An acceleration in a ball, one of 16, until it is set again; without a center: none."""
        force = None
        if center is not None:
            force = byref(ForceStruct(_vec3(center), _vec3(acceleration), radius))
        self._context.check(self._lib.rill_sim_set_force(self._pointer, slot, force))

    def apply(self, body: int, force: Vector = (0, 0, 0), torque: Vector = (0, 0, 0)) -> None:
        """A force (N) at a body's centre of mass and a torque (N m), in every step until others are given; part of what
        is saved."""
        self._context.check(self._lib.rill_sim_body_apply(self._pointer, body, _vec3(force), _vec3(torque)))

    def set_emitter(self, emitter: int, speed: float) -> None:
        """Its speed from now on; 0 closes it."""
        self._context.check(self._lib.rill_sim_set_emitter(self._pointer, emitter, speed))

    def add_liquid(self, shape: Mapping[str, Any], velocity: Any = (0, 0, 0)) -> int:
        """Liquid in a shape as a scene has it, {"sphere": {...}}; returns how many particles found room."""
        if not isinstance(velocity, Mapping):
            velocity = [float(v) for v in velocity][:self.scene.dimensions]
        data = json.dumps({"shape": shape, "velocity": velocity}, default=_json_value).encode()
        added = c_uint64()
        self._context.check(self._lib.rill_sim_add_liquid(self._pointer, data, len(data), byref(added)))
        return added.value

    def _solid(self, solid: Union[int, str]) -> int:
        if isinstance(solid, int):
            return solid
        names = self.scene.solids
        if solid not in names:
            raise KeyError(f"there is no solid {solid!r}; there are {', '.join(n for n in names if n) or 'none'}")
        return names.index(solid)

    def pose(self, solid: Union[int, str]) -> Pose:
        """Where an animated solid is now, by its name or number."""
        found = PoseStruct()
        self._context.check(self._lib.rill_sim_pose(self._pointer, self._solid(solid), byref(found)))
        return Pose(_tuple(found.translate), _tuple(found.rotate))

    def set_pose(self, solid: Union[int, str], translate: Vector = (0, 0, 0), rotate: Vector = (0, 0, 0), *,
                 until: float) -> None:
        """The solid goes evenly from where it is to this pose, and is there at the time `until`. It needs a "motion" in
        the scene; one keyframe is enough."""
        pose = PoseStruct(_vec3(translate), _vec3(rotate))
        self._context.check(self._lib.rill_sim_set_pose(self._pointer, self._solid(solid), byref(pose), until))


def _array_of(values: Any, shape: Tuple[int, ...]) -> Any:
    from ctypes import addressof

    return copied(addressof(values) if len(values) else None, shape, "d")


__all__ = ["Cells", "Mesh", "Particles", "Pose", "Simulation", "Stats"]
