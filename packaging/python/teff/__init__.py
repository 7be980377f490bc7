# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Runs the OpenMP libraries of Python programs on Teff: python -m teff run program.py."""

import hashlib
import os
from pathlib import Path
from typing import Optional

__all__ = ["library", "names"]

# Programs built by GCC, Clang and Intel's compiler ask the loader for these.
_names = ("libgomp.so.1", "libomp.so.5", "libiomp5.so")


def library() -> Path:
    """The file of Teff's OpenMP runtime. Raises FileNotFoundError if the package was installed without it."""
    file = Path(__file__).resolve().parent / "lib" / "teff" / "libomp.so.5"
    if not file.exists():
        raise FileNotFoundError(f"{file} is missing: install the package from a wheel, which is made by "
                                "`pip wheel packaging/python`")
    return file


def names() -> Optional[Path]:
    """A folder where the runtime has all the names that programs ask the loader for; None if none can be made.

    A wheel cannot have links, and with copies of the file a process would have several runtimes. So the links are in
    the user's cache, one folder for each installation."""
    file = library()
    cache = Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache")
    folder = cache / "teff" / hashlib.sha256(str(file).encode()).hexdigest()[:16]
    try:
        folder.mkdir(parents=True, exist_ok=True)
        for name in _names:
            link = folder / name
            if not link.is_symlink():
                try:
                    link.symlink_to(file)
                except FileExistsError:
                    pass  # another process was faster
    except OSError:
        return None
    return folder
