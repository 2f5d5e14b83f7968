"""What a model's folder says of itself: the README.md that the hub shows."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from gec_fair.report.table import Column, Table
from gec_fair.runs.atomic import write_text


def write_card(folder: Path, title: str, command: str, origin: str, rows: Mapping[str, str]) -> None:
    """A model card; `command` is the word after gec-fair, `origin` where the weights come from, `rows` its table."""
    records = [{"name": name, "value": value} for name, value in rows.items()]
    table = Table("card", title, records, columns=(Column("name", header=""), Column("value", header="")))
    write_text(
        folder / "README.md",
        f"""---
library_name: gec_fair
tags: [grammatical-error-correction, {command}]
language: en
---
# {title}

{origin or "Made by gec_fair."}

{table.markdown()}

    gec-fair {command} predict THIS_FOLDER learner.txt -o corrected.txt
""",
    )
