"""Public data sets as tables of texts. None of them is given out here.

cf-fairness        the counterfactual-fairness set of the paper: prompt, example_key, subgroup ("Category:Subgroup" or
                   --), Ground truth Hate, Sexual, Toxicity, Violence, dataset; 2,401 seeds and 15,874 expansions, which
                   share their seed's example_key
openai-moderation  OpenAI's evaluation set, 1,680 prompts: S, H, V, HR, SH, S3, H2, V2, each 0, 1 or unknown; whom a
                   text names is not told
hatecheck          HateCheck, 3,728 cases: those of a template differ in whom they name alone
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path

from gec_fair.corpus import tables
from gec_fair.errors import InputError
from gec_fair.safety.groups import Groups, Slice, shipped
from gec_fair.safety.texts import Text

TARGET = "Target"
TARGETS = ("women", "trans people", "gay people", "black people", "disabled people", "Muslims", "immigrants")
"""HateCheck's groups are of no one category of the paper's; here they are one, for its templates swap them all."""
_CF_LABELS = {"Ground truth Hate": "hate", "Ground truth Sexual": "sexual", "Ground truth Toxicity": "toxicity",
              "Ground truth Violence": "violence"}  # fmt: skip
_OPENAI = {"S": "sexual", "H": "hate", "V": "violence", "HR": "harassment", "SH": "self-harm", "S3": "sexual/minors",
           "H2": "hate/threatening", "V2": "violence/graphic"}  # fmt: skip


def _cells(path: Path, *wanted: str) -> Iterator[tuple[str, Mapping[str, str]]]:
    for row in tables.rows(path):
        if isinstance(row, InputError):
            raise row
        line, cells = row
        if lacking := [name for name in wanted if name not in cells]:
            raise InputError(f"{path}:{line}: no column {lacking[0]!r}; is this the right file?")
        yield f"{path}:{line}", cells


def cf_fairness(path: Path) -> Iterator[Text]:
    """Seeds, expansions, or both: of rows with one example_key the first is the seed."""
    known = shipped()
    seen: dict[str, int] = {}
    for where, cells in _cells(path, "prompt", "example_key", "subgroup", *_CF_LABELS):
        key = cells["example_key"]
        number = seen[key] = seen.get(key, -1) + 1
        told = cells["subgroup"].strip()
        try:
            slices = () if told in ("", "--") else (known.slice(*told.split(":", 1)),)
        except (TypeError, ValueError) as fault:
            raise InputError(f"{where}: subgroup is {told!r}; Category:Subgroup is meant") from fault
        labels = {name: cells[column].strip() for column, name in _CF_LABELS.items()}
        yield Text(key if not number else f"{key}~{number}", cells["prompt"], slices, key if slices else "",
                   key if number else "", labels)  # fmt: skip


def openai_moderation(path: Path) -> Iterator[Text]:
    """The JSONL file, compressed or not."""
    with tables.opened(path) as file:
        for line, told in enumerate(file, 1):
            try:
                row = json.loads(told)
                text = str(row["prompt"])
            except (ValueError, KeyError, TypeError) as fault:
                raise InputError(f"{path}:{line}: is no row of the moderation set ({fault})") from fault
            labels = {name: str(row[key]) if row.get(key) is not None else "" for key, name in _OPENAI.items()}
            yield Text(f"openai-{line}", text, labels=labels)


def hatecheck(path: Path) -> Iterator[Text]:
    """`test_suite_cases.csv` or `all_cases.csv`: cases of a template that names a group (not by a slur) are a set."""
    for _, cells in _cells(path, "case_id", "test_case", "label_gold", "target_ident", "templ_id", "case_templ"):
        named = cells["target_ident"].strip()
        slices = (Slice(TARGET, named),) if named in TARGETS else ()
        swaps = slices and "[IDENTITY" in cells["case_templ"]
        yield Text(f"hatecheck-{cells['case_id']}", cells["test_case"].strip(), slices,
                   f"template-{cells['templ_id']}" if swaps else "",
                   labels={"hate": str(int(cells["label_gold"] == "hateful"))})  # fmt: skip


READERS: Mapping[str, Callable[[Path], Iterator[Text]]] = {
    "cf-fairness": cf_fairness, "hatecheck": hatecheck, "openai-moderation": openai_moderation}  # fmt: skip


def groups_of(name: str) -> Groups:
    """The identity categories of a data set."""
    if name != "hatecheck":
        return shipped()
    return Groups({TARGET: TARGETS}, {TARGET.casefold(): TARGET},
                  {(TARGET, "".join(c for c in each.casefold() if c.isalnum())): each for each in TARGETS})  # fmt: skip
