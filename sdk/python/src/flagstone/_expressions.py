"""Regular expressions: RE2's own engine, and the limits that docs/evaluation.md sets."""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Iterable
from importlib import import_module
from typing import Any

LONGEST_EXPRESSION = 4_000
"""Code points."""

LARGEST_EXPRESSION = 1_000
LARGEST_OF_FLAG = 5_000
"""Instructions, of one expression and of all different ones of a flag."""

_NAMES = """
Any Cc Cf Co Cs L Ll Lm Lo Lt Lu M Mc Me Mn N Nd Nl No P Pc Pd Pe Pf Pi Po Ps S Sc Sk Sm So Z Zl Zp Zs
Arabic Armenian Bengali Bopomofo Cherokee Common Cyrillic Devanagari Ethiopic Georgian Greek Gujarati
Gurmukhi Han Hangul Hebrew Hiragana Inherited Kannada Katakana Khmer Lao Latin Malayalam Mongolian Myanmar
Nko Oriya Sinhala Syriac Tamil Telugu Thaana Thai Tibetan Tifinagh Vai Yi
"""

CHARACTER_PROPERTIES = frozenset(_NAMES.split())
"""The names that `\\p{…}` may have: a closed list of those that all engines read alike."""


class UnreadableError(Exception):
    """An operand that its operator cannot read."""


try:
    _re2: Any = import_module("re2")
except ImportError:
    _re2 = None


class Expressions:
    """The expressions of a flag, in the order of its rules. Without an engine, none can be known."""

    def __init__(self, sources: Iterable[str]) -> None:
        self._bounded: set[str] = set()
        total = 0.0
        for source in dict.fromkeys(sources):
            size = expression_size(source)
            if size != math.inf:
                total += size
            if size <= LARGEST_EXPRESSION and total <= LARGEST_OF_FLAG:
                self._bounded.add(source)

    def compile(self, source: str) -> Callable[[str], bool] | None:
        """Whether the expression is found in a text; None if that cannot be known. Raises UnreadableError."""
        if _re2 is None:
            return None
        if source not in self._bounded or not _is_known_elsewhere(source):
            raise UnreadableError
        options = _re2.Options()
        options.log_errors = False
        try:
            expression = _re2.compile(utf8(source), options)
        except _re2.error as error:
            if b"too large" in error.args[0]:  # for the engine's memory, which is no mistake
                return None
            raise UnreadableError from None
        return lambda text: expression.search(utf8(text)) is not None


def _is_known_elsewhere(source: str) -> bool:
    """Whether other engines read it, too.

    They do not read `\\C`, a byte, and some no two groups with the same name, names beyond ASCII, and other
    character properties.
    """
    tokens = [token.group() for token in _TOKENS.finditer(source)]
    names = [token.partition("<")[2] for token in tokens if re.match(r"\(\?P?<", token)]
    properties = [
        name for token in _PROPERTIES.finditer(source) for name in token.groups() if name is not None
    ]
    return (
        r"\C" not in tokens
        and len(names) == len(set(names))
        and all(name.isascii() for name in names)
        and CHARACTER_PROPERTIES.issuperset(properties)
    )


def utf8(text: str) -> bytes:
    """The text in UTF-8, in which half a surrogate pair becomes U+FFFD."""
    try:
        return text.encode()
    except UnicodeEncodeError:
        return text.encode("utf-16", "surrogatepass").decode("utf-16", "replace").encode()


def expression_size(source: str) -> float:
    """How many instructions RE2 makes of an expression, counted from its source.

    A character or a class is one, and `{1,250}` is 250 copies of what it repeats. A source of too many
    characters is not read: its size is infinite.
    """
    if len(source) > LONGEST_EXPRESSION:
        return math.inf
    outer: list[float] = []
    size = 2.0  # a match and a failure
    last = 0.0  # the size of what a following repetition repeats
    for token in _TOKENS.finditer(source):
        text = token.group()
        literal, opening, least, most = token.group("literal", "open", "least", "most")
        if literal is not None:
            size, last = size + len(literal), 1
        elif opening is not None:
            outer.append(size)
            size, last = 0 if opening.endswith(":") else 2, 0  # where the group's text begins and ends
        elif text == ")":
            size, last = size + (outer.pop() if outer else 0), size
        elif least is not None:
            copies = max(1, float(least), float(most or 0))
            repeated = last * copies + (1 if most == "" else copies - float(least))
            size, last = size + repeated - last, repeated
        elif text[0] in "*+?|":
            size, last = size + 1, last + 1
        elif not text.startswith("(?"):
            size, last = size + 1, 1
    return size + sum(outer)


_PROPERTIES = re.compile(r"\\Q.*?(?:\\E|\Z)|\\[pP](?:\{\^?([^}]*)(?:\}|\Z)|(.))|\\.", re.DOTALL)
"""Classes such as `\\pL`. Between `\\Q` and `\\E`, and after a backslash, are only characters."""

_TOKENS = re.compile(
    r"\\Q(?P<literal>.*?)(?:\\E|\Z)|\\[pPx]\{[^}]*(?:\}|\Z)|\\."
    r"|\[\^?\]?(?:\[:\^?[a-z]{1,9}:\]|\\.|[^\]\\])*(?:\]|\\?\Z)|\(\?[imsU-]+\)"
    r"|(?P<open>\((?:\?(?:P?<[^>]*(?:>|\Z)|[imsU-]*:))?)|\)|\{(?P<least>[0-9]+)(?:,(?P<most>[0-9]*))?\}\??|[*+?]\??|.",
    re.DOTALL,
)
"""What has no end takes all that is left, and the name of a class has a limit: otherwise, a source that
begins a class or a name a thousand times takes quadratic time or more."""
