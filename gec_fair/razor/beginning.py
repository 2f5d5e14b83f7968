"""What of a long text is rewritten: its beginning (Yang et al. 2024, §4: 512 tokens); the rest stays behind it."""

from __future__ import annotations

import re

_WORD = re.compile(r"\S+")
_END = re.compile(r"""[.!?。！？]["'”’)\]]*$""")
"""Of a sentence, at the end of a word."""


def beginning(text: str, longest: int) -> tuple[str, str]:
    """At most `longest` words between white space, up to the end of a sentence if one ends in their second half, and
    what comes after. Both together are the text."""
    words = list(_WORD.finditer(text))
    if len(words) <= longest:
        return text, ""
    ends = (n for n in range(longest, longest // 2, -1) if _END.search(words[n - 1].group()))
    border = words[next(ends, longest) - 1].end()
    return text[:border], text[border:]
