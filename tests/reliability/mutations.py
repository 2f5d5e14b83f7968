"""Ways to spoil a file. Each gets the content and a generator, and answers the spoilt content."""

from __future__ import annotations

import random
from collections.abc import Callable

Mutation = Callable[[bytes, random.Random], bytes]
ODD = (
    *("\u2028", "\u2029", "\u0085", "\x0b", "\x0c", "\x1c", "\x00", "\ufeff", "\u200b", "\u200d", "\u202e", "\u00ad"),
    *(
        "e\u0301",
        "\ufb01",
        "\uff11",
        "\u0130",
        "\U0001f469\u200d\U0001f3fb",
        "\ufffd",
        "\ufffe",
        "\U0010ffff",
        "\u00a0",
    ),
)
"""Line separators, control characters, joiners, combining marks, digits of other scripts, noncharacters."""
VALUES = ("nan", "inf", "-1", "1e999", "0", "", "null", "[]", "{}", "true", "２", "x" * 300, "..", "/", "~", "*")
BAD_JSON = (b"{", b"[1, 2", b'{"a": }', b"null", b"3", b'"text"', b"[]", b"{}", b"[" * 100_000, b'{"a": NaN}', b"'a'")
BAD_YAML = (
    *(b"\t- a: 1\n", b"a: [1\n", b"a: &x [*x]\n", b"- 1\n- 2\n", b"3\n", b"text\n", b"a: b: c\n", b"? [a]\n: 1\n"),
    *(b"!!python/object/apply:os.getcwd []\n", b"%YAML 9\n---\n", b"a: 1\n---\nb: 2\n", b"{" * 2000, b"1: 2\n"),
    *(b"a: 2026-02-31\n", b"<<: 1\n", b"null: null\n", b"a: 1_000_000_000\n", b"a: .nan\n"),
)


def empty(content: bytes, chance: random.Random) -> bytes:
    return b""


def blank_lines(content: bytes, chance: random.Random) -> bytes:
    return b"\n  \n\t\n\r\n" * chance.randint(1, 3)


def binary(content: bytes, chance: random.Random) -> bytes:
    return b"\xff\xfe\x00\x80" + chance.randbytes(max(50, len(content) // 2))


def nul_bytes(content: bytes, chance: random.Random) -> bytes:
    return b"\0" * max(1, len(content))


def utf_16(content: bytes, chance: random.Random) -> bytes:
    return content.decode("utf-8", "replace").encode(chance.choice(["utf-16", "utf-16-le", "utf-16-be", "utf-32"]))


def unchanged(content: bytes, chance: random.Random) -> bytes:
    return content


def truncated(content: bytes, chance: random.Random) -> bytes:
    return content[: chance.randrange(len(content) or 1)]


def half_a_character(content: bytes, chance: random.Random) -> bytes:
    return truncated(content, chance) + "…".encode()[:2]


def latin_1(content: bytes, chance: random.Random) -> bytes:
    return _inserted(content, "é ü ß".encode("latin-1"), chance)


def surrogate(content: bytes, chance: random.Random) -> bytes:
    return _inserted(content, b"\xed\xa0\x80", chance)


def random_bytes(content: bytes, chance: random.Random) -> bytes:
    for _ in range(chance.randint(1, 5)):
        content = _inserted(content, chance.randbytes(chance.randint(1, 4)), chance)
    return content


def nul(content: bytes, chance: random.Random) -> bytes:
    return _inserted(content, b"\0", chance)


def odd_characters(content: bytes, chance: random.Random) -> bytes:
    for _ in range(chance.randint(1, 3)):
        content = _inserted(content, chance.choice(ODD).encode("utf-8"), chance)
    return content


def missing_columns(content: bytes, chance: random.Random) -> bytes:
    dropped = chance.randrange(3)
    return _by_cell(content, lambda cells: [cell for n, cell in enumerate(cells) if n != dropped])


def one_column(content: bytes, chance: random.Random) -> bytes:
    return _by_cell(content, lambda cells: cells[:1])


def more_columns(content: bytes, chance: random.Random) -> bytes:
    return _by_cell(content, lambda cells: [*cells, "more", ""])


def other_separator(content: bytes, chance: random.Random) -> bytes:
    return content.translate(bytes.maketrans(b",\t", b";,"))


def one_header_twice(content: bytes, chance: random.Random) -> bytes:
    header, end, rest = content.partition(b"\n")
    return chance.choice([header + end + header + end + rest, header + b"," + header + end + rest])


def lines_swapped(content: bytes, chance: random.Random) -> bytes:
    lines = content.splitlines(keepends=True)
    chance.shuffle(lines)
    return b"".join(lines)


def lines_dropped(content: bytes, chance: random.Random) -> bytes:
    return b"".join(line for line in content.splitlines(keepends=True) if chance.random() < 0.7)


def lines_twice(content: bytes, chance: random.Random) -> bytes:
    return b"".join(line * chance.randint(1, 2) for line in content.splitlines(keepends=True))


def huge_line(content: bytes, chance: random.Random) -> bytes:
    lines = content.splitlines(keepends=True) or [b""]
    at = chance.randrange(len(lines))
    long = chance.choice([b"x" * 200_000, b"he went home . " * 400, b"\t" * 5_000, b"," * 5_000, b'"' * 4_999])
    return b"".join([*lines[:at], long, b"\n", *lines[at:]])


def crlf(content: bytes, chance: random.Random) -> bytes:
    return content.replace(b"\n", chance.choice([b"\r\n", b"\r", b"\n\r"]))


def byte_order_mark(content: bytes, chance: random.Random) -> bytes:
    return b"\xef\xbb\xbf" + content


def quotes(content: bytes, chance: random.Random) -> bytes:
    return _inserted(content, chance.choice([b'"', b"'", b"\\", b'""', b"`", b"<", b"|||", b"%"]), chance)


def bad_json(content: bytes, chance: random.Random) -> bytes:
    return _with_line(content, chance.choice(BAD_JSON), chance)


def bad_yaml(content: bytes, chance: random.Random) -> bytes:
    return _with_line(content, chance.choice(BAD_YAML), chance)


def other_values(content: bytes, chance: random.Random) -> bytes:
    """A cell, or what stands behind a colon, is another."""
    text = content.decode("utf-8", "replace")
    ends = [n for n, sign in enumerate(text) if sign in ",\t:=\n"]
    if not ends:
        return content
    at = chance.choice(ends)
    stop = next((n for n in ends if n > at), len(text))
    return f"{text[: at + 1]} {chance.choice(VALUES)}{text[stop:]}".encode()


UNUSABLE: tuple[Mutation, ...] = (empty, blank_lines, binary, nul_bytes, utf_16)
"""After these no line of a file is of any use."""
MUTATIONS: tuple[Mutation, ...] = (
    *UNUSABLE,
    *(unchanged, truncated, half_a_character, latin_1, surrogate, random_bytes, nul, odd_characters, missing_columns),
    *(one_column, more_columns, other_separator, one_header_twice, lines_swapped, lines_dropped, lines_twice),
    *(huge_line, crlf, byte_order_mark, quotes, bad_json, bad_yaml, other_values),
)


def _inserted(content: bytes, part: bytes, chance: random.Random) -> bytes:
    at = chance.randint(0, len(content))
    return content[:at] + part + content[at:]


def _by_cell(content: bytes, change: Callable[[list[str]], list[str]]) -> bytes:
    text = content.decode("utf-8", "replace")
    first = text.partition("\n")[0]
    separator = max("\t,;", key=first.count)
    return "".join(f"{separator.join(change(line.split(separator)))}\n" for line in text.splitlines()).encode()


def _with_line(content: bytes, line: bytes, chance: random.Random) -> bytes:
    """The line instead of everything, or among the others."""
    lines = content.splitlines(keepends=True)
    if chance.random() < 0.5:
        return line
    at = chance.randint(0, len(lines))
    return b"".join([*lines[:at], line.removesuffix(b"\n"), b"\n", *lines[at:]])
