"""How kernels are compiled.

Every function states its argument types, so that it is compiled once and not again for each mix of whole numbers and
fractions that it is called with; inner functions get no entry from Python, which halves the time their compiling takes.
"""

from collections.abc import Callable
from typing import Any, TypeVar

from numba import njit, types

F = TypeVar("F", bound=Callable[..., Any])

_TYPES = {
    "f": types.float64,
    "i": types.int64,
    "b": types.boolean,
    "V": types.float64[::1],
    "A": types.float64[:, ::1],
    "I": types.int64[::1],
}


_compile: Any = njit  # the published types of njit leave out the wrappers' options


def inner(codes: str) -> Callable[[F], F]:
    """Compile for other kernels to call: f a number, i an index, b a truth, V and A float arrays, I an index array."""
    return _compile(  # type: ignore[no-any-return]
        tuple(_TYPES[c] for c in codes),
        cache=True,
        error_model="numpy",
        no_cpython_wrapper=True,
        no_cfunc_wrapper=True,
    )


def entry(codes: str) -> Callable[[F], F]:
    """Compile for Python to call; codes are as for `inner`."""
    types_of = tuple(_TYPES[c] for c in codes)
    return _compile(types_of, cache=True, error_model="numpy", no_cfunc_wrapper=True)  # type: ignore[no-any-return]
