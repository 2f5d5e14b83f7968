"""Texts of cells drawn as a table: Markdown in a line, Markdown in columns, LaTeX."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from unicodedata import combining, east_asian_width

_RULES = {"left": "---", "right": "---:"}
_PADDING = 2  # beside the header, as tabulate pads it
_TEX = str.maketrans(
    {
        "&": r"\&",
        "%": r"\%",
        "#": r"\#",
        "_": r"\_",
        "±": r"$\pm$",
        "✓": r"\checkmark",
        "<": r"$<$",
        ">": r"$>$",
        "\\": r"\textbackslash{}",
        "{": r"\{",
        "}": r"\}",
        "$": r"\$",
        "~": r"\~{}",
        "^": r"\^{}",
    }
)


def draw_lines(header: Sequence[str | None], rows: Iterable[Sequence[str | None]], aligns: Sequence[str]) -> str:
    """Markdown with one space around each text; None is a blank cell."""
    rule = [_RULES[align] for align in aligns]
    return "\n".join(map(_line, [header, rule, *rows]))


def _line(cells: Sequence[str | None]) -> str:
    return "|" + "|".join(" " if text is None else f" {_escape_bar(text)} " for text in cells) + "|"


def _escape_bar(text: str) -> str:
    return text.replace("|", "\\|")  # it would end its cell


def draw_columns(header: Sequence[str], rows: Sequence[Sequence[str]], aligns: Sequence[str]) -> str:
    """Markdown whose columns are as wide as their widest text."""
    header, *rows = [[_escape_bar(text) for text in row] for row in (header, *rows)]
    widths = [
        max([measure_width(text) + _PADDING, *(measure_width(row[n]) for row in rows)]) for n, text in enumerate(header)
    ]
    rule = [
        "-" * (size + 1) + ":" if align == "right" else ":" + "-" * (size + 1)
        for size, align in zip(widths, aligns, strict=True)
    ]
    padded = ("| " + " | ".join(map(_pad, row, widths, aligns)) + " |" for row in (header, *rows))
    first, *others = padded
    return "\n".join([first, f"|{'|'.join(rule)}|", *others])


def _pad(text: str, size: int, align: str) -> str:
    blank = " " * (size - measure_width(text))
    return blank + text if align == "right" else text + blank


def measure_width(text: str) -> int:
    """Columns of a terminal: East Asian wide characters take two, combining ones none."""
    return sum(0 if combining(letter) else 2 if east_asian_width(letter) in "WF" else 1 for letter in text)


def draw_latex(
    header: Sequence[str], rows: Sequence[Sequence[str]], aligns: Sequence[str], *, caption: str, label: str
) -> str:
    """booktabs: a rule above, below the header and at the end."""
    first, *others = (" & ".join(map(escape, row)) + r" \\" for row in (header, *rows))
    lines = [
        r"\begin{table}[t]",
        rf"\caption{{{escape(caption)}}}",
        rf"\label{{{label}}}",
        rf"\begin{{tabular}}{{{''.join(align[0] for align in aligns)}}}",
        r"\toprule",
        first,
        r"\midrule",
        *others,
        r"\bottomrule",
        r"\end{tabular}",
        r"\end{table}",
    ]
    return "\n".join(lines) + "\n"


def escape(text: str) -> str:
    """The text with LaTeX's special characters and our signs as commands."""
    return text.translate(_TEX)
