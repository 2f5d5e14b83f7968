"""Draw the picture of the README from committed results: a pair with its edits, and the gaps of three systems.

python benchmarks/picture.py -o docs/images/overview.svg
"""

from __future__ import annotations

import argparse
import json
from html import escape
from pathlib import Path
from typing import Any

import gec_fair as gf

RESULTS = [Path(__file__).parent / "results" / name for name in ("systems.json", "systems-checkers.json")]
PAIR = (
    "My teacher explain the new rule and then he gave us a example .",
    "My teacher explained the new rule and then he gave us an example .",
)
"""The first line of samples/learner-pairs.tsv."""
SET = "they-probe"
SYSTEMS = {"harper": "Harper 2.10.0", "symspell": "SymSpell 6.10.1", "quire": "quire 0.3.4"}
WIDTH, HEIGHT = 900, 376
LEFT, RIGHT, LEAST, MOST = 190, 860, -12.0, 4.0  # of the chart: pixels, and F0.5 points
HEAD = f"""<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {HEIGHT}" role="img"
 aria-label="A training pair before and after augmentation, and the gaps of three systems">
<style>
 text {{ font: 17px system-ui, sans-serif; fill: #1f2328 }}
 .note {{ font-size: 14px; fill: #57606a }}
 .old {{ fill: #b3261e; text-decoration: line-through }}
 .new {{ fill: #0b6b3a; font-weight: 600 }}
</style>
<rect width="{WIDTH}" height="{HEIGHT}" rx="8" fill="#ffffff" stroke="#d0d7de"/>
"""


def place(points: float) -> float:
    """The pixel of a gap."""
    return round(LEFT + (points - LEAST) / (MOST - LEAST) * (RIGHT - LEFT), 1)


def signed(points: float, digits: int = 0) -> str:
    """With a sign; 0 has none."""
    return f"{points:+.{digits}f}".replace("-", "−") if points else "0"


def sentence(rewriting: Any, x: int, y: int) -> str:
    """A text with its edits marked."""
    parts = []
    for old, new in rewriting.pieces():
        if old == new:
            parts.append(escape(old))
        else:
            parts.append(f'<tspan class="old">{escape(old)}</tspan> <tspan class="new">{escape(new)}</tspan>')
    return f'<text x="{x}" y="{y}" xml:space="preserve">{"".join(parts)}</text>'


def draw(rows: list[dict[str, Any]]) -> str:
    """The picture as SVG."""
    (pair,) = gf.augment([PAIR], "st")
    source, target = pair.rewritings
    lines = [
        HEAD,
        '<text x="24" y="36" class="note">gec-fair augment st: source and target change together</text>',
        '<text x="24" y="68" class="note">learner</text>',
        sentence(source, 110, 68),
        '<text x="24" y="98" class="note">corrected</text>',
        sentence(target, 110, 98),
        f'<line x1="24" x2="{WIDTH - 24}" y1="122" y2="122" stroke="#d0d7de"/>',
        f'<text x="24" y="152" class="note">gec-fair gap: F0.5 with they minus F0.5 with he or she, on {SET} '
        "(170 sentences), 95 % intervals</text>",
    ]
    for number, (name, title) in enumerate(SYSTEMS.items()):
        row = next(row for row in rows if (row["set"], row["system"]) == (SET, name))
        y, (low, high), gap = 196 + 46 * number, row["ci95"], row["delta"]
        colour = "#b3261e" if high < 0 else "#57606a"
        lines += [
            f'<text x="24" y="{y + 6}">{title}</text>',
            f'<line x1="{place(low)}" x2="{place(high)}" y1="{y}" y2="{y}" stroke="{colour}" stroke-width="3"/>',
            f'<circle cx="{place(gap)}" cy="{y}" r="7" fill="{colour}"/>',
            f'<text x="{place(gap)}" y="{y - 13}" text-anchor="middle" class="note">{signed(gap, 1)}</text>',
        ]
    lines.append(f'<line x1="{place(0)}" x2="{place(0)}" y1="170" y2="312" stroke="#8c959f" stroke-dasharray="4 3"/>')
    for points in (-12, -8, -4, 0, 4):
        lines.append(f'<text x="{place(points)}" y="334" text-anchor="middle" class="note">{signed(points)}</text>')
    lines.append(f'<text x="{LEFT}" y="360" class="note">← corrects sentences with they worse</text>')
    return "\n".join([*lines, "</svg>\n"])


def read_rows() -> list[dict[str, Any]]:
    """The committed results."""
    return [row for path in RESULTS for row in json.loads(path.read_text(encoding="utf-8"))["rows"]]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("-o", "--output", type=Path, required=True)
    arguments = parser.parse_args()
    arguments.output.parent.mkdir(parents=True, exist_ok=True)
    arguments.output.write_text(draw(read_rows()), encoding="utf-8")


if __name__ == "__main__":
    main()
