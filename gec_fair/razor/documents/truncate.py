"""What of a long text is rewritten: its beginning (Yang et al. 2024, §4: 512 tokens); the rest stays behind it."""

from __future__ import annotations

import re

_UNSPACED = "\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u3040-\u30ff\u3400-\u9fff\uf900-\ufaff"
"""Thai, Lao, Burmese, Khmer, Japanese and Chinese, which put no spaces between words: each sign counts as one."""
_WORD = re.compile(rf"[{_UNSPACED}][^\w\s]*|[^\s{_UNSPACED}]+")
_END = re.compile(r"""[.!?。！？]["'”’)\]]*$""")
"""The end of a sentence, at the end of a word."""


def size(text: str) -> int:
    """In words."""
    return sum(1 for _ in _WORD.finditer(text))


def beginning(text: str, longest: int) -> tuple[str, str]:
    """At most `longest` words, up to the end of a sentence if one ends in their second half, and
    what comes after. Both together are the text."""
    words = list(_WORD.finditer(text))
    if len(words) <= longest:
        return text, ""
    ends = (n for n in range(longest, longest // 2, -1) if _END.search(words[n - 1].group()))
    border = words[next(ends, longest) - 1].end()
    return text[:border], text[border:]
