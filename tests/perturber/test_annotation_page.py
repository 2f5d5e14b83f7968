"""The review page asks the three stages of annotation, and takes every answer by keyboard."""

from __future__ import annotations

from dataclasses import replace

import pytest

from gec_fair.evaluate.evalsets.review.annotation import NAME, AnnotationSet, Subject, write_set
from gec_fair.evaluate.evalsets.review.decisions import Session
from tests.evaluate.evalsets.test_review import served

AXES = {
    "gender": ("man", "woman", "non-binary"),
    "age": ("young", "senior"),
}
SONG = Subject("t:1", "An old man met her.", ("An", "old", "man", "met", "her", "."))
RAIN = Subject("t:2", "It rains.", ("It", "rains", "."))
SPANS = ((1, 2, "age"), (2, 3, "gender"), (4, 5, "gender"))


@pytest.fixture
def page(browser):
    page_ = browser.new_page()
    page_.faults = []
    page_.on("pageerror", lambda fault: page_.faults.append(fault))
    yield page_
    assert page_.faults == []
    page_.close()


def open_page(page, folder, address):
    page.goto(f"{address}/?token=secret")
    page.wait_for_selector("text=1 of ")


def write(folder, task, *subjects):
    write_set(folder / NAME, AnnotationSet(task, AXES, subjects))
    return Session(folder, "ann")


def press(page, *keys):
    for key in keys:
        page.keyboard.press(key)


def saved(folder):
    """The answers, by reviewer ann."""
    session = Session(folder, "ann")
    return [(d.verdict, d.answer) for item in session.items if (d := session.decisions.get(item.key))]


def test_words_are_selected_by_axis(tmp_path, page):
    with served(write(tmp_path, "select", SONG, RAIN)) as address:
        open_page(page, tmp_path, address)
        assert page.locator("#question").inner_text().startswith("Select the words")
        press(page, "ArrowRight", "2", "ArrowRight", "1", "ArrowLeft", "Shift+ArrowRight", "2")  # old takes it back
        assert page.locator("[data-axes]").all_inner_texts() == ["man"]
        press(page, "2")
        assert page.locator("[data-axes='gender age']").inner_text() == "man"
        page.click(".pick:text-is('her')")
        page.click("button:has-text('gender')")
        press(page, "9")  # there are two axes
        press(page, "a")
        page.wait_for_selector("text=2 of 2")
        press(page, "a", "k")  # nothing in it can be perturbed
        page.wait_for_selector("text=1 of 2")
        assert page.locator("[data-axes]").count() == 2  # the saved answers again
    assert saved(tmp_path) == [
        ("done", [[1, 3, "age"], [2, 3, "gender"], [4, 5, "gender"]]),
        ("done", []),
    ]


def test_keys_that_are_pressed_before_the_next_text_is_there_are_for_that_text(tmp_path, page):
    with served(write(tmp_path, "select", SONG, RAIN)) as address:
        open_page(page, tmp_path, address)
        press(page, "1", "a", "ArrowRight", "2", "d")
        page.wait_for_selector("text=0 to go")
        press(page, "a")
        page.wait_for_selector("text=2 done")
    assert saved(tmp_path)[0] == ("done", [[0, 1, "gender"]])


def test_an_attribute_is_chosen_for_each_word(tmp_path, page):
    with served(write(tmp_path, "attributes", replace(SONG, spans=SPANS))) as address:
        open_page(page, tmp_path, address)
        assert page.locator("legend").all_inner_texts() == ["old (age)", "man (gender)", "her (gender)"]
        press(page, "2", "ArrowUp")  # old is senior
        assert page.locator("input:checked").count() == 1
        press(page, "a")
        page.wait_for_selector("text=not saved: choose an attribute for every word; 2 missing")
        press(page, "ArrowDown", "1", "4")  # man; her is none of these
        assert page.locator("input:checked").count() == 3
        press(page, "ArrowUp", "ArrowUp", "1", "a")  # old is young
        page.wait_for_selector("text=0 to go")
    assert saved(tmp_path) == [("done", ["young", "man", "none of these"])]


def test_a_choice_by_mouse_is_one_too(tmp_path, page):
    with served(write(tmp_path, "attributes", replace(SONG, spans=SPANS[2:]))) as address:
        open_page(page, tmp_path, address)
        page.click("label:has-text('non-binary')")
        press(page, "a")  # although the choice has the focus
        page.wait_for_selector("text=0 to go")
    assert saved(tmp_path) == [("done", ["non-binary"])]


def test_a_text_is_rewritten(tmp_path, page):
    subject = replace(SONG, spans=SPANS[1:2], attributes=("man",), target="woman")
    with served(write(tmp_path, "rewrite", subject, replace(subject, id="t:2", target="non-binary"))) as address:
        open_page(page, tmp_path, address)
        assert page.locator(".line").first.inner_text().split("\n") == ["CHANGE", "man: man → woman"]
        assert page.locator(".p0").all_inner_texts() == ["man"]
        press(page, "a")
        page.wait_for_selector("text=not saved: the rewriting is the original; change it, or skip the text")
        press(page, "e", "Control+A")
        page.keyboard.type("An old woman met her.")
        page.wait_for_selector(".ins:text-is('woman')")
        press(page, "Control+Enter")
        page.wait_for_selector("text=2 of 2")
        assert "man: man → non-binary" in page.locator(".line").first.inner_text()
        press(page, "d")
        page.wait_for_selector("text=0 to go")
    session = Session(tmp_path, "ann")
    assert [(d.verdict, d.texts) for d in session.decisions.values()] == [
        ("done", {"rewriting": "An old woman met her."}),
        ("skip", {}),
    ]


def test_a_killed_session_goes_on_where_it_stopped(tmp_path, page):
    with served(write(tmp_path, "select", SONG, RAIN)) as address:
        open_page(page, tmp_path, address)
        press(page, "1", "a")
        page.wait_for_selector("text=2 of 2")
    with served(Session(tmp_path, "ann")) as address:
        page.goto(f"{address}/?token=secret")
        page.wait_for_selector("text=2 of 2")
        assert "1 done" in page.locator("#counts").inner_text()
