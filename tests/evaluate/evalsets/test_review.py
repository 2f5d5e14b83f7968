"""Review: a queue is looked at in the browser, every decision is kept, the finished set says who changed what."""

from __future__ import annotations

import json
import re
import threading
from contextlib import contextmanager
from types import SimpleNamespace

import pytest

from gec_fair.augmentation.options import Options
from gec_fair.errors import InputError, UsageError
from gec_fair.evaluate.evalsets.build import build, read_manifest, read_queue
from gec_fair.evaluate.evalsets.catalogue import in_folder
from gec_fair.evaluate.evalsets.review.agreement import agreements
from gec_fair.evaluate.evalsets.review.decisions import VERDICTS, Decision, Session, read_decisions
from gec_fair.evaluate.evalsets.review.export import export, final_verdict
from gec_fair.evaluate.evalsets.review.items import Item, carry_labels, rows
from gec_fair.evaluate.scoring.errant import Annotator
from gec_fair.evaluate.scoring.texts import read_reference, read_texts
from tests.cli.invoke import run

M2 = """S My teacher lost her keys on the park .
A 5 6|||R:PREP|||in|||REQUIRED|||-NONE-|||0

S Anna say she is tired .
A 1 2|||R:VERB:SVA|||says|||REQUIRED|||-NONE-|||0

S My uncle is doctor and he live in Rome .
A 3 3|||M:DET|||a|||REQUIRED|||-NONE-|||0
A 6 7|||R:VERB:SVA|||lives|||REQUIRED|||-NONE-|||0

S It rains .
A -1 -1|||noop|||-NONE-|||REQUIRED|||-NONE-|||0

S Each student needs his own laptop for study .
A 8 9|||R:NOUN|||studying|||REQUIRED|||-NONE-|||0
"""


@pytest.fixture
def folder(tmp_path):
    reference = tmp_path / "dev.m2"
    reference.write_text(M2)
    return build(reference, tmp_path / "queue", Options("st")).folder


@contextmanager
def served(session):
    """The page on a free port, in a thread."""
    from werkzeug.serving import make_server

    from gec_fair.evaluate.evalsets.review.server import HOST, app

    server = make_server(HOST, 0, app(session, "secret"))
    thread = threading.Thread(target=server.serve_forever, args=(0.01,), daemon=True)
    thread.start()
    try:
        yield f"http://{HOST}:{server.server_port}"
    finally:
        server.shutdown()
        thread.join()


@pytest.fixture
def page(browser):
    page_ = browser.new_page()
    yield page_
    page_.close()


def test_a_queue_holds_what_was_augmented_and_what_was_discarded_with_reasons(folder):
    queue = read_queue(folder)
    assert [(p.status, p.reason) for p in queue] == [
        ("augmented", ""),
        ("augmented", ""),
        ("discarded", "correction_lost"),
        ("augmented", ""),
    ]
    assert queue[2].aug.target == "My uncle is a doctor and they live in Rome ."
    items = in_folder(folder)
    assert items.kind == "st"
    assert read_texts(items.aug.source)[0] == tuple("My teacher lost their keys on the park .".split())
    assert [len(read_reference(side.m2)) for side in (items.orig, items.aug)] == [3, 3]


def test_the_same_input_gives_the_same_bytes_and_a_used_folder_is_refused(folder, tmp_path):
    reference = tmp_path / "dev.m2"
    before = {path.name: path.read_bytes() for path in folder.iterdir()}
    with pytest.raises(UsageError, match="--overwrite"):
        build(reference, folder, Options("st"))
    build(reference, folder, Options("st"), overwrite=True)
    assert {path.name: path.read_bytes() for path in folder.iterdir()} == before
    build(reference, folder, Options("fm"), stem="other", overwrite=True)
    assert in_folder(folder).kind == "mf"  # of the older set nothing is left


OUTSIDE = ["../dev", "a/b", "/tmp/dev", "a\\b", "C:dev", "", "a\0b", "a\nb"]


@pytest.mark.parametrize("stem", OUTSIDE)
def test_a_set_is_written_into_its_folder_alone(stem, tmp_path):
    (tmp_path / "dev.m2").write_text(M2)
    with pytest.raises(UsageError, match="beginning of a file's name"):
        build(tmp_path / "dev.m2", tmp_path / "queue", Options("st"), stem=stem)
    assert [path.name for path in tmp_path.iterdir()] == ["dev.m2"]


@pytest.mark.parametrize("change", [*({"stem": stem} for stem in OUTSIDE), {"stem": 5}, {"kind": "../st"}])
def test_a_manifest_of_another_person_leads_to_no_other_folder(change, folder, tmp_path):
    victim = tmp_path / "dev_notes.txt"
    victim.write_text("mine")
    manifest = folder / "manifest.json"
    manifest.write_text(json.dumps(json.loads(manifest.read_text()) | change))
    with pytest.raises(InputError, match="build the set again"):
        read_manifest(folder)
    with pytest.raises(InputError, match="build the set again"):  # the earlier set is removed by its stem
        build(tmp_path / "dev.m2", folder, Options("st"), overwrite=True)
    assert victim.read_text() == "mine"


def test_a_stem_with_a_star_removes_its_own_files_alone(tmp_path):
    (tmp_path / "dev.m2").write_text(M2)
    folder = build(tmp_path / "dev.m2", tmp_path / "queue", Options("st"), stem="*").folder
    (folder / "*_notes.txt").write_text("mine")
    build(tmp_path / "dev.m2", folder, Options("st"), stem="dev", overwrite=True)
    assert (folder / "*_notes.txt").exists()
    assert not [*folder.glob("[*]_orig.m2")]


def test_a_decision_is_on_disk_at_once_and_opening_again_goes_on(folder):
    Session(folder, "anna").decide(0, "accept", {"aug.target": "My teacher lost their keys in a park ."}, "good")
    again = Session(folder, "anna")
    item = again.items[0]
    assert again.texts(item)["aug.target"] == "My teacher lost their keys in a park ."
    assert again.texts(item)["orig.target"] == item.texts["orig.target"]
    again.withdraw(0)
    assert Session(folder, "anna").decisions == {}


@pytest.mark.parametrize(
    ("verdict", "texts"),
    [("maybe", {}), ("accept", {"aug.target": "  "}), ("accept", {"password": "x"})],
    ids=["no verdict", "an empty text", "no text of the item"],
)
def test_what_is_no_decision_is_refused_and_nothing_is_saved(folder, verdict, texts):
    session = Session(folder, "anna")
    with pytest.raises(ValueError, match=r"verdict|empty"):
        session.decide(0, verdict, texts)
    assert not session.path.exists()


def test_the_finished_set_holds_what_was_accepted_and_says_who_changed_what(folder, tmp_path):
    session = Session(folder, "anna")
    session.decide(
        0,
        "accept",
        {
            "orig.source": "My teacher lose her keys on the park .",
            "aug.source": "My teacher lose their\nkeys on the\tpark .\n",
        },
    )
    session.decide(1, "drop", {})
    session.decide(2, "accept", {"aug.source": "My uncle is doctor and they lives in Rome ."})
    with pytest.raises(UsageError, match="1 of 4 items are undecided"):
        export(folder, tmp_path / "final", Annotator())
    done = export(folder, tmp_path / "final", Annotator(), partial=True)
    assert done.counts == {"accept": 2, "drop": 1, "undecided": 1}
    final = in_folder(tmp_path / "final")
    assert [" ".join(t) for t in read_texts(final.aug.source)] == [
        "My teacher lose their keys on the park .",
        "My uncle is doctor and they lives in Rome .",
    ]
    edits = [[(e.start, e.end, e.replacement) for e in their[0]] for their in read_reference(final.aug.m2).annotators]
    assert edits == [[(2, 3, ("lost",)), (5, 6, ("in",))], [(3, 3, ("a",)), (6, 7, ("live",))]]
    changes = [json.loads(line) for line in (tmp_path / "final" / "changes.jsonl").read_text().splitlines()]
    assert [(c["reviewer"], c["text"], c["new"].split()[2]) for c in changes] == [
        ("anna", "orig.source", "lose"),
        ("anna", "aug.source", "lose"),
        ("anna", "aug.source", "is"),
    ]


def test_two_reviewers_are_compared_and_what_they_dispute_is_left_out(folder, tmp_path):
    anna, bert = Session(folder, "anna"), Session(folder, "bert")
    for n, (one, two) in enumerate([("accept", "accept"), ("drop", "reject"), ("reject", "reject"), ("accept",) * 2]):
        anna.decide(n, one, {})
        bert.decide(n, two, {"aug.target": "Each student needs a laptop ."} if n == 3 else {})
    [agreement] = agreements(read_decisions(folder), VERDICTS)
    assert (agreement.items, agreement.share, agreement.accepted, agreement.same_texts) == (4, 0.75, 2, 1)
    # by hand: expected agreement 0.5·0.5 + 0.25·0.5 = 0.375
    assert agreement.kappa.value == pytest.approx(1 - 0.25 / 0.625)
    done = export(folder, tmp_path / "final", Annotator())
    assert done.counts == {"accept": 1, "disputed": 2, "reject": 1}
    assert export(folder, tmp_path / "hers", Annotator(), by="anna").exported == 2
    with pytest.raises(InputError, match="no decisions by carl"):
        export(folder, tmp_path / "his", Annotator(), by="carl")
    printed = run("review", folder, "--agreement")
    assert printed.stdout.startswith("| reviewers | items | same verdict | kappa | accepted by both |")
    assert "| anna, bert | 4 | 75.0 % | 0.60 |" in printed.stdout, "four items have no interval"
    [row] = json.loads(run("review", folder, "--agreement", "--json").stdout)
    assert (row["items"], row["kappa"], row["verdicts"]["drop"]["reject"]) == (4, agreement.kappa.value, 1)
    assert "--json is for --agreement" in run("review", folder, "--json").stderr


def test_decisions_under_another_reviewers_name_are_not_read(folder):
    Session(folder, "anna").decide(0, "accept", {})
    (path,) = folder.rglob("anna.json")
    path.rename(path.with_name("bob.json"))
    with pytest.raises(InputError, match=r"bob\.json: no decisions of a reviewer \(the name in it is 'anna'"):
        Session(folder, "bob")


def test_a_decision_belongs_to_what_was_seen(folder, tmp_path):
    session = Session(folder, "anna")
    for n in range(4):
        session.decide(n, "accept", {})
    build(tmp_path / "dev.m2", folder, Options("fm"), overwrite=True)
    assert Session(folder, "anna").decisions == {}
    build(tmp_path / "dev.m2", folder, Options("st"), overwrite=True)
    assert len(Session(folder, "anna").decisions) == 4  # the decisions are not lost either


def test_the_page_may_be_open_twice(folder):
    one, two = Session(folder, "anna"), Session(folder, "anna")
    one.decide(0, "accept", {})
    two.decide(1, "reject", {})
    one.decide(2, "drop", {})
    assert [d.verdict for d in Session(folder, "anna").decisions.values()] == ["accept", "reject", "drop"]


def test_two_who_reject_agree_whatever_they_tried_first():
    assert final_verdict([Decision("1", "reject", {"aug.source": "x"}), Decision("1", "reject")]) == "reject"
    assert final_verdict([Decision("1", "accept", {"aug.source": "x"}), Decision("1", "accept")]) == "disputed"


def test_odd_white_space_survives(tmp_path):
    reference = tmp_path / "odd.m2"
    reference.write_text("S He lose 10\u00a0000 a\u2028b .\nA 1 2|||R:VERB:SVA|||loses|||REQUIRED|||-NONE-|||0\n")
    folder = build(reference, tmp_path / "q", Options("st", gate="none", mirror=True)).folder
    session = Session(folder, "anna")
    item = session.items[0]
    session.decide(0, "accept", dict(item.texts))
    [decision] = session.decisions.values()
    assert (decision.texts, len(item.texts["orig.source"].split(" "))) == ({}, 5)


def test_an_edited_pair_keeps_every_annotator(tmp_path):
    reference = tmp_path / "two.m2"
    noop = "A -1 -1|||noop|||-NONE-|||REQUIRED|||-NONE-|||1\n"
    reference.write_text(M2.split("\n\n")[0] + "\n" + noop)
    folder = build(reference, tmp_path / "q", Options("st")).folder
    Session(folder, "anna").decide(0, "accept", {"aug.target": "My teacher lost their keys at the park ."})
    items = in_folder(export(folder, tmp_path / "final", Annotator()).folder)
    assert [len(read_reference(side.m2).annotators[0]) for side in (items.orig, items.aug)] == [2, 2]


def test_agreement_needs_two(folder):
    Session(folder, "anna").decide(0, "accept", {})
    with pytest.raises(InputError, match="needs two reviewers; so far anna"):
        agreements(read_decisions(folder), VERDICTS)


def test_people_are_coloured_on_both_versions():
    item = Item(
        "x@1",
        "x",
        "augmented",
        "",
        {
            "orig.source": "Anna say she go",
            "orig.target": "Anna says she goes",
            "aug.source": "Anna say they goes",
            "aug.target": "Anna says they go",
        },
        [[(0, 1), (2, 3)]],
    )
    original, augmented = (line for _, line in rows(item, item.texts))
    assert [(t.text, t.change, t.cluster) for t in original] == [
        ("Anna", "", 0),
        ("say", "del", None),
        ("says", "ins", None),
        ("she", "", 0),
        ("go", "del", None),
        ("goes", "ins", None),
    ]
    assert [(t.text, t.swapped) for t in augmented if t.cluster == 0] == [("Anna", False), ("they", True)]


def test_labels_follow_words_that_are_replaced_inserted_and_deleted():
    assert carry_labels([0, None, 1], "a b c".split(), "x b c d".split()) == [0, None, 1, None]
    assert carry_labels([0, 1, None], "a b c".split(), "b c".split()) == [1, None]


def test_nothing_to_review_is_said(tmp_path):
    with pytest.raises(InputError, match="nothing to review"):
        Session(tmp_path, "anna")
    (tmp_path / "queue.jsonl").write_text("{}\n")
    with pytest.raises(InputError, match=r"queue.jsonl:1: is not a proposal"):
        Session(tmp_path, "anna")
    (tmp_path / "queue.jsonl").write_text("")
    with pytest.raises(UsageError, match="--reviewer"):
        Session(tmp_path, "../anna")


def test_the_address_works_once_and_only_here(folder):
    from gec_fair.evaluate.evalsets.review.server import app

    application = app(Session(folder, "anna"), "secret")
    client = application.test_client()
    assert client.get("/").status_code == 403
    assert client.get("/items").status_code == 403
    assert client.get("/?token=guess").status_code == 403
    assert client.get("/?token=secret", headers={"Host": "evil.example"}).status_code == 403
    answer = client.get("/?token=secret")
    assert answer.status_code == 302
    assert {"HttpOnly", "SameSite=Lax"} <= set(answer.headers["Set-Cookie"].split("; "))
    assert client.get("/items").status_code == 200
    assert client.post("/items/0", json={"verdict": "maybe"}).status_code == 400
    assert client.post("/items/99", json={"verdict": "accept"}).status_code == 404
    stranger = app(Session(folder, "anna"), "secret").test_client()
    assert stranger.get("/items").status_code == 403
    assert client.get("/?token=é").status_code == 302  # the cookie counts
    client = app(Session(folder, "anna"), "other").test_client()
    assert client.get("/?token=é").status_code == 403
    client.get("/?token=other")
    assert client.get("/items").status_code == 200
    client = application.test_client()
    assert client.get("/?token=secret").status_code == 403  # it has been used


@pytest.fixture
def client(folder):
    from gec_fair.evaluate.evalsets.review.server import app

    client = app(Session(folder, "anna"), "secret").test_client()
    client.get("/?token=secret")
    return client


JSON = "application/json"
HOSTILE = [
    ("/items/0", b"{", JSON, 400, "half of JSON"),
    ("/items/0", b"", JSON, 400, "no body"),
    ("/items/0", b"[1]", JSON, 400, "a list"),
    ("/items/0", b"null", JSON, 400, "null"),
    ("/items/0", b"\xff\xfe", JSON, 400, "no UTF-8"),
    ("/items/0", b'{"a":' * 200_000, JSON, 400, "brackets"),
    ("/items/0", b"[" * 200_000 + b"]" * 200_000, JSON, 400, "brackets that are closed"),
    ("/items/0", b'{"verdict": "accept", "note": "\\ud800"}', JSON, 400, "half a surrogate pair"),
    ("/items/0", b'{"verdict": "accept"}', "text/plain", 415, "another type, which a form may send"),
    ("/items/0", b"verdict=accept", "application/x-www-form-urlencoded", 415, "a form"),
    ("/items/0", b'{"verdict": "' + b"x" * (1 << 20) + b'"}', JSON, 413, "more than a megabyte"),
    ("/items/0", b'{"verdict": "maybe"}', JSON, 400, "another verdict"),
    ("/items/0", b'{"verdict": ["accept"]}', JSON, 400, "a list for a verdict"),
    ("/items/0", b'{"verdict": {}}', JSON, 400, "an object for a verdict"),
    ("/items/0", b'{"verdict": "accept", "texts": [1]}', JSON, 400, "a list for the texts"),
    ("/items/0", b'{"verdict": "accept", "texts": {"orig.source": 7}}', JSON, 400, "a number for a text"),
    ("/items/0", b'{"verdict": "accept", "texts": {"orig.source": null}}', JSON, 400, "null for a text"),
    ("/items/0", b'{"verdict": "accept", "texts": {"../../x": "a"}}', JSON, 400, "a text of another item"),
    ("/items/0/draft", b"[]", JSON, 400, "a draft that is a list"),
    ("/items/99", b"{}", JSON, 404, "no such item"),
    ("/items/-1", b"{}", JSON, 404, "a negative number"),
    ("/items/x", b"{}", JSON, 404, "no number"),
    ("/items/" + "9" * 5000, b"{}", JSON, 404, "a number of 5,000 digits"),
    ("/items/../../etc/passwd", b"{}", JSON, 404, "a way out"),
    ("/items/%2e%2e%2fpage.html", b"{}", JSON, 404, "a way out in signs"),
    ("/items", b"{}", JSON, 405, "an address that is only read"),
]


@pytest.mark.parametrize(("path", "body", "kind", "status", "why"), HOSTILE, ids=[row[4] for row in HOSTILE])
def test_a_hostile_request_is_refused_and_nothing_is_saved(folder, client, path, body, kind, status, why):
    client.application.config["PROPAGATE_EXCEPTIONS"] = True  # a traceback would be raised here
    assert client.post(path, data=body, content_type=kind).status_code == status
    assert not list(folder.glob("review/*"))


ORIGINS = [
    ({}, 200, "no page"),
    ({"Origin": "http://localhost"}, 200, "the page itself"),
    ({"Origin": "http://evil.example"}, 403, "another host"),
    ({"Origin": "http://localhost:9999"}, 403, "another port of this machine"),
    ({"Origin": "https://localhost"}, 403, "another scheme"),
    ({"Origin": "null"}, 403, "a page without an origin"),
    ({"Host": "evil.example"}, 403, "a name that points here"),
    ({"Host": "localhost.evil.example"}, 403, "a name that begins alike"),
    ({"Host": "127.0.0.1.evil.example"}, 403, "a name that begins with the address"),
]


@pytest.mark.parametrize(("headers", "status", "why"), ORIGINS, ids=[row[2] for row in ORIGINS])
def test_only_the_page_itself_decides(client, headers, status, why):
    assert client.post("/items/0", json={"verdict": "accept"}, headers=headers).status_code == status


def test_a_decision_that_cannot_be_written_is_said(client, monkeypatch):
    def fail(*_):
        raise OSError("no space left")

    monkeypatch.setattr("gec_fair.evaluate.evalsets.review.decisions.write_json", fail)
    answer = client.post("/items/0", json={"verdict": "accept"})
    assert (answer.status_code, answer.json) == (507, {"error": "no space left"})


def test_the_same_browser_opens_the_address_again_and_by_a_link(folder, page):
    with served(Session(folder, "anna")) as server:
        address = f"{server}/?token=secret"
        window = page.context.browser.new_context()
        window.new_page().goto(address)
        for _ in range(2):
            tab = window.new_page()
            tab.set_content(f"<a href={address!r}>review</a>")  # as a mail or a notebook would have it
            tab.click("a")
            tab.wait_for_selector("text=to go")


def test_an_export_of_an_undecided_set_must_be_meant(folder, tmp_path):
    Session(folder, "anna").decide(0, "accept", {})
    done = run("review", folder, "--export", tmp_path / "out")
    assert done.code == 2
    assert re.search("3 of 4 items are undecided; .* with --partial", done.stderr)
    assert not (tmp_path / "out").exists()
    assert run("review", folder, "--export", tmp_path / "out", "--partial").code == 0


def test_a_linguist_decides_with_the_keyboard(folder, page):
    session = Session(folder, "anna")
    with served(session) as address:
        page.goto(f"{address}/?token=secret")
        page.wait_for_selector("text=1 of 4")
        assert page.url == f"{address}/"  # the token is gone from the address
        assert page.locator(".del").first.inner_text() == "on"
        assert "their" in page.locator(".swapped").all_inner_texts()
        colours = page.locator(".p0").all_inner_texts()
        assert {"teacher", "her", "their"} <= set(colours)
        page.keyboard.press("a")
        page.wait_for_selector("text=2 of 4")
        page.keyboard.press("e")
        page.keyboard.press("End")
        page.keyboard.type(" indeed")
        page.wait_for_selector(".del:text-is('indeed')")  # the words above follow what is typed
        page.keyboard.press("Control+Enter")
        page.wait_for_selector("text=3 of 4")
        page.keyboard.press("r")
        page.wait_for_selector("text=4 of 4")
        page.keyboard.press("d")
        page.wait_for_selector("text=0 to go")
        page.keyboard.press("k")
        page.wait_for_selector("text=3 of 4")
        page.keyboard.press("z")
        page.wait_for_selector("text=1 to go")
    decisions = [(d.verdict, dict(d.texts)) for d in Session(folder, "anna").decisions.values()]
    edited = {"aug.source": "Anna say they are tired . indeed"}
    assert decisions == [("accept", {}), ("accept", edited), ("drop", {})]


def test_the_page_opens_where_it_stopped_and_says_what_went_wrong(folder, page):
    session = Session(folder, "anna")
    session.decide(0, "accept", {})
    with served(session) as address:
        page.goto(f"{address}/?token=secret")
        page.wait_for_selector("text=2 of 4")
        page.locator("textarea").first.fill("  ")
        page.keyboard.press("Escape")
        page.keyboard.press("a")
        page.wait_for_selector("text=not saved: orig.source: no text of this item, or empty")
        page.keyboard.press("Escape")


def test_explicit_bias_is_reviewed_on_the_same_page(tmp_path, page):
    case = {
        "seed": "0",
        "sentence": 3,
        "kind": "gendered",
        "old": "their",
        "new": "his",
        "start": 2,
        "end": 3,
        "source": "Tom lost their keys .",
    }
    deleted = {**case, "sentence": 4, "kind": "deleted", "new": ""}
    results = {"rows": [{"set": "s", "system": "x", "cases": [case, deleted]}]}
    (tmp_path / "results.json").write_text(json.dumps(results))
    with served(Session(tmp_path, "anna")) as address:
        page.goto(f"{address}/?token=secret")
        page.wait_for_selector("text=x, seed 0, s, sentence 3")
        assert page.locator(".del").all_inner_texts() == ["their"]
        assert page.locator(".ins").all_inner_texts() == ["his"]
        assert page.locator("textarea").count() == 0
        page.keyboard.press("a")
        page.wait_for_selector("text=2 of 2")
        page.keyboard.press("r")
        page.wait_for_selector("text=0 to go")
    export(tmp_path, tmp_path / "out", Annotator())
    kinds = json.loads((tmp_path / "out" / "review.json").read_text())["kinds"]
    assert {name: (row["biased"], row["precision"]) for name, row in kinds.items()} == {
        "gendered": (1, 100.0),
        "deleted": (0, 0.0),
    }


def test_a_taken_port_is_said(folder, monkeypatch):
    from gec_fair.evaluate.evalsets.review.server import serve

    with served(Session(folder, "anna")) as address, pytest.raises(UsageError, match="is taken"):
        serve(Session(folder, "anna"), port=int(address.rpartition(":")[2]), on_start=SimpleNamespace())
