"""The file that keeps the last document for a start without network."""

from __future__ import annotations

import glob
import os
import tempfile
from contextlib import suppress
from pathlib import Path

_LONGEST_WRITE = 60.0
"""Seconds."""


class CacheFile:
    """Only its owner may read it, because rules may contain users' addresses."""

    def __init__(self, path: str | os.PathLike[str]) -> None:
        self._path = Path(path)

    def read(self) -> str | None:
        """The last document; None if there is none, or it cannot be read."""
        with suppress(OSError, UnicodeDecodeError):
            return self._path.read_text("utf-8")
        return None

    def write(self, text: str) -> None:
        """Replaces the file as a whole or not at all. Raises OSError if it cannot be written."""
        # Other processes may write the same file, so each has its own name for an unfinished one.
        number, name = tempfile.mkstemp(".partial", f"{self._path.name}.", self._path.parent)
        unfinished = Path(name)
        try:
            with open(number, "w", encoding="utf-8", newline="") as file:
                file.write(text)
                file.flush()
                os.fsync(number)
            self._remove_unfinished(unfinished.stat().st_mtime - _LONGEST_WRITE)
            unfinished.replace(self._path)
        except BaseException:
            unfinished.unlink(missing_ok=True)
            raise

    def _remove_unfinished(self, before: float) -> None:
        """Removes what processes left that were killed while writing."""
        for path in self._path.parent.glob(f"{glob.escape(self._path.name)}.*.partial"):
            with suppress(OSError):  # another process may be removing it, too
                if path.stat().st_mtime < before:
                    path.unlink()
