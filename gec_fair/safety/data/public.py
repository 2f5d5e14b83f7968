"""Public data sets as tables of texts. None of them is given out here.

cf-fairness        the counterfactual-fairness set of the paper: prompt, example_key, subgroup ("Category:Subgroup" or
                   --), Ground truth Hate, Sexual, Toxicity, Violence, dataset; 2,401 seeds and 15,874 expansions, which
                   share their seed's example_key
openai-moderation  OpenAI's evaluation set, 1,680 prompts: S, H, V, HR, SH, S3, H2, V2, each 0, 1 or unknown; whom a
                   text names is not told
hatecheck          HateCheck, 3,728 cases: those of a template differ in whom they name alone
davidson           Davidson et al.'s tweets (labeled_data.csv), 24,783: hate, and toxicity (hateful or offensive)
ethos              Ethos (binary.csv), 998 comments: hate, where at least half of the annotators found it
toxigen            ToxiGen's demonstrations (their folder; sentences about GROUP in files *hate_GROUP*,
                   *neutral_GROUP*): hate

Of davidson, ethos and openai-moderation `gec-fair safety mentions` finds whom they name.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from textwrap import shorten

from gec_fair.config.suggest import closest
from gec_fair.data import user_tables
from gec_fair.data.text_files import text_lines
from gec_fair.errors import InputError, UsageError
from gec_fair.safety.data.cells import cell, name_row, share, truth
from gec_fair.safety.data.groups import Slice, read_shipped
from gec_fair.safety.data.texts import Text

TARGET = "Target"
TARGETS = ("women", "trans people", "gay people", "black people", "disabled people", "Muslims", "immigrants")
"""HateCheck's groups are of no one category of the paper's; here they are one, for its templates swap them all."""
_CF_LABELS = {
    "Ground truth Hate": "hate",
    "Ground truth Sexual": "sexual",
    "Ground truth Toxicity": "toxicity",
    "Ground truth Violence": "violence",
}
_OPENAI = {
    "S": "sexual",
    "H": "hate",
    "V": "violence",
    "HR": "harassment",
    "SH": "self-harm",
    "S3": "sexual/minors",
    "H2": "hate/threatening",
    "V2": "violence/graphic",
}

_TEXTS = frozenset({"prompt", "test_case", "tweet", "comment"})
_HATECHECK = {"hateful": "1", "non-hateful": "0"}
_DEMONSTRATION = re.compile(r"(?:^|_)(?P<stance>hate|neutral)_(?P<group>[a-z_]+?)(?:_sentences)?\.txt$")
_TOXIGEN = {
    "asian": Slice("Race/Ethnicity", "Asian"),
    "black": Slice("Race/Ethnicity", "Black"),
    "latino": Slice("Race/Ethnicity", "LatinX"),
    "native_american": Slice("Race/Ethnicity", "Indigenous"),
    "jewish": Slice("Religion", "Judaism"),
    "muslim": Slice("Religion", "Islam"),
    "bisexual": Slice("Sexual Orientation", "NonHeterosexual"),
    "lgbtq": Slice("Sexual Orientation", "NonHeterosexual"),
}
"""ToxiGen's groups that are of Table 2; texts of the others name nobody of it."""


def _cells(
    path: Path, filled: Sequence[str], others: Sequence[str] = (), *, csv_delimiter: str = ","
) -> Iterator[tuple[str, Mapping[str, str]]]:
    """File and line of each row, and its cells as text: those that must say something, and `others`, which may be
    empty. InputError for a column that is not there, and for a cell that is empty or not text."""
    is_csv = user_tables.form(path) != ".jsonl"
    for line, cells in user_tables.valid_rows(path, csv_delimiter=csv_delimiter):
        with name_row(f"{path}:{line}"):
            if missing := [name for name in (*filled, *others) if name not in cells]:
                raise InputError(f"no column {missing[0]!r}; is this the right file?")
            if is_csv and None in cells.values():
                raise InputError("has fewer cells than the header; mend the row, or get the file again")
            values = {name: _cell(name, cells[name]) for name in (*filled, *others)}
            if empty := [name for name in filled if not values[name]]:
                raise InputError(f"{empty[0]} is empty; mend the row, or leave it out")
        yield f"{path}:{line}", values


def _cell(name: str, value: object) -> str:
    if name in _TEXTS and value is not None and not isinstance(value, str):
        raise InputError(f"{name} is {shorten(str(value), 60)}, not a string; mend the row, or leave it out")
    with name_row(name):
        return cell(value)


def _label(name: str, text: str) -> str:
    """0, 1, or nothing where it is not known. InputError for anything else."""
    value = truth(text)
    if text and value is None:
        raise InputError(f"{name} is {text!r}; expected 0 (no), 1 (yes) or nothing (unknown)")
    return "" if value is None else str(value)


def read(name: str, paths: Sequence[Path]) -> list[Text]:
    """The data set of that name. UsageError for another name, or several files of one that has one; InputError for
    files without a text; raises as its reader does."""
    if name not in READERS:
        raise UsageError(f"no data set is called {name!r}{closest(name, READERS)}; there are {', '.join(READERS)}")
    if len(paths) > 1 and name != "cf-fairness":
        raise UsageError(f"{name} is one file; {paths[1]} is one too many")
    texts = list(READERS[name](*paths))
    if not texts:
        raise InputError(f"{', '.join(map(str, paths))}: holds no text; give the files of {name} as they are published")
    return texts


def cf_fairness(*paths: Path) -> Iterator[Text]:
    """The seeds' file, the expansions', or both. The seeds alone have rows that name nobody; of a file of expansions
    alone every row is a counterfactual, of a seed that is not here."""
    known = read_shipped()
    files = [list(_cells(path, ("prompt", "example_key"), ("subgroup", *_CF_LABELS))) for path in paths]
    files.sort(key=lambda rows: all(_names_a_group(cells) for _, cells in rows))
    every = [row for rows in files for row in rows]
    seeds = {cells["example_key"] for _, cells in every}
    if all(_names_a_group(cells) for _, cells in every) and len(seeds) < len(every):
        seeds = set()
    seen: dict[str, int] = {}
    for where, cells in every:
        key, subgroup = cells["example_key"], cells["subgroup"]
        number = seen[key] = seen.get(key, -1 if key in seeds else 0) + 1
        category, colon, named = subgroup.partition(":")
        with name_row(where):
            if _names_a_group(cells) and not colon:
                raise InputError(f"subgroup is {subgroup!r}; expected Category:Subgroup")
            slices = (known.slice(category, named),) if _names_a_group(cells) else ()
            labels = {name: _label(column, cells[column]) for column, name in _CF_LABELS.items()}
        text_id, copy_of = (f"{key}~{number}", key) if number else (key, "")
        yield Text(text_id, cells["prompt"], slices, key if slices else "", copy_of, labels)


def _names_a_group(cells: Mapping[str, str]) -> bool:
    return cells["subgroup"] not in ("", "--")


def openai_moderation(path: Path) -> Iterator[Text]:
    """The JSONL file, compressed or not. A row has the labels that are known."""
    for line, cells in user_tables.valid_rows(path):
        with name_row(f"{path}:{line}"):
            text = _cell("prompt", cells.get("prompt"))
            if not text:
                raise InputError("has no prompt; mend the row, or leave it out")
            labels = {name: _label(key, _cell(key, cells.get(key))) for key, name in _OPENAI.items()}
        yield Text(f"openai-{line}", text, labels=labels)


def hatecheck(path: Path) -> Iterator[Text]:
    """`test_suite_cases.csv` or `all_cases.csv`: cases of a template that names a group (not by a slur) are a set."""
    lines: dict[str, str] = {}
    filled = ("case_id", "test_case", "label_gold", "templ_id", "case_templ")
    for where, cells in _cells(path, filled, ("target_ident",)):
        if cells["label_gold"] not in _HATECHECK:
            raise InputError(f"{where}: label_gold is {cells['label_gold']!r}; expected {' or '.join(_HATECHECK)}")
        if (first := lines.setdefault(cells["case_id"], where)) != where:
            raise InputError(f"{where}: case_id is {cells['case_id']!r}, as in {first}; give each case its own")
        named = cells["target_ident"]
        slices = (Slice(TARGET, named),) if named in TARGETS else ()
        set_id = f"template-{cells['templ_id']}" if slices and "[IDENTITY" in cells["case_templ"] else ""
        labels = {"hate": _HATECHECK[cells["label_gold"]]}
        yield Text(f"hatecheck-{cells['case_id']}", cells["test_case"], slices, set_id, labels=labels)


def davidson(path: Path) -> Iterator[Text]:
    """`labeled_data.csv`: class 0 hate, 1 offensive, 2 neither."""
    for row, (where, cells) in enumerate(_cells(path, ("class", "tweet")), 1):
        label = cells["class"]
        if label not in ("0", "1", "2"):
            raise InputError(f"{where}: class is {label!r}; expected 0 (hate), 1 (offensive) or 2 (neither)")
        labels = {"hate": str(int(label == "0")), "toxicity": str(int(label != "2"))}
        yield Text(f"davidson-{row}", cells["tweet"], labels=labels)


def ethos(path: Path) -> Iterator[Text]:
    """`Ethos_Dataset_Binary.csv`, separated by semicolons: comment, and the share that finds it hateful."""
    for row, (where, cells) in enumerate(_cells(path, ("comment", "isHate"), csv_delimiter=";"), 1):
        votes = share(cells["isHate"])
        if votes is None:
            raise InputError(f"{where}: isHate is {cells['isHate']!r}; expected a share from 0 to 1")
        yield Text(f"ethos-{row}", cells["comment"], labels={"hate": str(int(votes >= 0.5))})  # as its authors do


def toxigen(path: Path) -> Iterator[Text]:
    """Files of sentences, one a line. A sentence that is in two files counts once."""
    files = sorted(path.rglob("*.txt")) if path.is_dir() else []
    seen: set[str] = set()
    for file in files:
        named = _DEMONSTRATION.search(file.name)
        if named is None:
            continue
        whom = _TOXIGEN.get(named["group"])
        labels = {"hate": str(int(named["stance"] == "hate"))}
        for line in text_lines(file):
            text = line.decode("utf-8-sig").strip().lstrip("-").strip()
            if text and text not in seen:
                seen.add(text)
                yield Text(f"toxigen-{len(seen)}", text, (whom,) if whom else (), labels=labels)
    if not seen:
        raise InputError(
            f"{path}: has no files hate_GROUP….txt and neutral_GROUP….txt; give ToxiGen's folder of demonstrations"
        )


READERS: Mapping[str, Callable[..., Iterator[Text]]] = {
    "cf-fairness": cf_fairness,
    "davidson": davidson,
    "ethos": ethos,
    "hatecheck": hatecheck,
    "openai-moderation": openai_moderation,
    "toxigen": toxigen,
}
