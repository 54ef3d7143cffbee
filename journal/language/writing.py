"""Writes typed lines in canonical spelling: quotes only where needed, so that parsing returns the command."""

from __future__ import annotations

import json
import re
from collections.abc import Collection, Iterable, Mapping, Sequence
from functools import lru_cache
from typing import Final

from retold.journal.language.tokens import CONTROL, FLAG_START, KEYWORDS, ORIGINS, Segment, Token, is_name
from retold.journal.names import clean
from retold.journal.refused import Refused

INDENT = "    "
NAMES = 512
"""Size of the cache of quoted names; a fight of eight people writes each a hundred times."""
# Characters that force quotes: those that would end the token or the quote.
SPLITS = r'[\s"“”]|:\Z'
# Words of a title that would be parsed differently: an =, a colon before a letter, a lone #.
NOT_PLAIN = r"=|:(?=[^\W\d_])|^#\Z"
# Words that would be parsed as data, results or a comment.
RESERVED_FORMS = r"=|^#\Z"


def write_line(
    verb: str,
    parts: Iterable[str] = (),
    *,
    results: Sequence[str] | None = None,
    text: str | None = None,
    flags: Mapping[str, str | None] | None = None,
) -> str:
    """Returns a typed line without line end; a text that does not fit on it follows in indented lines.

    `parts` and the values of `flags` (None for a flag alone) are written already: with `quote_name`,
    `write_names`, `write_phrase`, `write_word`, `write_assign`, or bare. Results whose `provenance` is
    `dealt` or `reconstructed` begin with `=dealt` or `=later` instead of the flag. Empty results count as
    none.
    """
    head = [verb, *parts]
    flags = dict(flags or {})
    if results:
        begin = next(
            (begin for begin, origin in ORIGINS.items() if origin and origin == flags.get("provenance")), "="
        )
        if begin != "=":
            del flags["provenance"]
        tail = [begin, *results]
    else:
        tail = []
    for name, value in flags.items():
        head += [f"--{name}"] if value is None else [f"--{name}", value]
    return " ".join(head + tail) + ("" if text is None else write_text(text))


def write_text(text: str) -> str:
    """Returns colon and text as they end a typed line: `: text`, or a colon and indented text lines.

    The text follows the colon if it is one line that neither begins nor ends with a blank. In indented lines
    an empty line is a dot, a lone dot two, and a line nothing else can carry (one that begins or ends with
    blanks, holds a control character, or would be read as one of these signs) is a dot and a JSON string.
    Raises Refused for a text that no record keeps (a NUL, half of a surrogate pair).
    """
    if not text:
        return ":"
    if "\n" not in text and not _needs_json(text):
        return f": {text}"
    return ":" + "".join(f"\n{INDENT}{_encode_text_line(line)}" for line in text.split("\n"))


def _encode_text_line(line: str) -> str:
    if not line:
        return "."
    if line == ".":
        return ".."
    if _needs_json(line) or line == ".." or line.startswith('."'):
        return "." + _encode_json(line)
    return line


def _needs_json(line: str) -> bool:
    return line != line.strip() or CONTROL.search(line) is not None


def _encode_json(line: str) -> str:
    plain = json.dumps(clean(line), ensure_ascii=False)
    return CONTROL.sub(lambda found: f"\\u{ord(found.group()):04x}", plain)


def quote_name(name: str, words: Collection[str] = ()) -> str:
    """Returns a name as written on a line: in quotes only if it needs them.

    `words` are the literal words of the verb's form (`Form.words`), which an unquoted name may not be. Raises
    Refused for a name that no line can hold (a control character, a line end).
    """
    return name if _stays_bare(name, frozenset(words)) else _quoted(name)


@lru_cache(maxsize=NAMES)
def _stays_bare(name: str, words: frozenset[str]) -> bool:
    """True if the name is parsed as one name without quotes."""
    alone = not re.search(SPLITS, name) and not FLAG_START.match(name)
    return alone and is_name(bare_token(name), KEYWORDS.union(words))


def write_names(names: Iterable[str]) -> str:
    """Returns names joined with `+`, each in quotes only if it needs them."""
    return "+".join(map(quote_name, names))


ENDS: Final = (".", "!", "?", "\N{HORIZONTAL ELLIPSIS}")
"""Signs at the end of a sentence."""
FEWEST_WORDS: Final = 6
"""Words of a sentence without such a sign."""


def is_sentence(text: str) -> bool:
    """True for a text that is not part of a title: with a full stop, or of several words."""
    return text.endswith(ENDS) or len(text.split()) >= FEWEST_WORDS


def write_phrase(phrase: str) -> str:
    """Returns a phrase of several words as written on a line, quoted if bare words would read otherwise."""
    words = phrase.split(" ")
    if all(word and not re.search(SPLITS, word) and not _reads_otherwise(word) for word in words):
        return phrase
    return _quoted(phrase)


def write_word(word: str) -> str:
    """Returns a word or flag value as one token, in quotes only if it needs them."""
    alone = (
        word
        and not re.search(SPLITS, word)
        and not re.search(RESERVED_FORMS, word)
        and not FLAG_START.match(word)
    )
    return word if alone else _quoted(word)


def write_assign(key: str, op: str, value: str) -> str:
    """Returns `key`, `op` (`=`, `+=` or `-=`) and `value` as one token, key and value quoted if necessary.

    Where the value is a name or several, so that a `+` in it matters, join `write_key`, the op and
    `quote_name` or `write_names` instead.
    """
    return f"{write_key(key)}{op}{write_value(value)}"


def write_key(key: str) -> str:
    """Returns the key of a `key=value` token, in quotes if it needs them."""
    plain = key and not re.search(SPLITS, key) and "=" not in key and not key.endswith(("+", "-"))
    return key if plain and not FLAG_START.match(key) else _quoted(key)


def write_value(value: str) -> str:
    """Returns the value of a `key=value` token as written, in quotes only if it needs them.

    Empty values need quotes, and values with blanks or quotes or a colon at the end.
    """
    return value if value and not re.search(SPLITS, value) else _quoted(value)


def _reads_otherwise(word: str) -> bool:
    return re.search(NOT_PLAIN, word) is not None or FLAG_START.match(word) is not None


def bare_token(text: str) -> Token:
    """Returns an unquoted token of this text."""
    return Token((Segment(text, False),), 1)


def in_quotes(text: str) -> str:
    """Returns the text in quotes, needed or not; raises Refused for control characters."""
    return _quoted(text)


def _quoted(text: str) -> str:
    if CONTROL.search(text):
        raise Refused("A name or title that holds a control character or a line end cannot be written.")
    return '"' + text.replace('"', '""') + '"'
