"""Arrays over the library's own memory.

A view belongs to one state of a simulation. When that moves on, every use of the view raises StaleView. Arrays that were
made from a view and do not know of the simulation any more (numpy.asarray(view)) stay readable, as their memory is held,
but what is in them is then undefined: copy what is to be kept.

With NumPy views are arrays; without it, memoryview objects, which are released when the simulation moves on.
"""
from __future__ import annotations

import ctypes
from typing import Any, List, Optional, Tuple

from ._library import Keeper
from .errors import NoMemory, StaleView

try:
    import numpy
except ImportError:  # the basics work without
    numpy = None  # type: ignore[assignment]

_SIZES = {"d": 8, "f": 4, "Q": 8, "I": 4, "i": 4}
_TYPES = {"d": "<f8", "f": "<f4", "Q": "<u8", "I": "<u4", "i": "<i4"}


class State:
    """One state of a simulation; `current` until that moves on."""

    __slots__ = ("current", "released", "time")

    def __init__(self, time: float) -> None:
        self.current = True
        self.time = time
        self.released: List[memoryview] = []

    def end(self) -> None:
        self.current = False
        for view in self.released:
            try:
                view.release()
            except BufferError:  # something was made from it: its memory is held
                pass
        self.released.clear()

    def check(self) -> None:
        if not self.current:
            raise StaleView(f"this array is of t = {self.time:.6g} s, and the simulation has moved on since; "
                            "keep a copy (array.copy()), or take the array anew")


class _Block:
    """Held memory, which NumPy takes for an array."""

    __slots__ = ("keeper", "address", "__array_interface__", "__weakref__")

    def __init__(self, keeper: Keeper, address: int, shape: Tuple[int, ...], letter: str) -> None:
        self.address = 0
        if keeper.hold(keeper.pointer, address):
            raise NoMemory("rill: no memory to hold an array")
        keeper.life.use()
        self.keeper, self.address = keeper, address
        self.__array_interface__ = {"shape": shape, "typestr": _TYPES[letter], "data": (address, True), "version": 3}

    def __del__(self) -> None:
        if self.address:
            self.keeper.drop(self.keeper.pointer, self.address)
            self.keeper.life.leave()


if numpy is not None:
    _free = frozenset(("_state", "__class__", "__array_finalize__", "__del__", "__dict__", "__repr__", "__str__"))

    class View(numpy.ndarray):  # type: ignore[type-arg]
        """A read-only array over a simulation's memory; see the module."""

        _state: Optional[State] = None

        def __array_finalize__(self, source: Any) -> None:
            # A result of its own (a copy, a sum) owns its memory and lives on.
            if isinstance(source, View) and self.base is not None:
                self._state = source._state

        def __getattribute__(self, name: str) -> Any:
            if name not in _free:
                _check(self)
            return super().__getattribute__(name)

        def __getitem__(self, key: Any) -> Any:
            _check(self)
            return super().__getitem__(key)

        def __len__(self) -> int:
            _check(self)
            return super().__len__()

        def __iter__(self) -> Any:
            _check(self)
            return super().__iter__()

        def __eq__(self, other: Any) -> Any:  # NumPy's own would swallow what is raised
            return _plain(self) == _plain(other)

        def __ne__(self, other: Any) -> Any:
            return _plain(self) != _plain(other)

        __hash__ = None

        def __array_ufunc__(self, ufunc: Any, method: str, *inputs: Any, **options: Any) -> Any:
            plain = tuple(_plain(x) for x in inputs)
            if "out" in options:
                options["out"] = tuple(_plain(x) for x in options["out"])
            return getattr(ufunc, method)(*plain, **options)

        def __array_function__(self, function: Any, types: Any, args: Any, kwargs: Any) -> Any:
            result = super().__array_function__(function, types, _checked(args), kwargs)
            return _plain(result) if isinstance(result, View) and result._state is None else result

        def copy(self, order: Any = "C") -> Any:
            """The values now, as an array of its own."""
            _check(self)
            return numpy.array(self, order=order, subok=False)

        def __repr__(self) -> str:
            state = self._state
            if state is not None and not state.current:
                return f"<array of t = {state.time:.6g} s; the simulation has moved on>"
            return numpy.asarray(self).__repr__()

        __str__ = __repr__

    def _check(view: View) -> None:
        state = view._state
        if state is not None and not state.current:
            state.check()

    def _plain(value: Any) -> Any:
        if isinstance(value, View):
            _check(value)
            return value.view(numpy.ndarray)
        return value

    def _checked(values: Any) -> Any:
        for value in values:
            if isinstance(value, View):
                _check(value)
            elif isinstance(value, (list, tuple)):
                _checked(value)
        return values


def borrowed(keeper: Keeper, state: State, address: Optional[int], shape: Tuple[int, ...], letter: str) -> Any:
    """A view of memory that belongs to a state."""
    if not address or shape[0] == 0:
        return owned(b"", shape, letter)
    if numpy is not None:
        view = numpy.asarray(_Block(keeper, address, shape, letter)).view(View)
        view._state = state
        return view
    size = _SIZES[letter]
    for n in shape:
        size *= n
    memory: Any = (ctypes.c_char * size).from_address(address)
    memory.block = _Block(keeper, address, shape, letter)  # held as long as anything looks at it
    flat = memoryview(memory).toreadonly().cast("B")
    result = flat.cast(letter, shape)
    state.released.append(result)
    return result


def owned(data: bytes, shape: Tuple[int, ...], letter: str) -> Any:
    """An array of its own; without NumPy a memoryview."""
    if numpy is not None:
        return numpy.frombuffer(data, dtype=_TYPES[letter]).reshape(shape)
    flat = memoryview(data).cast("B")
    return flat.cast(letter, shape) if shape[0] else flat.cast(letter)


def copied(address: Optional[int], shape: Tuple[int, ...], letter: str) -> Any:
    """A copy of the library's memory."""
    size = _SIZES[letter]
    for n in shape:
        size *= n
    return owned(ctypes.string_at(address, size) if address and size else b"", shape, letter)


def points_of(points: Any) -> Tuple[Any, int]:
    """Points that a caller gave, as memory of doubles, and their number."""
    if numpy is not None:
        array = numpy.ascontiguousarray(points, dtype=numpy.float64).reshape(-1, 3)
        return array, len(array)
    rows = [tuple(float(c) for c in p) for p in points]
    if any(len(r) != 3 for r in rows):
        raise ValueError("a point has three coordinates")
    return (ctypes.c_double * (3 * len(rows)))(*(c for r in rows for c in r)), len(rows)


def address_of(memory: Any) -> int:
    """Of what points_of gave."""
    if numpy is not None:
        return int(memory.ctypes.data)
    return ctypes.addressof(memory)
