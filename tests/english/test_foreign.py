"""A line in another language is seen as one, and learners' English, slang and names are not."""

from __future__ import annotations

import pytest

import gec_fair as gf
from gec_fair.augmentation.options import Options
from gec_fair.augmentation.planning.planner import Planner
from gec_fair.english.foreign import foreign_words
from tests.cli.invoke import run

OTHERS = [
    ("Il a perdu son chat dans la rue .", "French: son"),
    ("Pierre me donne toujours des fleurs .", "French: me, des"),
    ("Le prince et la princesse se marient demain .", "French without a word that is French alone"),
    ("Bonjour Marie , comment vas-tu ?", "French: a first word"),
    ("c'est ton frère David", "French: c'est"),
    ("He visto a Carmen en el mercado .", "Spanish: he"),
    ("Ellos son los hijos de David .", "Spanish: son"),
    ("¿ Has visto a mi madre ?", "Spanish: a sign"),
    ("Man muss den Herrn Müller fragen .", "German: man"),
    ("Sie kam her und setzte sich .", "German: her"),
    ("Das Buch gehört meinem Freund Stefan .", "German: a noun in every capital"),
    ("Non so dove sia Marco .", "Italian"),
    ("Andrea gioca a calcio con gli amici .", "Italian: a man's name"),
    ("Een man en een vrouw liepen over straat .", "Dutch: man"),
    ("Zij gaf hem een boek .", "Dutch: hem"),
    ("A Maria disse que o irmão estava doente .", "Portuguese"),
    ("Me diga onde mora a Carolina .", "Portuguese: me"),
    ("Jag såg Erik och hans mor igår .", "Swedish"),
    ("Maria tidak tahu di mana ayahnya berada .", "Indonesian"),
    ("他说 he 很好 。", "another script"),
]
ENGLISH = [
    ("He lose his keys .", "a learner's error"),
    ("Maria de la Cruz lost her keys in Las Vegas .", "particles of names"),
    ("Vincent van der Berg and Ana dos Santos met him .", "more of them"),
    ("wen he ho dwn da road", "slang without a common word"),
    ("@Ann_forFun turn up ya mate .. fw ya dawg man", "slang that has words of German and French"),
    ('He said " je ne sais pas " and left .', "a quotation"),
    ("Elle , tennis , Karate , etc .", "a magazine"),
    ("She ate a crème brûlée at the café .", "loans with accents"),
    ("Che Guevara , Fidel Castro", "names alone"),
    ("David won't .", "a contraction whose half is German"),
    ("Pablo de la Costa met the other dentist .", "two small words that are parts of a name"),
    ("Aleksander Wolszczan [ alɛkˈsandɛr ˈvɔlʂtʂan ] is Polish .", "signs of a pronunciation"),
    ("He hasta go back .", "a spoken form"),
    ("Komm her", "too short to tell"),
    ("Anna", "a word"),
    ("", "no word"),
]


@pytest.mark.parametrize("text", [row[0] for row in OTHERS], ids=[row[1] for row in OTHERS])
def test_another_language_is_shown_by_its_words(text):
    assert 0 < len(foreign_words(text.split())) <= 3


@pytest.mark.parametrize("text", [row[0] for row in ENGLISH], ids=[row[1] for row in ENGLISH])
def test_english_is_not_taken_for_another_language(text):
    assert foreign_words(text.split()) == []


def test_no_sentence_of_learners_with_a_word_to_rewrite_looks_like_another_language(data):
    planner = Planner(Options("fm"))
    lines = (data / "gec/wi_train/A.train.tsv").read_text(encoding="utf-8").split("\n")
    texts = [text.split(" ") for line in lines[:6000] for text in line.split("\t")]
    candidates = [text for text in texts if planner.is_candidate(text)]
    assert len(candidates) > 1500
    assert [text for text in candidates if foreign_words(text)] == []


@pytest.mark.parametrize("method", ["fm", "st"])
def test_such_a_line_is_left_and_a_warning_names_the_share(tmp_path, method):
    french, english = "He il a perdu son chat dans la rue .", "My boss lost his hat ."
    results = gf.augment([(french, french), (english, english)], method)
    assert [(result.outcome, result.reason) for result in results] == [("left", "language"), ("augmented", "")]
    assert results[0].detail == "il, dans, son"
    (tmp_path / "c.tsv").write_text(f"{french}\t{french}\n{english}\t{english}\nIt rains .\tIt rains .\n")
    finished = gf.augment_corpus([tmp_path / "c.tsv"], tmp_path / "out", method)
    warning = "1 of 2 texts with a word to rewrite (50.0 %) look like another language and stay"
    assert finished.manifest.warnings == (warning,)
    done = run("rewrite", method, stdin=f"{french}\n{english}\nIt rains.\n")
    assert done.stdout.split("\n")[0] == french
    assert f"warning: {warning}" in done.stderr
