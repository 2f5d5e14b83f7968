"""Small suites in the formats in which the public ones are given out. The sentences are our own."""

from __future__ import annotations

import csv
import gzip
import io
import json
from pathlib import Path
from zipfile import ZipFile

PEOPLE = {
    "gender": ("woman", "man"),
    "age": ("old neighbour", "young neighbour"),
    "nationality": ("Norwegian", "Swede"),
    "profession": ("baker", "gardener"),
}
DEEDS = ("baked a cake", "lost the keys", "missed the train", "sang in the choir", "planted a tree", "bought a lamp")

# StereoSet
WORDS = {"stereotype": "patient", "anti-stereotype": "hasty", "unrelated": "wooden"}

# SEAT: both groups, both attributes
GROUPS = {
    "sent-weat6": ("Karl Otto Emil", "Ida Greta Paula", "offices shops", "homes sofas"),
    "sent-weat7": ("algebra numbers", "poems songs", "uncles brothers", "aunts sisters"),
}

# HolisticBias
NOUNS = {
    "female": [("aunt", "aunts"), ("girl", "girls")],
    "male": [("uncle", "uncles"), ("boy", "boys")],
    "neutral": [("child", "children"), ("cousin", "cousins")],
}
DESCRIPTORS = {
    "gender_and_sex": ("female", "male", "androgynous"),
    "race_ethnicity": ("Asian", "Alaskan", "white"),
    "age": ("young", "old", "thirty-year-old", "teenaged"),
}
TEMPLATES = (
    "I'm {noun_phrase}.",
    "I like {plural_noun_phrase}.",
    "Hello, I'm {noun_phrase}.",
    "My boss is {noun_phrase}.",
    "Are there {plural_noun_phrase} here?",
)


def write(folder: Path) -> Path:
    """Every suite, below the folder's `bias`."""
    files = {
        "crows_pairs/crows_pairs_anonymized.csv": crows().encode(),
        "stereoset/dev.json": as_json(stereoset()),
        "blimp/BLiMP.zip": packed({"anaphor_agreement": agreement(60), "subject_verb_agreement": agreement(60)}),
        "blimp_fast_babylm/subject_verb_agreement.jsonl.gz": gzip.compress(agreement(12).encode()),
    }
    for side in ("pro", "anti"):
        for kind in ("type1", "type2"):
            files[f"winobias/{side}_stereotyped_{kind}.txt.test"] = winobias(side, kind).encode()
    files |= {f"bbq/{name}": text.encode() for name, text in bbq().items()}
    for name, sets in GROUPS.items():
        files[f"seat/{name}.jsonl"] = as_json(seat(*sets))
    for version in ("v1.0", "v1.1"):
        for name, content in holisticbias().items():
            files[f"holisticbias/{version}/{name}.json"] = as_json(content)
    for paradigm in ("hypernym", "turn_taking"):
        files[f"blimp_supplement/{paradigm}.jsonl"] = agreement(60).encode()
        files[f"blimp_supplement_fast/{paradigm}.jsonl"] = agreement(12).encode()
    for name, content in files.items():
        path = folder / "bias" / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content)
    return folder


def as_json(content: object) -> bytes:
    return json.dumps(content).encode()


def packed(files: dict[str, str]) -> bytes:
    """BLiMP's archive."""
    file = io.BytesIO()
    with ZipFile(file, "w") as archive:
        for paradigm, text in files.items():
            archive.writestr(f"data/{paradigm}.jsonl", text)
    return file.getvalue()


def crows() -> str:
    """Every deed of both people of a kind; each third row is against the stereotype."""
    file = io.StringIO()
    rows = csv.writer(file)
    columns = "sent_more,sent_less,stereo_antistereo,bias_type,annotations,anon_writer,anon_annotators"
    rows.writerow(["", *columns.split(",")])
    for number, (kind, (more, less), deed) in enumerate((*person, deed) for person in PEOPLE.items() for deed in DEEDS):
        direction = "stereo" if number % 3 else "antistereo"
        rows.writerow([number, f"The {more} {deed}.", f"The {less} {deed}.", direction, kind, "[]", "a0", "[]"])
    return file.getvalue()


def stereoset() -> dict:
    """Two items of each person in either part."""
    people = [(domain, who) for domain, both in PEOPLE.items() for who in both]
    gaps = [(*one, f"The {one[1]} at the {place} is BLANK.") for one in people for place in ("door", "lake")]
    stories = [(*one, f"The {one[1]} {deed}.") for one in people for deed in DEEDS[:2]]
    parts = {
        "intrasentence": [item(*one, one[-1]) for one in gaps],
        "intersentence": [item(*one, "They are BLANK.") for one in stories],
    }
    return {"version": "1.0", "data": parts}


def item(domain: str, who: str, context: str, sentence: str) -> dict:
    sentences = [
        {"gold_label": label, "sentence": sentence.replace("BLANK", word), "id": f"{context} {label}", "labels": []}
        for label, word in WORDS.items()
    ]
    return {"id": context, "target": who, "bias_type": domain, "context": context, "sentences": sentences}


def seat(*sets: str) -> dict:
    texts = [[f"{word} {end}." for end in ("came up", "did well") for word in words.split()] for words in sets]
    names = ("targ1", "targ2", "attr1", "attr2")
    return {name: {"category": name, "examples": examples} for name, examples in zip(names, texts, strict=True)}


def holisticbias() -> dict[str, dict]:
    """File → content."""
    return {
        "descriptors": {axis: {"all": names} for axis, names in DESCRIPTORS.items()},
        "nouns": NOUNS,
        "sentence_templates": {text: {} for text in TEMPLATES},
        "standalone_noun_phrases": {"age": ["a senior"]},
    }


def winobias(side: str, kind: str) -> str:
    """The baker as a man's occupation, the nurse as a woman's; each is meant in turn."""
    pronouns = {"baker": "he", "nurse": "she"} if side == "pro" else {"baker": "she", "nurse": "he"}
    ends = {"type1": "because [{0}] was late", "type2": "and then [{0}] went home"}
    rows = []
    for verb in ("called", "thanked", "paid", "left"):
        for meant, second in (("baker", "nurse"), ("nurse", "baker")):
            rows.append(f"[The {meant}] {verb} the {second} {ends[kind].format(pronouns[meant])} .")
            rows.append(f"The {second} {verb} [the {meant}] {ends[kind].format(pronouns[meant])} .")
    return "".join(f"{number} {row}\n" for number, row in enumerate(rows, 1))


def bbq() -> dict[str, str]:
    """Three questions of two categories, in both conditions and polarities; the answers stand in every order. The
    stereotype is that the first person of a category falls. Short, for the tiny models read 64 sub-words."""
    people = {"Age": ("man", "boy"), "Religion": ("nun", "monk")}
    files, targets = {}, ["category,question_index,example_id,target_loc,label_type"]
    for category, both in people.items():
        rows = []
        for place in ("here", "there", "today"):
            for condition in ("ambig", "disambig"):
                for polarity in ("neg", "nonneg"):
                    rows.append(question(len(rows), category, both, place, condition, polarity))
                    target = both[polarity == "nonneg"]
                    at = [name for name in ("ans0", "ans1", "ans2") if target in rows[-1][name]]
                    targets.append(f"{category},1,{len(rows) - 1},{at[0][-1]},label")
        files[f"{category}.jsonl"] = "".join(json.dumps(row) + "\n" for row in rows)
    targets[-1] = targets[-1].replace(f",{at[0][-1]},label", ",NA,label")
    return {**files, "additional_metadata.csv": "\n".join(targets) + "\n"}


def question(number: int, category: str, both: tuple[str, str], place: str, condition: str, polarity: str) -> dict:
    verbs = {"neg": "fell", "nonneg": "sat"}
    context = f"A {both[0]}, a {both[1]} {place}."
    if condition == "disambig":
        context += f" The {both[0]} fell, {both[1]} sat."
    answers = [(f"The {both[0]}", both[0]), (f"The {both[1]}", both[1]), ("Unknown", "unknown")]
    answers = answers[number % 3 :] + answers[: number % 3]
    right = "unknown" if condition == "ambig" else both[polarity == "nonneg"]
    return {
        "example_id": number,
        "question_index": "1",
        "question_polarity": polarity,
        "context_condition": condition,
        "category": category,
        "answer_info": {f"ans{n}": list(answer) for n, answer in enumerate(answers)},
        "context": context,
        "question": f"Who {verbs[polarity]}?",
        **{f"ans{n}": text for n, (text, _) in enumerate(answers)},
        "label": [tag for _, tag in answers].index(right),
    }


def agreement(number: int) -> str:
    """Minimal pairs, a line each; 60 at most."""
    nouns = ("dog", "teacher", "sister", "student", "king", "house")
    stems = [f"The {noun} {verb}" for noun in nouns for verb in ("sing", "walk", "wait", "fall", "laugh")]
    sides = [(f"{stem}s {place}.", f"{stem} {place}.") for stem in stems for place in ("here", "there")]
    rows = [{"sentence_good": good, "sentence_bad": bad} for good, bad in sides]
    return "".join(json.dumps({**row, "pairID": str(n)}) + "\n" for n, row in enumerate(rows[:number]))
