"""What a system has written, as people have it: prose or tokens, in any order, in files and in memory."""

from __future__ import annotations

import gzip
import json

import pytest

import gec_fair as gf
from gec_fair.api.outputs import answer
from gec_fair.edits import Edits, split_spaces
from gec_fair.english.running_text.prose import write
from gec_fair.errors import DiskFull, GecFairError, InputError, UsageError
from gec_fair.evaluate.evalsets.catalogue import find
from gec_fair.evaluate.evalsets.export import export
from gec_fair.evaluate.scoring.hypotheses import HypothesisOptions, read_as, read_hypotheses
from gec_fair.evaluate.scoring.texts import Reference
from gec_fair.gec.systems.protocol import ProseSystem
from gec_fair.runs.atomic import write_text
from tests.cli.invoke import run

SOURCES = ["He go home .", "I likes it , too .", "I do n't know", "He go home ."]
TOKENS = ["He goes home .", "I like it , too .", "I do n't know .", "He went home ."]
PROSE = ["He goes home.", "I like it, too.", "I don't know.", "He went home."]


def words(texts):
    return [split_spaces(text).words for text in texts]


@pytest.fixture
def gold(tmp_path):
    sources = words(SOURCES)
    return Reference(tmp_path / "ref", tuple(sources), tuple((Edits((), len(s)),) for s in sources), ())


def lines(tmp_path, name, texts):
    path = tmp_path / name
    path.write_text("".join(f"{text}\n" for text in texts), encoding="utf-8")
    return path


@pytest.mark.parametrize(
    ("texts", "text", "is_prose", "why"),
    [
        (PROSE, "auto", True, "signs stand at words"),
        (TOKENS, "auto", False, "signs apart"),
        ([text.replace("'", "’") for text in PROSE], "auto", True, "curly apostrophes"),
        (TOKENS, "prose", True, "tokens that are called prose are the same tokens"),
        (["He  goes home .", *TOKENS[1:]], "auto", False, "two spaces are no prose"),
        ([*SOURCES[:3], PROSE[3]], "auto", True, "a system that returns what it does not change as it was"),
    ],
    ids=lambda value: value if isinstance(value, str) and " " in value else None,
)
def test_prose_is_told_from_tokens(texts, text, is_prose, why, capsys):
    read = read_as(words(texts), words(SOURCES), text, "x")
    expected = [*words(SOURCES[:3]), *words(TOKENS[3:])] if texts[0] == SOURCES[0] else words(TOKENS)
    assert (read.output, read.is_prose) == (expected, is_prose)
    assert capsys.readouterr().err == ""


def test_white_space_that_a_system_writes_cuts_words_but_the_sources_own_does_not():
    source, answer = ("10\u00a0000", "people", "goes", "."), ("10\u00a0000", "people\u202fgo\u3000home", ".")
    assert read_as([answer], [source], "auto", "x").output == [("10\u00a0000", "people", "go", "home", ".")]


@pytest.mark.parametrize("name", ["out.json", "out.ndjson"])
def test_a_table_under_another_name_is_no_text(name, tmp_path, gold):
    with pytest.raises(InputError, match=f"{name}: its name is that of a table or of JSON; write one text a line"):
        read_hypotheses(lines(tmp_path, name, [json.dumps({"hypothesis": text}) for text in TOKENS]), gold)


def test_m2_of_several_people_is_no_hypothesis(tmp_path, gold):
    end = "|||REQUIRED|||-NONE-|||"
    block = f"S He go home .\nA 1 2|||R:VERB|||goes{end}0\nA -1 -1|||noop|||-NONE-{end}1\n"
    one = Reference(gold.path, gold.sources[:1], gold.annotators[:1], ())
    with pytest.raises(InputError, match="sentence 1: has edits of 2 annotators; give a file for each"):
        read_hypotheses(lines(tmp_path, "out.m2", [block]), one)


def test_an_empty_cell_beside_a_reference_is_no_annotator(tmp_path):
    (tmp_path / "ref.tsv").write_text("He go .\tHe goes .\t\nI likes it .\tI like it .\tI liked it .\n")
    hypotheses = ["", "I like it ."]
    empty = gf.score(hypotheses, tmp_path / "ref.tsv")
    (tmp_path / "ref.tsv").write_text("He go .\tHe goes .\nI likes it .\tI like it .\tI liked it .\n")
    assert (empty.tp, empty.fp, empty.fn) == (lambda s: (s.tp, s.fp, s.fn))(gf.score(hypotheses, tmp_path / "ref.tsv"))


def test_tokens_stay_as_they_are():
    odd = ["He goes home.", *TOKENS[1:]]
    assert read_as(words(odd), words(SOURCES), "tokens", "x").output == words(odd)


def test_where_it_cannot_be_told_a_note_shows_the_first_line(capsys):
    mixed = [*TOKENS[:2], *PROSE[2:]]
    read = read_as(words(mixed), words(SOURCES), "auto", "mine.txt")
    assert read.output == words(TOKENS)
    note = capsys.readouterr().err
    assert "mine.txt: in part tokens, in part prose" in note
    assert note.endswith("Line 3: I don't know.\n")


def test_one_text_in_prose_among_many_in_tokens_is_read_as_prose(capsys):
    texts, sources = [*TOKENS * 4, "He goes home now, etc."], [*SOURCES * 4, "He go home now , etc ."]
    read = read_as(words(texts), words(sources), "auto", "mine.txt")
    assert (read.output, read.is_prose) == (words([*TOKENS * 4, "He goes home now , etc ."]), True)
    assert "1 of its texts are read as prose" in capsys.readouterr().err


def test_a_model_that_glues_contractions_alone_writes_prose_in_those_texts(capsys):
    texts, sources = [*["He goes home , too ."] * 40, "I don't know , Anna ."], ["He go home , too ."] * 40
    read = read_as(words(texts), words([*sources, "I do n't knows , Anna ."]), "auto", "t5.txt")
    assert (read.output[-1], read.is_prose) == (("I", "do", "n't", "know", ",", "Anna", "."), True)
    assert "1 of its texts are read as prose" in capsys.readouterr().err
    read = read_as(words([*texts, *texts[:-1] * 5]), words([*sources, "I do n't knows .", *sources * 5]), "auto", "x")
    assert (read.output[40][1], read.is_prose) == ("don't", False)  # one odd word in 241 texts


def test_sources_in_prose_are_noted_and_cut_at_spaces(capsys):
    read = read_as(words(["He goes home!"]), words(["He go home."]), "auto", "x")
    assert read.output == [("He", "goes", "home!")]
    assert "the sources themselves are prose" in capsys.readouterr().err


SHUFFLED = [3, 1, 0, 2]


def _csv(tmp_path, sources, texts):
    rows = (f'"{source}","{text}"' for source, text in zip(sources, texts, strict=True))
    return lines(tmp_path, "h.csv", ["source,hypothesis", *rows])


def _jsonl(tmp_path, sources, texts):
    rows = ({"hypothesis": text, "source": source} for source, text in zip(sources, texts, strict=True))
    return lines(tmp_path, "h.jsonl", map(json.dumps, rows))


def _tsv(tmp_path, sources, texts):
    rows = (f"{source}\t{text}" for source, text in zip(sources, texts, strict=True))
    return lines(tmp_path, "h.tsv", ["source\thypothesis", *rows])


def _rows(tmp_path, sources, texts):
    return [{"source": source, "hypothesis": text} for source, text in zip(sources, texts, strict=True)]


def _frame(tmp_path, sources, texts):
    pandas = pytest.importorskip("pandas")
    return pandas.DataFrame({"source": sources, "hypothesis": texts})


@pytest.mark.parametrize("form", [_csv, _jsonl, _tsv, _rows, _frame])
def test_rows_are_put_into_the_order_of_the_reference(form, tmp_path, gold):
    """The first of two alike sentences gets the first of their hypotheses."""
    table = form(tmp_path, [SOURCES[n] for n in SHUFFLED], [TOKENS[n] for n in SHUFFLED])
    in_order = [TOKENS[3], *TOKENS[1:3], TOKENS[0]]
    assert read_hypotheses(table, gold).output == words(in_order)
    prose = form(tmp_path, [write(SOURCES[n].split()) for n in SHUFFLED], [PROSE[n] for n in SHUFFLED])
    assert read_hypotheses(prose, gold, HypothesisOptions("auto")).output == words(in_order)


@pytest.mark.parametrize("form", [_csv, _jsonl, _tsv, _rows, _frame])
def test_a_row_of_another_sentence_is_named(form, tmp_path, gold):
    table = form(tmp_path, [*SOURCES[:2], "Who is it ?", SOURCES[3]], TOKENS)
    with pytest.raises(InputError, match=r"(:3|:4|row 3): its source is not one of .*: Who is it \?"):
        read_hypotheses(table, gold)


def test_a_sentence_twice_instead_of_another_is_named(tmp_path, gold):
    table = _rows(tmp_path, [SOURCES[1], SOURCES[1], SOURCES[2], SOURCES[3]], TOKENS)
    with pytest.raises(InputError, match=r"row 2: its source is not one of .*, or stands there less often"):
        read_hypotheses(table, gold)


def test_a_row_without_a_source_among_others_is_named(gold):
    table = _rows(None, SOURCES, TOKENS)
    del table[2]["source"]
    with pytest.raises(InputError, match="row 3: no column named 'source'; there are hypothesis"):
        read_hypotheses(table, gold)


@pytest.mark.parametrize("name", ["learner", "Source"])
def test_sources_under_another_name_are_found(name, gold):
    table = [{name: SOURCES[n], "hypothesis": TOKENS[n]} for n in SHUFFLED]
    assert read_hypotheses(table, gold).output == words([TOKENS[3], *TOKENS[1:3], TOKENS[0]])


def test_a_table_without_sources_is_in_order(tmp_path, gold):
    assert read_hypotheses([{"hypothesis": text} for text in TOKENS], gold).output == words(TOKENS)
    with pytest.raises(InputError, match="no column named 'hypothesis'; there are text"):
        read_hypotheses([{"text": text} for text in TOKENS], gold)
    with pytest.raises(InputError, match="3 lines, but"):
        read_hypotheses([{"hypothesis": text} for text in TOKENS[:3]], gold)


# through gf.score and the command

REFERENCES = ["He goes home .", "I like it , too .", "I do n't know .", "He goes home ."]


@pytest.fixture
def files(tmp_path):
    lines(tmp_path, "src.txt", SOURCES)
    lines(tmp_path, "ref.txt", REFERENCES)
    lines(tmp_path, "tokens.txt", TOKENS)
    lines(tmp_path, "src.m2", [f"S {text}\nA 1 2|||R:VERB|||went|||REQUIRED|||-NONE-|||0\n" for text in SOURCES])
    lines(tmp_path, "prose.txt", PROSE)
    lines(tmp_path, "pairs.tsv", [f"{s}\t{t}" for s, t in zip(SOURCES, REFERENCES, strict=True)])
    lines(tmp_path, "pairs.txt", (tmp_path / "pairs.tsv").read_text().splitlines())
    lines(tmp_path, "named.tsv", ["source\ttarget", *((tmp_path / "pairs.tsv").read_text().splitlines())])
    (tmp_path / "tokens.txt.gz").write_bytes(gzip.compress((tmp_path / "tokens.txt").read_bytes()))
    (tmp_path / "damaged.txt.gz").write_bytes(gzip.compress((tmp_path / "tokens.txt").read_bytes())[:-9])
    return tmp_path


def test_prose_scores_as_its_tokens():
    tokens, prose = (gf.score(texts, REFERENCES, SOURCES) for texts in (TOKENS, PROSE))
    assert (prose.tp, prose.fp, prose.fn) == (tokens.tp, tokens.fp, tokens.fn) == (3, 1, 1)
    assert "|hyp:prose|" in prose.signature
    assert prose.signature.replace("|hyp:prose", "") == tokens.signature
    assert "tokenised by alignment to the source" in repr(prose)
    assert gf.score(PROSE, REFERENCES, SOURCES, tokenise="tokens").fp > 1


@pytest.mark.parametrize("form", [_csv, _tsv, _jsonl])
def test_references_in_a_table_are_put_into_the_order_of_the_sources(form, tmp_path):
    path = form(tmp_path, [SOURCES[n] for n in SHUFFLED], [REFERENCES[n] for n in SHUFFLED])
    fields = ("source", "hypothesis")
    assert gf.score(TOKENS, path, SOURCES, fields=fields).f == gf.score(TOKENS, REFERENCES, SOURCES).f
    with pytest.raises(InputError, match=r"sentence 3: its source is not one of the sources"):
        gf.score(TOKENS, path, ["It rains .", *SOURCES[1:]], fields=fields)


@pytest.mark.parametrize("end", ["\n", "\r\n", "\t"])
def test_line_ends_of_texts_in_memory_are_white_space(end):
    """As `file.readlines()` gives them, and models that end a text with a line break."""
    hypotheses, references, sources = ([text + end for text in texts] for texts in (TOKENS, REFERENCES, SOURCES))
    assert gf.score(hypotheses, references, sources).f == gf.score(TOKENS, REFERENCES, SOURCES).f
    system = gf.load_system(lambda texts: [text + end for text in TOKENS[:3]])
    assert answer(system, words(SOURCES[:3]), "auto", True).output == words(TOKENS[:3])


def test_references_in_prose_are_tokenised_too():
    references = [write(text.split()) for text in REFERENCES]
    assert gf.score(PROSE, references, SOURCES).f == gf.score(TOKENS, REFERENCES, SOURCES).f


@pytest.mark.parametrize(
    ("options", "why"),
    [
        (("--hyp", "tokens.txt", "--ref", "ref.txt", "--src", "src.txt"), "three plain files"),
        (("--hyp", "tokens.txt", "--ref", "pairs.tsv"), "pairs"),
        (("--hyp", "tokens.txt", "--ref", "named.tsv"), "pairs with a header"),
        (("--hyp", "tokens.txt.gz", "--ref", "ref.txt", "--src", "src.txt"), "compressed"),
        (("--hyp", "prose.txt", "--ref", "ref.txt", "--src", "src.txt"), "prose"),
        (("--hyp", "tokens.txt", "--ref", "ref.txt", "--src", "src.m2"), "the sources of an M2 file"),
    ],
    ids=lambda value: value if isinstance(value, str) else None,
)
def test_the_commonest_cases_need_no_m2(options, why, files, monkeypatch):
    monkeypatch.chdir(files)
    done = run("score", *options)
    assert done.code == 0, done.stderr
    assert "| all | 3 | 1 | 1 | 75.00 | 75.00 | 75.00 |" in done.stdout
    assert ("hyp:prose" in done.stdout) == (why == "prose")


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (("--hyp", "tokens.txt", "--ref", "ref.txt"), "ref.txt: corrected texts, but sources is missing"),
        (("--hyp", "pairs.txt", "--ref", "pairs.tsv"), "pairs.txt:1: holds a tab; name a table .tsv"),
        (("--hyp", "damaged.txt.gz", "--ref", "pairs.tsv"), "damaged.txt.gz: the compressed file breaks off"),
        (("--hyp", "tokens.txt", "--ref", "src.txt", "--src", "one.txt"), "4 for 1 sources"),
    ],
    ids=lambda value: value if isinstance(value, str) else None,
)
def test_what_is_missing_is_said(options, message, files, monkeypatch):
    monkeypatch.chdir(lines(files, "one.txt", ["He go ."]).parent)
    done = run("score", *options)
    assert (done.code, message in done.stderr) == (2, True), done.stderr


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ((None, ["a"], ["a"]), "hypotheses is None; give a list of texts"),
        ((["a"], None, ["a"]), "references is None; give a file"),
        ((7, ["a"], ["a"]), "hypotheses is of type int; give a list of texts"),
        ((["a"], {"target": ["a"]}, ["a"]), "references is of type dict; give a file"),
        ((["a"], ["a"], None), "sources is missing"),
        (([], [], []), "sources: no text; give at least one sentence"),
        (({"He go .", "I go ."}, ["a"], ["a"]), "hypotheses: a set has no order; give a list"),
        ((["\ud800"], ["a"], ["a"]), "hypotheses: number 1 holds half a surrogate pair"),
        ((["a"], ["\ud800"], ["a"]), "references: row 1: number 1 holds half a surrogate pair"),
        (({}, ["a"], ["a"]), "hypotheses: an empty dict"),
    ],
    ids=lambda value: value if isinstance(value, str) else None,
)
def test_a_wrong_argument_is_named(arguments, message):
    with pytest.raises(UsageError, match=message):
        gf.score(*arguments)


@pytest.mark.parametrize(
    "call",
    [
        lambda: gf.gap(None, "they-probe"),
        lambda: gf.gap([], "they-probe"),
        lambda: gf.gap("identity", "they-probe", tokenise="words"),
        lambda: gf.gap((["a"], ["a"]), "they-probe", prose=True),
        lambda: gf.compare(None),
        lambda: gf.counterfactual(None, ["a"]),
        lambda: gf.counterfactual("identity", 4),
    ],
)
def test_no_call_ends_in_another_error_than_ours(call):
    with pytest.raises(GecFairError):
        call()


# systems that read and write prose


def mend(texts):
    return [text.replace("have lost", "has lost").replace("arrive at", "arrived at") for text in texts]


def detokenise(texts):
    return [write(text.split()) for text in texts]


def test_a_system_may_be_given_prose():
    requests = []

    def system(texts):
        requests.extend(texts)
        return mend(texts)

    prose = gf.gap(system, "they-probe", prose=True, resamples=100)
    assert requests[0] == "Anna have lost her keys again, so she is waiting outside."
    tokens = gf.gap(mend, "they-probe", resamples=100)
    assert (prose.delta, prose.original) == (tokens.delta, tokens.original)
    assert prose.signature == f"{tokens.signature}|hyp:prose"
    answered = gf.gap(lambda texts: detokenise(mend(texts)), "they-probe", resamples=100)
    assert answered.to_dict() == prose.to_dict()


def test_a_system_that_only_detokenises_makes_no_edit():
    gap = gf.gap(detokenise, "they-probe", resamples=100)
    assert gap.report["no_gap"] == "makes no edit: its gap says nothing"
    assert [gap.report[side]["fp"] for side in ("orig", "aug")] == [0, 0]


def test_prose_in_and_out_of_one_system():
    system = gf.load_system(lambda texts: [text.replace("go", "goes") for text in texts], prose=True)
    assert system(["He do n't go ."]) == ["He do n't goes ."]
    assert isinstance(system, ProseSystem)
    assert gf.load_system(system, prose=True) is system


def test_commands_read_prose(tmp_path):
    lines(tmp_path, "t.txt", ["She lost her keys .", "I do n't know !"])
    done = run("correct", tmp_path / "t.txt", "--system", "command-prose:sed s/keys./key./", "--no-cache")
    assert (done.code, done.stdout) == (0, "She lost her key .\nI do n't know !\n")
    done = run("correct", tmp_path / "t.txt", "--system", "command:sed 's/ \\([.!]\\)/\\1/'", "--no-cache")
    assert (done.code, done.stdout) == (0, "She lost her keys .\nI do n't know !\n")
    assert "answered in prose" in done.stderr


def test_prose_is_corrected_as_prose(tmp_path):
    lines(tmp_path, "prose.txt", ["He lost his keys. He don't care!", 'She said "hi", too.'])
    done = run("correct", tmp_path / "prose.txt", "--system", "command-prose:sed s/keys/key/", "--no-cache")
    assert (done.code, done.stdout) == (0, 'He lost his key. He don\'t care!\nShe said "hi", too.\n')


def test_comparisons_say_what_was_prose(tmp_path):
    comparison = gf.compare({"mend": lambda texts: detokenise(mend(texts))}, ["they-probe"], resamples=100)
    assert "hyp:prose" in comparison.report["rows"][0]["signature"]
    assert "mend, they-probe: prose, tokenised by alignment to the source" in comparison.notes


def test_counterfactuals_read_prose():
    texts = ["Anna hurt herself on her way .", "It rains , does it ?"]
    bias = [lambda texts: [text.replace("themself", "himself") for text in texts]]
    bias.append(lambda texts: detokenise(bias[0](texts)))
    tokens, prose = (gf.counterfactual(system, texts, resamples=100) for system in bias)
    assert prose.explicit == tokens.explicit
    assert "hyp:prose" in prose.signature
    both = gf.counterfactual(bias[0], texts, prose=True, resamples=100)
    assert both.explicit == tokens.explicit


def test_exported_texts_are_prose_and_answers_are_read_back(tmp_path):
    done = run("evalset", "export", "they-probe", "--prose", "-o", tmp_path)
    assert done.code == 0, done.stderr
    orig, aug = ((tmp_path / name).read_text().splitlines() for name in ("orig.txt", "aug.txt"))
    assert orig[0] == "Anna have lost her keys again, so she is waiting outside."
    answers = [lines(tmp_path, f"{side}-answers.txt", mend(texts)) for side, texts in (("orig", orig), ("aug", aug))]
    done = run("gap", "--evalset", "they-probe", "--hyp", *answers, "--resamples", "100", "--json")
    assert json.loads(done.stdout) == gf.gap(mend, "they-probe", resamples=100, prose=True).to_dict()
    again = run("evalset", "export", "they-probe", "-o", tmp_path)
    assert (again.code, "is there already" in again.stderr) == (2, True)
    assert run("evalset", "export", "they-probe", "-o", tmp_path, "--overwrite").code == 0
    assert (tmp_path / "orig.txt").read_text().startswith("Anna have lost her keys again , so")


def test_sides_that_were_not_written_to_the_end_do_not_stop_the_next_export(tmp_path, monkeypatch):
    def fill_disk(path, text):
        if path.name == "aug.txt":
            raise DiskFull(f"{path}: no room for it")
        write_text(path, text)

    with monkeypatch.context() as patch:
        patch.setattr("gec_fair.evaluate.evalsets.export.write_text", fill_disk)
        with pytest.raises(DiskFull):
            export(find("they-probe"), tmp_path / "sides")
    assert list(tmp_path.iterdir()) == []
    assert len(export(find("they-probe"), tmp_path / "sides")) == 2


# a system without a correct edit, how sure a score is, and what charts show


@pytest.mark.parametrize(
    ("system", "reason"),
    [
        (lambda texts: texts, "makes no edit: its gap says nothing"),
        (lambda texts: [text.replace(" .", " !") for text in texts], "makes no correct edit: its gap says nothing"),
    ],
    ids=["no edit", "no correct edit"],
)
def test_without_a_correct_edit_there_is_no_gap(system, reason):
    gap = gf.gap(system, "they-probe", resamples=100)
    assert (gap.delta, gap.low, gap.high, gap.p) == (None, None, None, None)
    assert gap.to_dict()["no_gap"] == reason
    assert all(split["delta"] is None for split in gap.report["splits"])
    assert f"The system {reason}." in repr(gap)
    assert (gap.report["orig"]["p"] is None) == (reason == "makes no edit: its gap says nothing")


def test_reports_have_no_point_and_no_difference_of_a_system_without_a_gap(tmp_path):
    pytest.importorskip("altair")
    from gec_fair.evaluate.report.charts import charts

    systems = {
        "copy": "identity",
        "mend": mend,
        "other": lambda texts: [text.replace("begun", "began") for text in texts],
    }
    comparison = gf.compare(systems, ["they-probe", "they-probe-mf"], resamples=100)
    drawn = charts(comparison.report)
    assert '"mend"' in json.dumps(drawn["forest"])
    assert '"copy"' not in json.dumps(drawn["forest"])
    assert drawn["forest"]["facet"]["row"]["field"] == "set"
    assert {d["first"] for d in comparison.report["differences"]} == {"mend"}
    assert "copy, they-probe: makes no edit: its gap says nothing" in comparison.notes
    alone = gf.compare({"copy": "identity"}, ["they-probe"], resamples=100)
    assert charts(alone.report) == {}
    assert "so no gap can be compared" in alone.write(tmp_path)[0].read_text()


def test_scores_have_intervals_and_systems_are_compared_with_the_first():
    sources, references = SOURCES * 5, REFERENCES * 5
    scores = gf.score({"one": TOKENS * 5, "two": references, "none": sources}, references, sources, resamples=500)
    low, high = scores["one"].intervals["f0.5"]
    assert low < scores["one"].f < high
    assert scores["none"].intervals["f0.5"] == (None, None)
    two, none = scores.differences
    assert (two["system"], two["minus"], two["delta"]) == ("two", "one", 25.0)
    assert two["low"] < 25 < two["high"]
    assert two["p"] < 0.05
    assert (none["delta"], none["p"]) == (None, None)
    assert "two" in repr(scores)
    assert scores["one"].signature.endswith("|bootstrap:500:seed0")
    few = gf.score(TOKENS, REFERENCES, SOURCES, resamples=10)
    assert few.intervals["f0.5"] == (None, None)
    two = gf.score({"a": TOKENS, "b": REFERENCES}, REFERENCES, SOURCES, resamples=10)
    assert (two.differences[0]["delta"], two.differences[0]["p"]) == (25.0, None)
    assert "too few sentences to say" in str(two)


def test_the_command_compares_systems(tmp_path):
    names = {"src": SOURCES, "ref": REFERENCES, "a": TOKENS, "b": REFERENCES}
    src, ref, a, b = (str(lines(tmp_path, f"{name}.txt", texts * 5)) for name, texts in names.items())
    words = ("score", "--ref", ref, "--src", src, "--resamples", "200", "--hyp", f"a={a}", "--hyp", f"b={b}")
    out = run(*words).stdout
    assert "| b | a | +25.00 | [" in out
    assert "95 % interval of F0.5: bootstrap over sentences" in out
    one, two = json.loads(run(*words, "--json").stdout)
    assert "difference" not in one
    assert two["difference"]["delta"] == 25.0
    assert len(two["ci95"]["f0.5"]) == 2


@pytest.mark.parametrize("name", ["EditScorer", "T5-11B", "CTC-Copy"])
def test_outputs_of_real_systems_come_back_from_prose(data, name):
    """The whole of it, with scores: benchmarks/prose.py."""
    folder = data / "bea"
    sources = (folder / "bea-dev.first2192.src.txt").read_text().split("\n")[:400]
    texts = (folder / f"system_outputs/{name}.first2192.txt").read_text().split("\n")[:400]
    prose = read_as([tuple(write(text.split()).split()) for text in texts], words(sources), "auto", name)
    assert prose.is_prose
    assert sum(one == two for one, two in zip(prose.output, words(texts), strict=True)) >= 396
    tokens = read_as(words(texts), words(sources), "auto", name)
    assert (tokens.output, tokens.is_prose) == (words(texts), False)
