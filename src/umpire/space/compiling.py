"""How kernels are compiled.

Every function states its argument types, so that it is compiled once and not again for each mix of whole numbers and
fractions that it is called with; inner functions get no entry from Python, which halves the time their compiling takes.

Numba keeps what it compiled beside the source and compiles again when that file changes, not when one changes whose
functions were compiled into it: so what was compiled from other sources is thrown away here.
"""

import contextlib
import hashlib
import re
from collections.abc import Callable
from pathlib import Path
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


KERNEL = re.compile(r"^@(?:entry|inner)\(", re.M)
IMPORT = re.compile(r"^from \.(?: import )?(\w+)", re.M)


def compiled_from(folder: Path) -> list[Path]:
    """The sources in a folder that hold kernels, with what these import; the others can change as they like."""
    texts = {source.stem: source.read_text(encoding="utf-8") for source in sorted(folder.glob("*.py"))}
    found = [name for name, text in texts.items() if KERNEL.search(text)]
    for name in found:
        found += [other for other in IMPORT.findall(texts[name]) if other in texts and other not in found]
    return [folder / f"{name}.py" for name in sorted(found)]


def forget_stale(folder: Path) -> None:
    """Throw away what was compiled in a folder if any source that it was compiled from has changed since."""
    kept, state = folder / "__pycache__", hashlib.blake2b(digest_size=16)
    for source in compiled_from(folder):
        state.update(source.read_bytes())
    told = kept / "kernels.state"
    if told.is_file() and told.read_text() == state.hexdigest():
        return
    with contextlib.suppress(OSError):  # where nothing can be written, nothing is kept here either
        for old in (*kept.glob("*.nbi"), *kept.glob("*.nbc")):
            old.unlink(missing_ok=True)
        kept.mkdir(exist_ok=True)
        told.write_text(state.hexdigest())


forget_stale(Path(__file__).parent)

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
