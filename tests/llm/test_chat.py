"""The client of chat servers: answers are not asked again, and no key is ever shown."""

from __future__ import annotations

import re
import shlex

import pytest

from gec_fair.data.secrets import hidden, hide_secrets
from gec_fair.errors import GecFairError
from gec_fair.llm import server as servers
from gec_fair.llm.ask import Asker
from gec_fair.runs.cache import Store

QUESTIONS = [f"He go {n} ." for n in range(12)]


def ask(path, instructions, questions, *, model="m", **options):
    chat_model = Asker(cache=Store(path, "answers")).model(model)
    return [outcome.text for outcome in chat_model.ask_texts(instructions, questions, GecFairError, **options)]


def test_what_was_answered_is_not_asked_again(chat, tmp_path):
    path = tmp_path / "answers.sqlite"
    first = ask(path, "Correct.", [*QUESTIONS, QUESTIONS[0]])
    assert first == [f"He goes {n} ." for n in [*range(12), 0]]
    assert len(chat.requests) == 12
    chat.down = True  # nobody needs it any more
    assert ask(path, "Correct.", QUESTIONS[::-1]) == first[-2::-1]
    assert len(chat.requests) == 12


OTHERS = [("other", "Correct.", "another model"), ("m", "Correct it.", "another prompt")]


@pytest.mark.parametrize(("model", "prompt", "why"), OTHERS, ids=[row[2] for row in OTHERS])
def test_another_request_is_another_answer(chat, tmp_path, model, prompt, why):
    path = tmp_path / "answers.sqlite"
    ask(path, "Correct.", QUESTIONS)
    ask(path, prompt, QUESTIONS, model=model)
    assert len(chat.requests) == 24


def test_another_server_is_asked_anew(chat, tmp_path, monkeypatch):
    path = tmp_path / "answers.sqlite"
    ask(path, "Correct.", QUESTIONS[:1])
    monkeypatch.setenv("OPENAI_BASE_URL", "http://127.0.0.1:1/v1")
    monkeypatch.setattr(servers, "RETRIES", 0)
    with pytest.raises(GecFairError, match=r"no answer from http://127\.0\.0\.1:1/v1/ \(.*check OPENAI_BASE_URL"):
        ask(path, "Correct.", QUESTIONS[:1])


def test_after_a_server_that_failed_the_same_command_goes_on(chat, tmp_path):
    path = tmp_path / "answers.sqlite"
    reply = chat.reply

    def failing(text):
        chat.down = len(chat.requests) > 6
        return reply(text)

    chat.reply = staticmethod(failing)
    with pytest.raises(GecFairError, match="the same command resumes"):
        ask(path, "Correct.", QUESTIONS)
    chat.down, chat.reply = False, staticmethod(reply)
    before = len(chat.requests)
    ask(path, "Correct.", QUESTIONS)
    assert len(chat.requests) - before < 12


def test_no_key_is_shown_or_kept(chat, tmp_path):
    path = tmp_path / "answers.sqlite"
    ask(path, "Correct.", QUESTIONS)
    assert all(b"sk-secret" not in file.read_bytes() for file in tmp_path.iterdir())
    chat.down = True
    with pytest.raises(GecFairError, match="no access with Bearer …") as raised:
        ask(None, "Correct.", QUESTIONS[:1])
    assert "sk-secret" not in str(raised.value)


def test_an_answer_that_is_of_no_use_is_not_kept(chat, tmp_path):
    path = tmp_path / "answers.sqlite"
    ask(path, "Correct.", QUESTIONS, usable=lambda answer: "1" not in answer)
    ask(path, "Correct.", QUESTIONS)
    assert len(chat.requests) == 12 + 3  # 1, 10, 11


WORDS = [
    ("prog --key K1234567 --beam 4", "prog --key … --beam 4", "a long option, and a number too short for a key"),
    ("prog --api-key=K --beam=4", "prog --api-key=… --beam=4", "a value behind a sign"),
    ("env API_TOKEN=K prog", "env … …", "a variable; a program behind a program is a word like any other"),
    ("prog --header 'Authorization: Bearer sekret123'", "prog --header …", "an option that says nothing of keys"),
    ("prog -k sekret123 -ksekret123 c2VrcmV0=", "prog -k … … …", "a short option"),
    ("prog --url https://u:sekret@host --bearer sekret", "prog --url … --bearer …", "an address"),
    ("prog --beam 123456 --password 1234 -n 1234567", "prog --beam 123456 --password … -n …", "numbers"),
    ("python FILE --rate 0.5 --lr 1e-5 -", "python FILE --rate 0.5 --lr 1e-5 -", "a file that is there"),
    ("prog --password FILE absent.py", "prog --password … …", "no file, or one behind a key's name"),
    (f"prog {'x' * 5000}", "prog …", "a word that is too long for a file's name"),
]


@pytest.mark.parametrize(("command", "seen", "why"), WORDS, ids=[row[2] for row in WORDS])
def test_of_a_command_only_what_can_be_no_key_is_seen(command, seen, why, tmp_path):
    path = tmp_path / "mine.py"
    path.touch()
    shown_command, _, digest = hide_secrets(shlex.split(command.replace("FILE", str(path)))).rpartition(" #")
    assert shown_command == seen.replace("FILE", str(path))
    assert re.fullmatch("[0-9a-f]{8}", digest)


def test_two_commands_differ_in_what_is_hidden():
    assert hide_secrets(["prog", "-k", "one"]) != hide_secrets(["prog", "-k", "two"])
    assert hide_secrets(["prog", "-k", "one"]) == hide_secrets(["prog", "-k", "one"])


def test_the_longer_of_two_values_is_hidden_first():
    assert hidden("ab abc x", ["ab", "", "abc"]) == "… … x"
