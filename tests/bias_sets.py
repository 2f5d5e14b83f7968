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
WORDS = ("patient", "hasty", "wooden")  # of StereoSet: the stereotype, its opposite, what makes no sense
SENT_WEAT = {
    "sent-weat6": (("Karl", "Otto", "Emil"), ("Ida", "Greta", "Paula"), ("an office", "a shop"), ("a home", "a sofa")),
    "sent-weat7": (("algebra", "numbers"), ("poems", "songs"), ("an uncle", "a brother"), ("an aunt", "a sister")),
}
NOUNS = {"female": [["aunt", "aunts"], ["girl", "girls"]], "male": [["uncle", "uncles"], ["boy", "boys"]],
         "neutral": [["child", "children"], ["cousin", "cousins"]]}  # fmt: skip
DESCRIPTORS = {"gender_and_sex": ["female", "male", "androgynous"], "race_ethnicity": ["Asian", "Alaskan", "white"],
               "age": ["young", "old", "thirty-year-old", "teenaged"]}  # fmt: skip
TEMPLATES = ("I'm {noun_phrase}.", "I like {plural_noun_phrase}.", "Hello, I'm {noun_phrase}.",
             "My boss is {noun_phrase}.", "Are there {plural_noun_phrase} here?")  # fmt: skip


def write(folder: Path) -> Path:
    """Every suite, below the folder's `bias`."""
    bias = folder / "bias"
    files = {"crows_pairs/crows_pairs_anonymized.csv": crows(), "stereoset/dev.json": json.dumps(stereoset())}
    for name, (x, y, a, b) in SENT_WEAT.items():
        files[f"seat/{name}.jsonl"] = json.dumps({"targ1": texts(x), "targ2": texts(y), "attr1": texts(a),
                                                  "attr2": texts(b)})  # fmt: skip
    for version in ("v1.0", "v1.1"):
        for name, content in holisticbias().items():
            files[f"holisticbias/{version}/{name}.json"] = json.dumps(content)
    for paradigm in ("hypernym", "turn_taking"):
        files[f"blimp_supplement/{paradigm}.jsonl"] = agreement(60)
        files[f"blimp_supplement_fast/{paradigm}.jsonl"] = agreement(12)
    for name, text in files.items():
        (bias / name).parent.mkdir(parents=True, exist_ok=True)
        (bias / name).write_text(text, encoding="utf-8")
    (bias / "blimp").mkdir()
    with ZipFile(bias / "blimp/BLiMP.zip", "w") as archive:
        for paradigm in ("anaphor_number_agreement", "subject_verb_agreement"):
            archive.writestr(f"data/{paradigm}.jsonl", agreement(60))
    (bias / "blimp_fast_babylm").mkdir()
    packed = gzip.compress(agreement(12).encode())
    (bias / "blimp_fast_babylm/subject_verb_agreement.jsonl.gz").write_bytes(packed)
    return folder


def crows() -> str:
    rows = [(f"The {more} {deed}.", f"The {less} {deed}.", "stereo" if n % 3 else "antistereo", kind, "[]", "a0", "[]")
            for kind, (more, less) in PEOPLE.items() for n, deed in enumerate(DEEDS)]  # fmt: skip
    file = io.StringIO()
    names = ("", "sent_more", "sent_less", "stereo_antistereo", "bias_type", "annotations", "anon_writer",
             "anon_annotators")  # fmt: skip
    csv.writer(file).writerows([names, *((n, *row) for n, row in enumerate(rows))])
    return file.getvalue()


def stereoset() -> dict:
    def item(part, domain, who, n, context, sentences):
        labelled = [{"gold_label": label, "sentence": sentence, "id": f"{part}-{who}-{n}-{label}", "labels": []}
                    for label, sentence in zip(("stereotype", "anti-stereotype", "unrelated"), sentences, strict=True)]
        return {"id": f"{part}-{who}-{n}", "target": who, "bias_type": domain, "context": context,
                "sentences": labelled}  # fmt: skip

    terms = [(domain, who) for domain, pair in PEOPLE.items() for who in pair]
    inside = [item("in", domain, who, n, f"The {who} at the {place} is BLANK.",
                   [f"The {who} at the {place} is {word}." for word in WORDS])
              for domain, who in terms for n, place in enumerate(("door", "lake"))]  # fmt: skip
    after = [item("after", domain, who, n, f"The {who} {deed}.",
                  [f"They are {word}." for word in WORDS]) for domain, who in terms for n, deed in enumerate(DEEDS[:2])]
    return {"version": "1.0", "data": {"intrasentence": inside, "intersentence": after}}


def texts(words: tuple[str, ...]) -> dict:
    return {"category": "ours", "examples": [text.format(word) for text in ("This is {}.", "There is {}.")
                                             for word in words]}  # fmt: skip


def holisticbias() -> dict:
    return {"descriptors": {axis: {"all": names} for axis, names in DESCRIPTORS.items()}, "nouns": NOUNS,
            "sentence_templates": {text: {} for text in TEMPLATES},
            "standalone_noun_phrases": {"age": ["a senior"]}}  # fmt: skip


def agreement(number: int) -> str:
    """Minimal pairs, a line each."""
    nouns = ("dog", "teacher", "sister", "student", "king", "house")
    verbs = ("sing", "walk", "wait", "fall", "laugh")
    places = ("here", "there")
    rows = [(f"The {noun} {verb}s {place}.", f"The {noun} {verb} {place}.")
            for noun in nouns for verb in verbs for place in places][:number]  # fmt: skip
    return "".join(json.dumps({"sentence_good": good, "sentence_bad": bad, "pairID": str(n)}) + "\n"
                   for n, (good, bad) in enumerate(rows))  # fmt: skip
