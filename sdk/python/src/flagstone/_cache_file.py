"""The file that keeps the last document for a start without network."""

from __future__ import annotations

import glob
import os
import tempfile
from contextlib import suppress
from pathlib import Path

_LONGEST_WRITE = 60.0
"""Seconds."""


def write_cache(path: Path, text: str) -> None:
    """Replaces the file as a whole or not at all. Raises OSError if it cannot be written.

    Only its owner may read it, because rules may contain users' addresses.
    """
    # Other processes may write the same file, so each has its own name for an unfinished one.
    number, name = tempfile.mkstemp(".partial", f"{path.name}.", path.parent)
    unfinished = Path(name)
    try:
        with open(number, "wb") as file:
            file.write(text.encode())
            file.flush()
            os.fsync(number)
        _remove_unfinished(path, before=unfinished.stat().st_mtime - _LONGEST_WRITE)
        unfinished.replace(path)
    except BaseException:
        unfinished.unlink(missing_ok=True)
        raise


def _remove_unfinished(path: Path, before: float) -> None:
    """Removes what processes left that were killed while writing."""
    for unfinished in path.parent.glob(f"{glob.escape(path.name)}.*.partial"):
        with suppress(OSError):  # another process may be removing it, too
            if unfinished.stat().st_mtime < before:
                unfinished.unlink()
