"""Systems: texts in, corrected texts out, one for one; kept in a store; said clearly when they cannot run."""

from __future__ import annotations

import json
import re
import shlex
import sys
from pathlib import Path
from types import ModuleType, SimpleNamespace

import pytest

import gec_fair as gf
from gec_fair.errors import InputError, MissingResource, UsageError
from gec_fair.gec.systems import quire as quire_system
from gec_fair.gec.systems.protocol import SystemFault, count_passed
from gec_fair.gec.systems.registry import folder_name, list_available, load, visible_name
from gec_fair.gec.systems.run import correct
from gec_fair.registry import read_labels
from tests.cli.invoke import run
from tests.cli.test_cli import gec_fair
from tests.llm.stub import Said, serving


class Counting:
    """Writes in capitals, and remembers what it was asked."""

    version = "counting:1"

    def __init__(self, keep=True):
        self.requests = []
        self.keep = keep

    def __call__(self, texts):
        self.requests += texts
        return [text.upper() for text in texts][: None if self.keep else -1]


def test_each_distinct_text_is_asked_once_and_answers_are_kept(tmp_path):
    system, reports = Counting(), []
    texts = ["a b", "c", "a b"]
    corrected = correct(
        system, texts, cache=tmp_path / "o.sqlite", progress=lambda n, total: reports.append((n, total))
    )
    assert corrected == ["A B", "C", "A B"]
    assert (system.requests, reports) == (["a b", "c"], [(2, 2)])
    assert correct(system, [*texts, "d"], cache=tmp_path / "o.sqlite")[-1] == "D"
    assert system.requests == ["a b", "c", "d"]
    next_version = Counting()
    next_version.version = "counting:2"
    correct(next_version, texts, cache=tmp_path / "o.sqlite")
    assert next_version.requests == ["a b", "c"]  # another version is another system


def test_a_killed_run_keeps_what_was_answered(tmp_path):
    class Dying(Counting):
        def __call__(self, texts):
            if len(self.requests) >= 64:
                raise KeyboardInterrupt
            return super().__call__(texts)

    texts = [f"text {n}" for n in range(100)]
    with pytest.raises(KeyboardInterrupt):
        correct(Dying(), texts, cache=tmp_path / "o.sqlite")
    again = Counting()
    assert correct(again, texts, cache=tmp_path / "o.sqlite") == [t.upper() for t in texts]
    assert again.requests == texts[64:]


class Limited(Counting):
    """Passes texts of more than three letters through, and counts them."""

    passed = 0

    def __call__(self, texts):
        self.requests += texts
        self.passed += sum(len(text) > 3 for text in texts)
        return [text if len(text) > 3 else text.upper() for text in texts]


def test_texts_that_are_passed_through_are_counted_each_time(tmp_path):
    for _ in range(2):
        system = Limited()
        assert correct(system, ["ab", "long one"], cache=tmp_path / "o.sqlite") == ["AB", "long one"]
        assert count_passed(system) == 1
    assert system.requests == ["long one"]  # changed texts are stored all the same
    assert count_passed(load("identity")) == 0


def test_the_command_says_how_many_texts_were_passed_through(tmp_path, monkeypatch):
    (tmp_path / "t.txt").write_text("ab\nlong one\n")
    monkeypatch.setattr("gec_fair.gec.systems.registry.load", lambda name, prompt: Limited())
    done = run("correct", tmp_path / "t.txt", "--system", "limited", "--no-cache")
    assert (done.code, done.stdout) == (0, "AB\nlong one\n")
    assert done.stderr == "note: counting:1 passed 1 of 2 texts through, as too long or without a usable answer\n"


def test_prose_in_a_settings_file_is_obeyed(tmp_path):
    (tmp_path / "t.txt").write_text("I have keys .\n")
    (tmp_path / "mine.yaml").write_text("prose: true\nno_cache: true\n")
    words = ("correct", tmp_path / "t.txt", "--system", "command:sed s/keys\\./keys!/")
    assert run(*words, "--settings", tmp_path / "mine.yaml").stdout == "I have keys !\n"


def test_a_system_that_swallows_a_text_is_a_fault():
    with pytest.raises(SystemFault, match="answered 1 texts of 2"):
        correct(Counting(keep=False), ["a", "b"])


def test_names_that_nobody_knows():
    choices = (
        "identity, symspell, harper, quire, bart:FOLDER, command:PROGRAM, command-prose:PROGRAM, "
        "editscorer:FOLDER, gector:FOLDER, openai:MODEL"
    )
    with pytest.raises(UsageError, match=rf"unknown system 'gectr'; did you mean gector\? choose from {choices}"):
        load("gectr")
    with pytest.raises(UsageError, match="system 'gector' needs an argument; write gector:FOLDER"):
        load("gector")
    with pytest.raises(UsageError, match="system 'openai' needs an argument; write openai:MODEL"):
        load("openai:")
    assert {"identity", "symspell"} <= set(list_available())
    assert folder_name("openai:org/model v2") == "openai-org-model-v2"


def test_symspell_mends_spelling_and_leaves_the_rest():
    system = load("symspell")
    assert system(["I recieve 2 letters , do n't I ?", "RECIEVE", "Recieve"]) == [
        "I receive 2 letters , do n't I ?",
        "RECEIVE",
        "Receive",
    ]
    assert system.version.startswith("symspell:")


QUIRE = [
    ("a word", "She had a apple .", [(8, 9, ("an",))], "She had an apple ."),
    ("the first suggestion", "He go .", [(3, 5, ("goes", "went"))], "He goes ."),
    ("nothing suggested", "He go very often .", [(6, 10, ())], "He go very often ."),
    ("a word to delete", "It is is late .", [(6, 9, ("",))], "It is late ."),
]


@pytest.fixture
def quire(monkeypatch):
    """Stand-ins for quire-grammar and its model."""
    grammar, model = ModuleType("quire_grammar"), ModuleType("quire_grammar.model")
    model.is_available = lambda: True
    grammar.model = model
    grammar.check = lambda text: []
    for module in (grammar, model):
        monkeypatch.setitem(sys.modules, module.__name__, module)
    monkeypatch.setattr("gec_fair.gec.systems.quire.require", lambda *names: None)
    quire_system.load_check.cache_clear()
    yield grammar
    quire_system.load_check.cache_clear()


@pytest.mark.weights
def test_the_published_quire_corrects_agreement_and_articles():
    pytest.importorskip("quire_grammar", reason="quire-grammar needs Python 3.11")
    system = load("quire")
    assert system.version == "quire:0.3.4:model:0.3.2"
    assert system(["He have a apple .", "They was late yesterday .", "The cat sat on the mat ."]) == [
        "He has an apple .",
        "They were late yesterday .",
        "The cat sat on the mat .",
    ]


@pytest.mark.parametrize(("why", "text", "corrections", "expected"), QUIRE, ids=[row[0] for row in QUIRE])
def test_quire_corrects_by_its_first_suggestions(why, text, corrections, expected, quire):
    quire.check = lambda text: [SimpleNamespace(start=a, end=b, suggestions=c) for a, b, c in corrections]
    assert load("quire")([text]) == [expected]


def test_quire_is_not_run_without_its_model(quire):
    quire.model.is_available = lambda: False
    with pytest.raises(MissingResource, match="quire cannot load its model; pip install"):
        load("quire")(["He go ."])


ECHO = f"{sys.executable} -c \"import sys; [print(l.strip().replace('x', 'y')) for l in sys.stdin]\""
FAULTS = [
    ("no such program", "command:no-such-program-here", UsageError, "cannot be started"),
    ("a bad quote", "command:sed 's/a", UsageError, "check the quotes"),
    ("a program that fails", f'command:{sys.executable} -c "raise SystemExit(3)"', SystemFault, "ended with 3"),
    ("one that says too little", "command:true", SystemFault, "answered 0 texts of 2"),
    (
        "no UTF-8",
        f'command:{sys.executable} -c "import sys; sys.stdout.buffer.write(bytes([255]))"',
        SystemFault,
        "not UTF-8",
    ),
]


def test_any_program_is_a_system():
    assert correct(load(f"command:{ECHO}"), ["x x", "", "ax"]) == ["y y", "", "ay"]


@pytest.mark.parametrize(("why", "name", "error", "said"), FAULTS, ids=[row[0] for row in FAULTS])
def test_programs_that_do_not_work(why, name, error, said):
    with pytest.raises(error, match=said):
        correct(load(name), ["a", "b"])


def test_a_model_behind_a_chat_server(chat, tmp_path):
    prompt = tmp_path / "p.txt"
    prompt.write_text("Correct this.\n")
    system = load("openai:some/model", prompt=prompt)
    assert correct(system, ["He go home .", "", "They go ."]) == ["He goes home .", "", "They goes ."]
    assert {(m["model"], m["temperature"], m["seed"], m["messages"][0]["content"]) for m in chat.requests} == {
        ("some/model", 0, 0, "Correct this."),
    }
    assert chat.keys == {"Bearer sk-secret"}
    assert "sk-secret" not in system.version
    assert load("openai:some/model").version != system.version  # another prompt is another system
    with pytest.raises(UsageError, match="--prompt is for openai:MODEL, and identity reads none"):
        load("identity", prompt=prompt)


def test_a_server_that_refuses_and_no_key_are_told(chat, monkeypatch):
    chat.down = True
    with pytest.raises(SystemFault, match="the server refused") as refused:
        correct(load("openai:m"), ["He go ."])
    assert "sk-secret" not in str(refused.value)
    monkeypatch.delenv("OPENAI_API_KEY")
    with pytest.raises(MissingResource, match="set OPENAI_API_KEY"):
        correct(load("openai:m"), ["He go ."])
    with pytest.raises(InputError, match="check --prompt"):
        load("openai:m", prompt=Path("nowhere.txt"))


@pytest.mark.parametrize(
    ("odd", "said"),
    [
        ({"choices": []}, "not a chat completion; check OPENAI_BASE_URL"),
        ("a page", "not a chat completion"),
    ],
    ids=["no choice", "no object"],
)
def test_an_answer_that_is_none_is_a_fault_and_is_not_kept(chat, odd, said, tmp_path):
    chat.odd = odd
    with pytest.raises(SystemFault, match=said):
        correct(load("openai:m"), ["He go ."], cache=tmp_path / "o.sqlite")
    chat.odd = None
    assert correct(load("openai:m"), ["He go ."], cache=tmp_path / "o.sqlite") == ["He goes ."]


def completion(content, finish="stop"):
    choice = {"index": 0, "finish_reason": finish, "message": {"role": "assistant", "content": content}}
    return {"choices": [choice]}


UNUSABLE = [
    ("empty", completion(None)),
    ("cut at its largest length", completion("He goes", "length")),
    ("kept back by a filter", completion("He", "content_filter")),
    ("with an explanation in further lines", completion("He goes .\n\nThe verb agrees.")),
]


@pytest.mark.parametrize(("why", "odd"), UNUSABLE, ids=[row[0] for row in UNUSABLE])
def test_a_text_without_a_usable_answer_stays_as_it_is_and_is_asked_about_again(chat, why, odd, tmp_path, capsys):
    chat.odd = odd
    assert correct(load("openai:m"), ["He go .", ""], cache=tmp_path / "o.sqlite") == ["He go .", ""]
    assert "passed 1 of 2 texts through, as too long or without a usable answer" in capsys.readouterr().err
    chat.odd = None
    assert correct(load("openai:m"), ["He go ."], cache=tmp_path / "o.sqlite") == ["He goes ."]


@pytest.mark.parametrize("refuses_all", [True, False])
def test_a_server_that_refuses_whatever_it_is_asked_is_a_fault_and_one_that_refuses_a_long_text_is_not(refuses_all):
    def script(body, before):
        is_refused = refuses_all or len(body["messages"][-1]["content"]) > 40
        return Said("the prompt is too long", 400) if is_refused else Said("OK .")

    with serving(script) as server, pytest.MonkeyPatch.context() as patch:
        patch.setenv("OPENAI_BASE_URL", server.url)
        patch.setenv("OPENAI_API_KEY", "sk-secret")
        long = "He go " * 20
        if refuses_all:
            with pytest.raises(SystemFault, match=r"no answer to 'OK \.' .*too long"):
                correct(load("openai:m"), [long])
        else:
            assert correct(load("openai:m"), [long, "OK"]) == [long, "OK ."]
            assert correct(load("openai:m"), [long]) == [long]


def test_a_model_of_one_name_on_two_servers_is_two_systems(monkeypatch):
    monkeypatch.setenv("OPENAI_BASE_URL", "http://me:pass@one.example:8000/v1/")
    one = load("openai:m").version
    monkeypatch.setenv("OPENAI_BASE_URL", "http://two.example/v1")
    assert one != load("openai:m").version
    assert one.endswith(":server:one.example:8000/v1")
    assert "pass" not in one


def test_systems_that_would_share_a_folder_are_refused(tmp_path):
    with pytest.raises(UsageError, match=r"two of them would be called alike .* give each its own name"):
        gf.compare(dict.fromkeys(("openai:a b", "openai:a-b"), "identity"), ["they-probe"], output=tmp_path)


def test_a_system_has_the_name_that_the_user_gives_it(tmp_path):
    (tmp_path / "t.txt").write_text("I recieve it .\n")
    assert load("short=symspell").version == load("symspell").version
    assert run("correct", tmp_path / "t.txt", "--system", "short=symspell", "--no-cache").stdout == "I receive it .\n"
    options = ("--evalset", "they-probe", "--resamples", "10", "--json")
    done = run("compare", "--system", "mine=command:cat", "--system", "identity", *options, "-o", tmp_path / "out")
    assert [row["system"] for row in json.loads(done.stdout)["rows"]] == ["identity", "mine"]
    assert run("gap", "--system", "mine=identity", *options).code == 0


LABELS = [
    ("a name", ["mine=command:cat x=1"], {"mine": "command:cat x=1"}),
    ("a sign of equality in the argument", ["command:cat x=1"], {"command:cat x=1": "command:cat x=1"}),
    ("the same system under two names", ["a=harper", "b=harper"], {"a": "harper", "b": "harper"}),
    ("no name", ["=harper"], "a system has an empty name before its =; write NAME=SYSTEM"),
    ("a blank one", [" =harper"], "a system has an empty name before its ="),
    ("no system", ["mine="], "mine= names no system after its ="),
    ("a name twice", ["mine=harper", "mine=symspell"], "two systems are called mine; give each its own name"),
    ("a system twice", ["harper", "harper"], "two systems are called harper; give each its own name"),
    ("a command twice: its key is not shown", ["command:cat K3"] * 2, "two systems are called command:…; give"),
]


@pytest.mark.parametrize(("why", "texts", "expected"), LABELS, ids=[row[0] for row in LABELS])
def test_names_of_systems_are_read_from_the_command_line(why, texts, expected):
    if isinstance(expected, dict):
        assert read_labels("system", texts) == expected
    else:
        with pytest.raises(UsageError, match=re.escape(expected)):
            read_labels("system", texts)


@pytest.mark.parametrize("name", ["..", "/", "="])
def test_a_name_without_letters_is_no_folder(name):
    with pytest.raises(UsageError, match="cannot have a folder"):
        folder_name(name)


def test_a_store_that_is_none_is_told(tmp_path):
    (tmp_path / "o.sqlite").write_text("no database, but long enough to be looked at as one" * 10)
    with pytest.raises(InputError, match="delete it"):
        correct(Counting(), ["a"], cache=tmp_path / "o.sqlite")
    with pytest.raises(InputError, match="GEC_FAIR_CACHE"):
        correct(Counting(), ["a"], cache=tmp_path / "o.sqlite" / "deeper" / "o.sqlite")


def test_the_key_of_a_program_is_in_no_folder_and_no_message(tmp_path):
    name = "command:cat -H 'Bearer K3'"
    assert folder_name(name).startswith("command-cat--H-")
    assert folder_name(name) != folder_name("command:cat -H 'Bearer K4'")
    assert "K3" not in folder_name(name) + visible_name(name) + load(name).version
    with pytest.raises(UsageError, match="unknown system 'comand:…'; did you mean command"):
        load("comand:cat -H 'Bearer K3'")


def test_runs_are_laid_out_for_comparison(tmp_path):
    gf.compare({"identity": "identity"}, ["they-probe"], output=tmp_path, resamples=100)
    folder = tmp_path / "runs" / "identity" / "0" / "they-probe"
    assert len((folder / "aug.txt").read_text().splitlines()) == 170
    assert "their" in (folder / "aug.txt").read_text()


def test_the_command_reads_files_m2_and_standard_input(tmp_path):
    (tmp_path / "t.m2").write_text("S I recieve it .\nA 1 2|||R:SPELL|||receive|||REQUIRED|||-NONE-|||0\n\n")
    code, out, _ = gec_fair("correct", tmp_path / "t.m2", "--system", "symspell", "--no-cache")
    assert (code, out) == (0, "I receive it .\n")
    code, out, _ = gec_fair("correct", "--system", "identity", "--no-cache", stdin="a\nb\n")
    assert (code, out) == (0, "a\nb\n")
    assert gec_fair("correct", "--system", "identity", "--no-cache", stdin="\ufeffa  c\r\nb\r\n")[1] == "a c\nb\n"
    (tmp_path / "empty.txt").write_text("")
    code, _, err = gec_fair("correct", tmp_path / "empty.txt", "--system", "identity", "-o", tmp_path / "o.txt")
    assert code == 2
    assert "is empty; expected one text a line" in err
    assert not (tmp_path / "o.txt").exists()
    code, _, err = gec_fair("correct", tmp_path / "t.m2", "--system", "identity", "-o", tmp_path)
    assert (code, "is a directory" in err) == (2, True)


@pytest.mark.parametrize("sign", ["\r", "\v", "\f", "\x85", "\u2028"], ids=ascii)
def test_a_sign_that_breaks_lines_shifts_none(sign):
    texts = [f"He{sign}go .", "I go ."]
    for program in ("cat", "python3 -c 'import sys; print(*sys.stdin.read().splitlines(), sep=chr(10))'"):
        assert load(f"command:{program}")(texts) == texts
    assert load("command:sed s/go/goes/")(texts) == ["He goes .", "I goes ."]


def test_a_program_that_changed_is_asked_again_and_its_byte_order_mark_is_no_word(tmp_path):
    program = tmp_path / "mend.py"
    versions = []
    for word in ("goes", "went"):
        program.write_text(f"import sys; print('\\ufeff' + sys.stdin.read().replace('go', '{word}'), end='')")
        system = load(f"command:{shlex.join([sys.executable, str(program)])}")
        assert system(["He go ."]) == [f"He {word} ."]
        versions.append(system.version)
    assert versions[0] != versions[1]


def test_lines_of_a_program_may_end_with_crlf():
    assert load("command:sed s/$/\\\\r/")(["a b", "c"]) == ["a b", "c"]
