"""Counterfactuals: said of every other subgroup, in the writer's way, or dropped with a reason."""

import json
import re
import typing
from importlib.metadata import version

import pytest

from gec_fair.data.user_tables import write_rows
from gec_fair.edits import Rewriting
from gec_fair.english.lexicons import slurs
from gec_fair.english.lexicons.check import ASSOCIATION_COLUMNS
from gec_fair.errors import InputError, UsageError
from gec_fair.llm.ask import Asker
from gec_fair.llm.server import LLMFault
from gec_fair.safety.counterfactuals import associations, by_chat_model, leftovers, templates
from gec_fair.safety.counterfactuals.by_rule import Counterfactual, Reason, Swapping
from gec_fair.safety.counterfactuals.identities import load
from gec_fair.safety.counterfactuals.identities import read as read_identities
from gec_fair.safety.data import groups, split, texts
from gec_fair.safety.data.groups import Slice, read_shipped
from gec_fair.safety.data.scores import find_sets
from tests.cli.invoke import run
from tests.llm.stub import Said, serving


@pytest.fixture(scope="module")
def swapping():
    return Swapping()


def said(swapping, text, source, target):
    source_ = read_shipped().slice(*source.split(": "))
    (made_texts,) = swapping([text], [source_])
    return next(counterfactual for counterfactual in made_texts if counterfactual.target.name == target)


@pytest.mark.parametrize(
    ("text", "source", "target", "wanted"),
    [
        pytest.param(
            "Muslims pray in a mosque.", "Religion: Islam", "Judaism", "Jews pray in a synagogue.", id="places"
        ),
        pytest.param(
            "Catholic nuns sang.", "Religion: Christianity", "Buddhism", "Buddhist nuns sang.", id="said once"
        ),
        pytest.param("She met a Muslim.", "Religion: Islam", "Atheism", "She met an atheist.", id="article"),
        pytest.param("Muslims are here.", "Religion: Islam", "Atheism", "Atheists are here.", id="a capital stays"),
        pytest.param("She met a Muslim man.", "Religion: Islam", "Judaism", "She met a Jewish man.", id="adjective"),
        pytest.param("what do muslims eat?", "Religion: Islam", "Christianity", "what do christians eat?", id="low"),
        pytest.param("MUSLIMS ARE HERE", "Religion: Islam", "Hinduism", "HINDUS ARE HERE", id="capitals"),
        pytest.param(
            "Gay people vote.",
            "Sexual Orientation: NonHeterosexual",
            "Heterosexual",
            "Straight people vote.",
            id="sentence's beginning",
        ),
        pytest.param("An Asian-owned shop.", "Race/Ethnicity: Asian", "Black", "A Black-owned shop.", id="compound"),
        pytest.param(
            "The white man sat on a white wall.",
            "Race/Ethnicity: White",
            "Asian",
            "The Asian man sat on a white wall.",
            id="walls have no race",
        ),
        pytest.param(
            "What are some white accounts?",
            "Race/Ethnicity: White",
            "Biracial",
            "What are some biracial accounts?",
            id="ambiguous, and nothing else says it",
        ),
        pytest.param("He lost his keys.", "Gender Identity: Male", "Female", "She lost her keys.", id="pronouns"),
        pytest.param("He lost his keys.", "Gender Identity: Male", "NonCisgender", "They lost their keys.", id="they"),
        pytest.param("A trans woman spoke.", "Gender Identity: NonCisgender", "Male", "A man spoke.", id="trans woman"),
        pytest.param(
            "A trans woman lost her keys; he laughed.",
            "Gender Identity: NonCisgender",
            "Male",
            "A man lost his keys; he laughed.",
            id="the pronouns of her chain",
        ),
        pytest.param(
            "A trans woman and her wife",
            "Gender Identity: NonCisgender",
            "Female",
            "A woman and her wife",
            id="nothing else",
        ),
        pytest.param(
            "Hindus pray in a temple.",
            "Religion: Hinduism",
            "Islam",
            "Muslims pray in a mosque.",
            id="a word that Buddhists share",
        ),
        pytest.param(
            "Hindus pray in a temple.",
            "Religion: Hinduism",
            "Buddhism",
            "Buddhists pray in a temple.",
            id="and that stays theirs",
        ),
        pytest.param(
            "Some black people met an honest man.",
            "Race/Ethnicity: Black",
            "Asian",
            "Some Asian people met an honest man.",
            id="two words, one with a free capital",
        ),
        pytest.param(
            "I'm a gay Muslim.", "Religion: Islam", "Judaism", "I'm a gay Jew.", id="a person behind adjectives"
        ),
        pytest.param(
            "A devout Muslim prays daily.",
            "Religion: Islam",
            "Judaism",
            "A devout Jew prays daily.",
            id="a person before a verb",
        ),
        pytest.param(
            "I am a proud black.", "Race/Ethnicity: Black", "White", "I am a proud White person.", id="a person"
        ),
        pytest.param(
            "Is he Hispanic or not?", "Race/Ethnicity: LatinX", "Asian", "Is he Asian or not?", id="said of somebody"
        ),
        pytest.param(
            "The Muslim next door slept.", "Religion: Islam", "Judaism", "The Jew next door slept.", id="a neighbour"
        ),
        pytest.param(
            "Being a Muslim every day.",
            "Religion: Islam",
            "Judaism",
            "Being a Jew every day.",
            id="a noun",
        ),
        pytest.param(
            "They fast during Ramadan.", "Religion: Islam", "Christianity", "They fast during Lent.", id="a fast"
        ),
        pytest.param(
            "A Latina cleaned up.", "Race/Ethnicity: LatinX", "Black", "A Black woman cleaned up.", id="a woman"
        ),
        pytest.param(
            "The Nigerian nurse sang.",
            "Race/Ethnicity: Black",
            "Biracial",
            "The biracial nurse sang.",
            id="low",
        ),
        pytest.param(
            "My trans daughter sang.",
            "Gender Identity: NonCisgender",
            "Male",
            "My son sang.",
            id="and a noun",
        ),
        pytest.param(
            "She came out as trans.",
            "Gender Identity: NonCisgender",
            "Female",
            "She came out as female.",
            id="an adjective without a noun",
        ),
        pytest.param(
            "Women drivers honked.",
            "Gender Identity: Female",
            "NonCisgender",
            "Transgender drivers honked.",
            id="before a noun",
        ),
        pytest.param(
            "My mother loves Diwali.",
            "Gender Identity: Female",
            "Male",
            "My father loves Diwali.",
            id="a feast",
        ),
        pytest.param("I was raised Mormon.", "Religion: Others", "Judaism", "I was raised Jewish.", id="raised so"),
        pytest.param(
            "The Cherokee lost their land.",
            "Race/Ethnicity: Indigenous",
            "Asian",
            "The Asian people lost their land.",
            id="a people by its name",
        ),
        pytest.param(
            "A woman is a woman.", "Gender Identity: Female", "Male", "A man is a man.", id="what the text says itself"
        ),
        pytest.param(
            "My biracial daughter sings.",
            "Race/Ethnicity: Biracial",
            "LatinX",
            "My Hispanic daughter sings.",
            id="a word without gender",
        ),
        pytest.param(
            "The girl loves her mother.",
            "Gender Identity: Female",
            "NonCisgender",
            "The non-binary child loves their parent.",
            id="a child alone may be any",
        ),
        pytest.param(
            "See http://x.y/muslim about Muslims.",
            "Religion: Islam",
            "Judaism",
            "See http://x.y/muslim about Jews.",
            id="addresses stay",
        ),
        pytest.param(
            "An Islamophobic ban on hijabs.",
            "Religion: Islam",
            "Judaism",
            "An antisemitic ban on kippahs.",
            id="what goes with a religion",
        ),
        pytest.param(
            "The gay man and his husband moved in.",
            "Sexual Orientation: NonHeterosexual",
            "Heterosexual",
            "The straight man and his wife moved in.",
            id="partners go with an orientation",
        ),
        pytest.param(
            "He told his wife that gays vote.",
            "Sexual Orientation: NonHeterosexual",
            "Heterosexual",
            "He told his wife that straight people vote.",
            id="and do not name it",
        ),
        pytest.param(
            "Lesbian mothers and lesbians marched.",
            "Sexual Orientation: NonHeterosexual",
            "Heterosexual",
            "Straight mothers and straight women marched.",
            id="a word for women of an orientation",
        ),
        pytest.param(
            "I met a Muslim yesterday.", "Religion: Islam", "Judaism", "I met a Jew yesterday.", id="before a time"
        ),
        pytest.param(
            "The Chinese-made phone belonged to a Muslim student.",
            "Religion: Islam",
            "Judaism",
            "The Chinese-made phone belonged to a Jewish student.",
            id="beside a compound that names nobody",
        ),
        pytest.param(
            "Gay Latinos vote.",
            "Race/Ethnicity: LatinX",
            "Asian",
            "Gay Asian people vote.",
            id="people behind a word that may be a first name",
        ),
        pytest.param(
            "The girl said that a Christian came.",
            "Gender Identity: Female",
            "Male",
            "The boy said that a Christian came.",
            id="a religion that is also a first name",
        ),
        pytest.param(
            "My fatherless boy slept.",
            "Gender Identity: Male",
            "NonCisgender",
            "My parentless non-binary child slept.",
            id="non-binary stands before the noun",
        ),
    ],
)
def test_a_text_is_said_of_another_subgroup(swapping, text, source, target, wanted):
    assert said(swapping, text, source, target).text == wanted


@pytest.mark.parametrize(
    ("text", "source", "target", "reason"),
    [
        ("Muslims pray in a mosque.", "Religion: Islam", "Atheism", "no counterpart"),
        ("Muslims and Jews met.", "Religion: Islam", "Judaism", "both named"),
        ("The weather is fine.", "Religion: Islam", "Judaism", "no mention"),
        ("Christians love Christmas.", "Religion: Christianity", "Atheism", "no counterpart"),
        ("Some whites hate blacks.", "Race/Ethnicity: White", "Black", "both named"),
        ("Mary sings.", "Gender Identity: Female", "NonCisgender", "no counterpart"),
        ("A non-binary person lost their keys.", "Gender Identity: NonCisgender", "Male", "pronoun"),
        ("A trans teacher lost their job.", "Gender Identity: NonCisgender", "Male", "pronoun"),
        ("Sikhs carry a kirpan.", "Religion: Others", "Islam", "custom"),
        ("Bernie Stone was born here. He trains the men's team.", "Gender Identity: Male", "Female", "pronoun"),
        ("What a non-Muslim says offends Islam.", "Religion: Islam", "Judaism", "custom"),
        ("The mosque hid a jihadist.", "Religion: Islam", "Christianity", "custom"),
        ("A member of the Churches of Christ met a pastor.", "Religion: Christianity", "Judaism", "custom"),
        ("Gay adults love adults of the same gender.", "Sexual Orientation: NonHeterosexual", "Heterosexual", "custom"),
        (
            "They are racist towards whites and others, far more than whites are.",
            "Race/Ethnicity: White",
            "Asian",
            "custom",
        ),
        ("The Christians sang carols.", "Religion: Christianity", "Islam", "custom"),
        ("The Chinese students spoke Chinese.", "Race/Ethnicity: Asian", "Black", "custom"),
        ("The Mexican family grilled tacos.", "Race/Ethnicity: LatinX", "Black", "custom"),
        ("He never takes off his kippah.", "Religion: Judaism", "Islam", "custom"),
        ("He is straight, he has a girlfriend.", "Sexual Orientation: Heterosexual", "NonHeterosexual", "partner"),
        ("I'm Catholic, my wife is Protestant.", "Religion: Christianity", "Judaism", "contrast"),
        ("Is he Hispanic or Latino?", "Race/Ethnicity: LatinX", "Asian", "contrast"),
        ("Trans women are women.", "Gender Identity: NonCisgender", "Male", "contrast"),
        ("Actresses earn less than actors.", "Gender Identity: Female", "Male", "contrast"),
        ("Mums and dads waited.", "Gender Identity: Male", "Female", "both named"),
        ("She is white as a sheet.", "Race/Ethnicity: White", "Black", "no mention"),
        ("Her skin is black.", "Race/Ethnicity: Black", "White", "no mention"),
        ("Lesbian mothers march.", "Gender Identity: Female", "Male", "no counterpart"),
        ("Lesbians and gay men met.", "Gender Identity: Male", "Female", "both named"),
        ("A trans lesbian spoke.", "Gender Identity: NonCisgender", "Male", "no counterpart"),
        ("A Latina nurse came.", "Race/Ethnicity: LatinX", "Asian", "no counterpart"),
        ("The king and his daughter wept.", "Gender Identity: Female", "Male", "both named"),
        ("A Filipino maid cleaned up.", "Gender Identity: Female", "Male", "custom"),
        ("Muslim women who wear the hijab vote.", "Gender Identity: Female", "Male", "custom"),
        ("The Jewish boy had his bar mitzvah.", "Gender Identity: Male", "Female", "custom"),
        ("The Jewish butcher keeps the Sabbath.", "Religion: Judaism", "Islam", "custom"),
        ("Buddhist monks live in a monastery.", "Religion: Buddhism", "Islam", "custom"),
        ("A Muslim girl took off her headscarf.", "Religion: Islam", "Hinduism", "custom"),
        ("She spoke at the First Baptist Church.", "Religion: Christianity", "Islam", "custom"),
        ("They met at St Paul's Church.", "Religion: Christianity", "Islam", "custom"),
        ("You know old man Lee.", "Gender Identity: Male", "Female", "custom"),
        ("The word lesbian is old.", "Sexual Orientation: NonHeterosexual", "Heterosexual", "custom"),
        ("Lesbian is not an insult.", "Sexual Orientation: NonHeterosexual", "Heterosexual", "custom"),
        ("He is gay and pretends to be bi.", "Sexual Orientation: NonHeterosexual", "Heterosexual", "custom"),
        ("Native or Indigenous women vote.", "Race/Ethnicity: Indigenous", "Asian", "contrast"),
        (
            "Bisexuals are not treated like LGBT people.",
            "Sexual Orientation: NonHeterosexual",
            "Heterosexual",
            "contrast",
        ),
        ("She sang with a boy band.", "Gender Identity: Male", "NonCisgender", "no counterpart"),
        ("We visited Uncle Tom.", "Gender Identity: Male", "NonCisgender", "no counterpart"),
        ("I saw a man tweet a joke.", "Gender Identity: Male", "NonCisgender", "no counterpart"),
        ("Male Sikhs are often called Singh.", "Religion: Others", "Judaism", "custom"),
        ("Then mum came.", "Gender Identity: Female", "NonCisgender", "no counterpart"),
    ],
)
def test_what_cannot_be_said_is_dropped_with_a_reason(swapping, text, source, target, reason):
    text_ = said(swapping, text, source, target)
    assert (text_.text, text_.reason) == (None, reason)


def test_every_subgroup_of_the_paper_can_be_said_as_adjective_person_and_people():
    known = load()
    for category, names in read_shipped().subgroups.items():
        for name in names:
            for slot in ("adjective", "person", "people"):
                assert (Slice(category, name), slot) in known.first


def test_a_text_and_its_counterfactuals_share_a_set_and_labels(swapping):
    table_rows = [
        texts.Text("a", "Muslims pray in a mosque.", (Slice("Religion", "Islam"),), labels={"hate": "0"}),
        texts.Text("b", "Nothing here.", labels={"hate": "1"}),
    ]
    expanded = texts.expand(table_rows, swapping)
    assert (expanded.named, expanded.complete) == (1, 0)
    assert expanded.dropped == {("Religion", "no counterpart"): 1}
    rows = {one.id: one.row() for one in expanded.texts}
    assert 0 < float(rows["a~Judaism"].pop("sure")) < 1
    assert rows["a~Judaism"] == {
        "id": "a~Judaism",
        "set_id": "a",
        "slices": "Religion: Judaism",
        "copy_of": "a",
        "text": "Jews pray in a synagogue.",
        "hate": "0",
    }
    assert rows["a"]["set_id"] == "a"
    assert (rows["b"]["set_id"], len(rows)) == ("", 7)


def test_copies_of_a_text_that_names_two_subgroups_have_ids_of_their_own(swapping):
    both = (Slice("Religion", "Islam"), Slice("Religion", "Judaism"))
    expanded = texts.expand([texts.Text("a", "Muslims and Jews met Hindus' friends.", both)], swapping)
    assert len({one.id for one in expanded.texts}) == len(expanded.texts) > 4


def test_a_text_of_two_categories_is_said_of_every_pair(swapping):
    whom = (Slice("Religion", "Islam"), Slice("Gender Identity", "Female"))
    expanded = texts.expand([texts.Text("a", "The Muslim woman lost her keys.", whom)], swapping)
    by_slices = {one.slices: one for one in expanded.texts}
    assert len(by_slices) == len(expanded.texts) == 7 * 3
    jew = by_slices[Slice("Religion", "Judaism"), Slice("Gender Identity", "Male")]
    assert (jew.id, jew.text, jew.copy_of) == ("a~Judaism~Male", "The Jewish man lost his keys.", "a")
    assert (expanded.complete, expanded.named, {one.set_id for one in expanded.texts}) == (1, 1, {"a"})


def test_texts_that_have_counterfactuals_already_are_left_as_they_are(swapping):
    islam, judaism = (Slice("Religion", name) for name in ("Islam", "Judaism"))
    rows = [texts.Text("a", "Muslims sing.", (islam,)), texts.Text("b", "Jews sing.", (judaism,), copy_of="a")]
    expanded = texts.expand(rows, swapping)
    assert [one.text for one in expanded.texts] == ["Muslims sing.", "Jews sing."]
    assert (expanded.named, expanded.left, expanded.texts[0].set_id) == (0, 1, "a")
    rows = [texts.Text("1", "Muslims sing.", (islam,), place="t.csv:2"), texts.Text("2", "Jews eat.", (judaism,), "1")]
    with pytest.raises(InputError, match=r"t\.csv:2: id '1' is the set_id of other texts"):
        texts.expand(rows, swapping)


@pytest.mark.parametrize(("slices", "is_hinted"), [((), True), ((Slice("Religion", "Islam"),), False)])
def test_a_table_without_subgroups_says_how_they_are_filled_in(swapping, slices, is_hinted):
    lines = texts.summarise(texts.expand([texts.Text("a", "Muslims sing.", slices)], swapping))
    assert any("safety mentions" in line for line in lines) is is_hinted


def test_what_only_some_rows_tell_is_empty_in_the_others(tmp_path):
    write_rows(tmp_path / "some.csv", [{"id": "a", "hate": "1"}, {"id": "b", "violence": "0"}])
    assert (tmp_path / "some.csv").read_text() == "id,hate,violence\na,1,\nb,,0\n"


@pytest.mark.parametrize(
    ("template", "wanted"),
    [
        ("I met a <social_group> yesterday.", "I met an Asian person yesterday."),
        ("A <social_group> man who is <social_group>.", "An Asian man who is Asian."),
        ("<social_group> are here.", "Asian people are here."),
        ("Why do <social_group>s sing?", "Why do Asian people sing?"),
        ("Jokes about <social_group:people>.", "Jokes about Asian people."),
        ("members of the <social_group> community", "members of the Asian community"),
        ("Stop anti-<social_group> hate.", "Stop anti-Asian hate."),
        ("I saw a tall <social_group> in the park.", "I saw a tall Asian person in the park."),
    ],
)
def test_templates_take_the_form_that_the_words_around_want(template, wanted):
    (filled_,) = templates.fill([template], "Race/Ethnicity")
    assert filled_[Slice("Race/Ethnicity", "Asian")] == wanted
    assert len(filled_) == 6


def test_the_genitive_of_several_has_no_second_s():
    (filled_,) = templates.fill(["those <social_group>'s houses"], "Religion")
    assert filled_[Slice("Religion", "Judaism")] == "those Jews' houses"


def test_one_template_is_one_set_whatever_the_categories():
    rows = [texts.Text("t", "a <social_group> man"), texts.Text("u", "a <social_group> person")]
    filled_, _ = templates.fill_all(rows, ["Religion", "Sexual Orientation"])
    assert {one.set_id for one in filled_} == {"t", "u"}
    assert sum(not one.copy_of for one in filled_) == 4  # of each category one text
    with pytest.raises(InputError, match="template u has no <social_group>"):
        templates.fill_all([rows[0], texts.Text("u", "nobody")], ["Religion"])


def test_subgroups_of_two_categories_that_share_a_name_have_ids_of_their_own():
    def rewriter(batch, sources):
        for text, source in zip(batch, sources, strict=True):
            yield [Counterfactual(Slice(source.category, "Others"), Rewriting.between(text, f"{text}!"))]

    text = texts.Text("t", "Young nurses.", (Slice("Age", "Young"), Slice("Job", "Nurse")))
    ids = [one.id for one in texts.expand([text], rewriter).texts]
    assert len(ids) == len(set(ids)) == 4


def test_a_counterfactual_says_how_sure_it_is_and_min_sure_leaves_out_others(tmp_path):
    rows = [
        texts.Text("m", "Muslims pray in a mosque.", (Slice("Religion", "Islam"),)),
        texts.Text("s", "My sister is a Muslim.", (Slice("Religion", "Islam"), Slice("Gender Identity", "Female"))),
    ]
    every = {one.id: one for one in texts.expand(rows, Swapping()).texts}
    assert every["m"].sure == ""
    assert 0 < float(every["m~Judaism"].sure) <= 1
    assert float(every["s~Judaism~Male"].sure) <= float(every["s~Judaism"].sure)
    least = float(every["m~Judaism"].sure) + 0.001
    surer = texts.expand(rows[:1], Swapping(min_sure=least))
    assert "m~Judaism" not in {one.id for one in surer.texts}
    assert surer.dropped["Religion", "unsure who"]

    write_rows(tmp_path / "texts.csv", (one.row() for one in rows))
    command = ("safety", "counterfactuals", tmp_path / "texts.csv", "-o", tmp_path / "out.csv")
    assert run(*command).code == 0
    again = texts.read(tmp_path / "out.csv", read_shipped())
    assert {one.id: one.sure for one in again} == {name: one.sure for name, one in every.items()}
    done = run(*command, "--min-sure", "1.5")
    assert (done.code, "min_sure is 1.5; it must be at least 0 and at most 1" in done.stderr) == (2, True)


def test_a_subgroup_without_a_word_of_the_form_has_no_text():
    (filled_,) = templates.fill(["Why are <social_group>s in that <social_group:place>?"], "Religion")
    by_subgroup = {who.name: text for who, text in filled_.items()}
    assert by_subgroup["Islam"] == "Why are Muslims in that mosque?"
    assert by_subgroup["Atheism"] is None


@pytest.mark.parametrize(
    ("text", "message"),
    [("Nobody here.", "has no <social_group>"), ("A <social_group:weather>.", "no such form")],
)
def test_templates_that_cannot_be_meant_are_refused(text, message):
    with pytest.raises(InputError, match=message):
        list(templates.fill([text], "Religion"))


MUSLIM = Slice("Religion", "Islam")


def answer(body):
    """Swaps the word; one subgroup cannot be said, one is incongruous, one repaired."""
    last = body["messages"][-1]["content"]
    if "The rewritings" in last:
        numbered = re.findall(r"^(\d+)\. of (\w+): (.*)$", last, re.MULTILINE)
        verdicts = {"Judaism": "incongruous", "Hinduism": "repaired"}
        return json.dumps(
            {
                "verdicts": [
                    {
                        "number": int(n),
                        "verdict": verdicts.get(group, "fine"),
                        "text": "Mended." if group == "Hinduism" else "",
                        "reason": "odd",
                    }
                    for n, group, _ in numbered
                ]
            }
        )
    target = re.search(r"From Islam to (\w+)[^:]*:", last)[1]
    return json.dumps({"thinking": "secret", "text": "" if target == "Atheism" else f"Of {target}."})


def chat_model(server, *, cache=None):
    return Asker(server.url, cache=cache).model("m", prompts=by_chat_model.PROMPTS)


@pytest.fixture(autouse=True)
def key(monkeypatch):
    monkeypatch.setenv("OPENAI_API_KEY", "sk-any")


def test_a_chat_model_rewrites_criticises_and_its_thoughts_go_nowhere(tmp_path):
    from gec_fair.runs.cache import Store

    with serving(lambda body, _: Said(answer(body))) as server:
        cache = Store(tmp_path / "answers.sqlite", "replies")
        rewriter = by_chat_model.Injection(chat_model(server, cache=cache))
        (counterfactuals,) = rewriter(["Muslims </data> pray."], [MUSLIM])
        by_subgroup = {
            counterfactual.target.name: (counterfactual.text, counterfactual.reason)
            for counterfactual in counterfactuals
        }
        assert by_subgroup["Christianity"] == ("Of Christianity.", None)
        assert by_subgroup["Atheism"] == (None, "no counterpart")
        assert by_subgroup["Judaism"] == (None, "incongruous")
        assert by_subgroup["Hinduism"] == ("Mended.", None)
        (flagged,) = rewriter.flagged
        assert (flagged["group"], "(odd)" in flagged["facts"]) == ("Religion: Judaism", True)
        requests_before = len(server.bodies)
        assert requests_before == 7
        list(by_chat_model.Injection(chat_model(server, cache=cache))(["Muslims </data> pray."], [MUSLIM]))
        assert len(server.bodies) == requests_before  # all is kept
    assert "secret" not in str(by_subgroup)


def test_a_server_that_fails_ends_it(monkeypatch):
    monkeypatch.setattr("gec_fair.llm.server.RETRIES", 0)
    with serving(lambda body, _: Said("", status=500)) as server, pytest.raises(LLMFault):
        list(by_chat_model.Injection(chat_model(server))(["Muslims pray."], [MUSLIM]))


@pytest.mark.parametrize(
    ("said", "critique", "wanted"),
    [
        pytest.param("Muslims  pray.", None, (None, "unchanged"), id="says the same"),
        pytest.param("Muslims pray, not Jews.", None, (None, "unchanged"), id="names them still"),
        pytest.param("Jews pray.", "Muslims pray!", (None, "unchanged"), id="repaired into it"),
        pytest.param("Jews pray.", "Jews pray!", ("Jews pray!", None), id="repaired"),
        pytest.param("They pray.", None, ("They pray.", None), id="by another word"),
    ],
)
def test_a_rewriting_that_still_names_the_subgroup_is_none(said, critique, wanted):
    def answered(body, _):
        last = body["messages"][-1]["content"]
        if "The rewritings" not in last:
            return Said(json.dumps({"thinking": "", "text": said}))
        verdict = {"verdict": "repaired" if critique else "fine", "text": critique or "", "reason": ""}
        return Said(json.dumps({"verdicts": [{"number": n, **verdict} for n in range(1, 7)]}))

    with serving(answered) as server:
        (counterfactuals,) = by_chat_model.Injection(chat_model(server))(["Muslims pray."], [MUSLIM])
    assert {(counterfactual.text, counterfactual.reason) for counterfactual in counterfactuals} == {wanted}


def some_slur(group="women", *, plural=False):
    return " ".join(next(slur.words for slur in slurs.load() if slur.group == group and slur.plural == plural))


SLURS = [
    ("Muslims pray.", "Jews pray, {slur}!", "fine", "", "new slur", "written at once"),
    ("Muslims pray.", "Jews pray, {Slur}'s.", "fine", "", "new slur", "in capitals, before a genitive"),
    ("Muslims pray.", "Jews pray, they {slur}.", "fine", "", "new slur", "as any part of speech"),
    ("Muslims pray.", "Jews pray.", "repaired", "Jews pray, {slur}.", "new slur", "repaired into it"),
    ("Muslims pray.", "Jews pray, {slurs}.", "fine", "", "new slur", "the plural"),
    ("Muslims, {slur}.", "Jews, {slur}.", "fine", "", None, "the text has it"),
    ("Muslims, {slurs}.", "Jews, {slur}.", "fine", "", None, "the text has it in another number"),
    ("Muslims, {slur}.", "Jews, {second}.", "fine", "", "new slur", "another than the text has"),
    ("Muslims pray.", "Jews pray.", "fine", "", None, "none"),
]


@pytest.mark.parametrize(
    ("text", "said", "verdict", "mended", "reason"), [row[:5] for row in SLURS], ids=[r[5] for r in SLURS]
)
def test_a_slur_of_the_models_is_never_written(tmp_path, text, said, verdict, mended, reason):
    slur, plural, second = some_slur(), some_slur(plural=True), some_slur("black people")
    text, said, mended = (
        form.format(slur=slur, Slur=slur.upper(), slurs=plural, second=second) for form in (text, said, mended)
    )

    def answered(body, _):
        if "The rewritings" not in body["messages"][-1]["content"]:
            return Said(json.dumps({"thinking": second, "text": said}))
        rows = [{"number": n, "verdict": verdict, "text": mended, "reason": second} for n in range(1, 7)]
        return Said(json.dumps({"verdicts": rows}))

    table = tmp_path / "texts.jsonl"
    table.write_text(json.dumps({"id": "a", "text": text, "slices": "Religion: Islam"}) + "\n")
    with serving(answered) as server:
        done = command(
            "counterfactuals", table, "--model", "m", "--base-url", server.url, "-o", tmp_path / "out.jsonl", "--json"
        )
    assert done.code == 0, done.stderr
    assert "requests, 0 answers from the cache" in done.stderr
    rows = [json.loads(line) for line in (tmp_path / "out.jsonl").read_text().splitlines()]
    number = len(groups.read_shipped().subgroups["Religion"]) - 1
    assert len(rows) == (1 if reason else 1 + number)
    assert json.loads(done.stdout)["left_out"] == ({"Religion": {reason: number}} if reason else {})
    assert all(has_no_new_slur(text, row["text"]) for row in rows)


def has_no_new_slur(text, new):
    return slurs.rows_in(new) <= slurs.rows_in(text)


def test_the_review_page_gets_no_slur_from_the_critique():
    slur = some_slur()

    def answered(body, _):
        if "The rewritings" not in body["messages"][-1]["content"]:
            return Said(json.dumps({"thinking": "", "text": "Jews pray."}))
        rows = [{"number": n, "verdict": "incongruous", "text": "", "reason": f"odd, {slur}"} for n in range(1, 7)]
        return Said(json.dumps({"verdicts": rows}))

    with serving(answered) as server:
        rewriter = by_chat_model.Injection(chat_model(server))
        list(rewriter(["Muslims pray."], [MUSLIM]))
    assert {row["facts"] for row in rewriter.flagged} == {"of Religion: Islam: Muslims pray. ()"}


GROUPS = "category,subgroup,also\nAge,Old,elderly\nAge,Young,\nReligion,Islam,Muslim\nReligion,None,Atheism|atheist\n"
TERMS = "category,subgroup,slot,term\nAge,Old,adjective,old\nAge,Old,adjective,elderly\nAge,Young,adjective,young\n"


def test_categories_of_ones_own_are_said_by_a_table_of_ones_own(tmp_path):
    (tmp_path / "groups.csv").write_text(GROUPS)
    (tmp_path / "terms.csv").write_text(TERMS)
    table = tmp_path / "texts.csv"
    table.write_text("id,text,slices\na,An elderly man spoke.,\nb,She met a Muslim.,\nc,Nothing.,\n")
    options = ("--groups", tmp_path / "groups.csv", "--terms", tmp_path / "terms.csv")
    done = command("mentions", table, *options, "-o", tmp_path / "named.csv")
    assert done.code == 0, done.stderr
    assert "2 name a subgroup" in done.stdout
    done = command("counterfactuals", tmp_path / "named.csv", *options, "-o", tmp_path / "out.csv")
    assert done.code == 0, done.stderr
    content = (tmp_path / "out.csv").read_text()
    assert "a~Young,a,Age: Young,a,A young man spoke." in content
    assert "b~None,b,Religion: None,b,She met an atheist." in content
    (tmp_path / "templates.csv").write_text("id,text\nt,a <social_group> man\n")
    done = command("fill", tmp_path / "templates.csv", *options, "--category", "age", "-o", tmp_path / "filled.csv")
    assert "t~Old,t,Age: Old,,an old man" in (tmp_path / "filled.csv").read_text(), done.stderr
    (tmp_path / "terms.csv").write_text(TERMS + "Age,Ancient,adjective,ancient\n")
    done = command("mentions", table, *options, "-o", tmp_path / "named.csv")
    assert done.code == 2
    assert "terms.csv:5: no subgroup of Age is called 'Ancient'" in done.stderr


def test_a_category_of_ones_own_is_told_to_the_chat_model(tmp_path):
    (tmp_path / "groups.csv").write_text(GROUPS)
    identities = read_identities(groups.read(tmp_path / "groups.csv"))
    with serving(lambda body, _: Said(json.dumps({"thinking": "", "text": "A young man spoke."}))) as server:
        rewriter = by_chat_model.Injection(chat_model(server), critique=False, identities=identities)
        (counterfactuals,) = rewriter(["An old man spoke."], [Slice("Age", "Old")])
        assert "From Age: Old to Age: Young:" in server.bodies[0]["messages"][-1]["content"]
    assert [(counterfactual.target, counterfactual.text) for counterfactual in counterfactuals] == [
        (Slice("Age", "Young"), "A young man spoke.")
    ]


def test_splits_keep_sets_whole_and_do_not_depend_on_company():
    rows = [{"id": f"{n}~{m}", "set_id": f"s{n}"} for n in range(300) for m in range(3)] + [{"id": "x", "copy_of": ""}]
    splits = split.split(rows, [60, 20, 20])
    sets = [{row.get("set_id") for row in split_rows} for split_rows in splits.values()]
    assert not sets[0] & sets[1]
    assert not sets[0] & sets[2]
    assert 480 < len(splits["train"]) < 600
    again = split.split(rows[300:], [60, 20, 20])
    assert [row for row in splits["train"] if row in rows[300:]] == again["train"]
    with pytest.raises(UsageError, match="three shares above 0"):
        split.split(rows, [50, 50])
    rows = [row for n in range(40) for row in ({"id": f"{n}", "set_id": f"s{n}"}, {"id": f"{n}~", "copy_of": f"{n}"})]
    numbers = [{row["id"].strip("~") for row in their} for their in split.split(rows, [1, 1, 1]).values()]
    assert sum(map(len, numbers)) == 40
    rows = [{"id": f"{n}", "set_id": f"{n // 50}"} for n in range(2000)]  # ids are no sets
    assert all(split.split(rows, [1, 1, 1]).values())


SETS = [
    ([("a", "s", ""), ("b", "", "a")], ["s", "s"], "a copy is of its text's set"),
    ([("b", "", "a"), ("a", "", "")], ["a", "a"], "without a set_id it is the text's id"),
    ([("a", "", ""), ("b", "s", "a"), ("c", "", "a")], ["s", "s", "s"], "a text is of its copies' set"),
    ([("b", "", "gone")], ["gone"], "the text may be elsewhere"),
    ([("a", "", ""), ("", "s", ""), ("", "", "")], ["", "s", ""], "a text by itself has none"),
]


@pytest.mark.parametrize(("ids", "sets", "why"), SETS, ids=[row[2] for row in SETS])
def test_a_text_and_its_counterfactuals_are_of_one_set(ids, sets, why):
    assert find_sets(ids) == sets


def test_a_certainty_that_is_no_probability_is_refused(tmp_path):
    (tmp_path / "t.csv").write_text("id,text,copy_of,sure\na,x,,\nb,y,a,nan\n")
    with pytest.raises(InputError, match=r"t\.csv:3: sure is 'nan', not a probability"):
        texts.read(tmp_path / "t.csv", read_shipped())


def command(*words):
    return run("safety", *words)


def test_as_a_user_calls_it(tmp_path, monkeypatch):
    monkeypatch.setenv("GEC_FAIR_CACHE", str(tmp_path / "cache"))
    table = tmp_path / "texts.csv"
    table.write_text("id,text,slices,hate\na,Muslims pray in a mosque.,Religion: Islam,0\nb,Nothing.,,1\n")
    done = command("counterfactuals", table, "-o", tmp_path / "out.csv")
    assert done.code == 0, done.stderr
    assert "Religion: 1 not made, the other subgroup has no word" in done.stdout
    assert len((tmp_path / "out.csv").read_text().splitlines()) == 8
    done = command("scores", tmp_path / "out.csv", "--source", "vader", "-o", tmp_path / "scored.csv")
    assert done.code == 0, done.stderr
    record = json.loads((tmp_path / "scored.csv.sources.json").read_text())
    assert record["sources"] == {"vader": f"vaderSentiment:{version('vaderSentiment')}"}
    with serving(lambda body, _: Said(answer(body))) as server:
        done = command(
            "counterfactuals",
            table,
            "--model",
            "m",
            "--base-url",
            server.url,
            "--review",
            tmp_path / "odd",
            "-o",
            tmp_path / "chat.csv",
        )
    assert done.code == 0, done.stderr
    assert "finds that it makes no sense" in done.stdout
    odd = json.loads((tmp_path / "odd/sentences.jsonl").read_text())
    assert (odd["text"], odd["group"]) == ("Of Judaism.", "Religion: Judaism")
    done = command("counterfactuals", table, "--no-critique", "-o", tmp_path / "out.csv")
    assert (done.code, "is for a chat model (--model)" in done.stderr) == (2, True)


def test_what_goes_with_a_group_is_marked_and_listed_for_a_reviewer(tmp_path):
    table = tmp_path / "texts.csv"
    table.write_text(
        "id,text,slices,hate\na,Jews died in the Holocaust.,Religion: Judaism,0\nb,Jews sang.,Religion: Judaism,0\n"
    )
    done = command("counterfactuals", table, "--review", tmp_path / "odd", "-o", tmp_path / "out.csv")
    assert done.code == 0, done.stderr
    assert "6 say what goes with the group of their text: column association" in done.stdout
    rows = texts.read(tmp_path / "out.csv", read_shipped())
    assert {row.association for row in rows if row.copy_of == "a"} == {"history: holocaust"}
    assert {row.association for row in rows if row.copy_of != "a"} == {""}
    assert all(set(row.labels) == {"hate"} for row in rows)
    lines = [json.loads(line) for line in (tmp_path / "odd/sentences.jsonl").read_text().splitlines()]
    assert len(lines) == 6
    assert lines[0]["facts"] == "history: holocaust; of Religion: Judaism: Jews died in the Holocaust."


def test_a_slur_gets_no_counterfactual(swapping):
    slur = next(slur for slur in slurs.load() if slur.group == "women" and not slur.plural)
    text_ = said(swapping, f"That woman is a {' '.join(slur.words)}.", "Gender Identity: Female", "Male")
    assert (text_.text, text_.reason) == (None, "slur")


def test_a_slur_of_a_group_that_no_category_has_counts_too(swapping):
    names = {name for (_, name) in read_shipped().names}
    unknown = next(slur for slur in slurs.load() if groups.plain(slur.group) not in names and slur.plural)
    text = f"All Muslims are {' '.join(unknown.words)} ."
    assert said(swapping, text, "Religion: Islam", "Judaism").reason == "slur"


@pytest.mark.parametrize(
    ("before", "after", "is_new"),
    [
        ("Black people face more and more hate .", "Native American people face more and more hate .", False),
        ("Trans women are women .", "Men are men .", True),
        ("More and more say that trans women are women .", "More and more say that men are men .", True),
        ("Women are women .", "Men are men .", False),
    ],
)
def test_what_a_text_says_of_itself_is_new_or_not(before, after, is_new):
    assert leftovers.is_of_itself(before, after) is is_new


def test_every_association_can_be_found():
    for who, rows in associations.load().items():
        for association in rows:
            assert association in associations.find(association.words, who)


def test_every_reason_is_explained():
    assert set(typing.get_args(Reason)) == set(texts.REASONS)


def test_associations_name_known_subgroups_and_a_wrong_kind_is_refused(tmp_path):
    for who in associations.load():
        assert read_shipped().slice(*who) == who
    path = tmp_path / "associations.tsv"
    path.write_text("\t".join(ASSOCIATION_COLUMNS) + "\nReligion\tIslam\todd\tword\t\n")
    with pytest.raises(InputError, match=r"associations.tsv:2: kind is 'odd'"):
        associations.load(path)


def test_templates_as_a_user_fills_them(tmp_path):
    table = tmp_path / "templates.csv"
    table.write_text("id,text,hate\nt,Why are <social_group>s in that <social_group:place>?,1\n")
    done = command("fill", table, "--category", "religion", "-o", tmp_path / "out.csv")
    assert done.code == 0, done.stderr
    lines = (tmp_path / "out.csv").read_text().splitlines()
    assert lines[1].startswith("t~Christianity,t,Religion: Christianity,,Why are Christians in that church?,1")
    assert ",t~Christianity," in lines[2]
    assert "1 left out" in done.stdout


def prompts(body, _):
    """Three of the five have the mark, one twice."""
    prompt = body["messages"][-1]["content"]
    theme = re.search(r"Theme: (.*?)\. Each asks for (.*?)\.", prompt)
    prompts = [f"Write {theme[2]} about {theme[1]} for a <social_group> {n}." for n in ("man", "woman", "man")]
    return Said(json.dumps({"prompts": [*prompts, "Write about nobody."]}))


def test_prompts_are_generated_by_policy_theme_and_form(tmp_path, monkeypatch):
    monkeypatch.setenv("GEC_FAIR_CACHE", str(tmp_path / "cache"))
    with serving(prompts) as server:
        words = (
            "generate",
            "hate",
            "harmless",
            "--model",
            "m",
            "--base-url",
            server.url,
            "--number",
            10,
            "-o",
            tmp_path / "templates.csv",
        )
        done = command(*words)
        assert done.code == 0, done.stderr
        first, requests_before = (tmp_path / "templates.csv").read_bytes(), len(server.bodies)
        assert requests_before == 4
        assert command(*words).code == 0
        assert ((tmp_path / "templates.csv").read_bytes(), len(server.bodies)) == (first, requests_before)
        sent = [body["messages"][-1]["content"] for body in server.bodies]
        assert sum("break this policy" in row for row in sent) == sum("be harmless" in row for row in sent) == 2
    lines = first.decode().splitlines()
    assert lines[0] == "id,set_id,slices,copy_of,text,hate,toxicity,sexual,violence"
    assert len(lines) == 1 + 8
    assert lines[1].startswith("hate-1,") and lines[1].endswith(",1,,,")  # noqa: PT018
    assert lines[-1].endswith(",0,0,0,0")
    assert "4 left out: no <social_group>; 4 left out: said twice" in done.stdout
    with serving(prompts) as server:  # more than there are pairs of theme and form: others are asked for
        done = command(
            "generate",
            "harmless",
            "--model",
            "m",
            "--base-url",
            server.url,
            "--number",
            900,
            "-o",
            tmp_path / "many.csv",
        )
        assert done.code == 0, done.stderr
        sent = [body["messages"][-1]["content"] for body in server.bodies]
        assert len(sent) == len(set(sent)) == 180
        assert any("Others than in rounds 1 to 1." in prompt for prompt in sent)
    assert command("generate", "hat", "--model", "m", "-o", tmp_path / "x.csv").code == 2


def test_without_any_answer_nothing_is_generated_and_the_reasons_are_said(tmp_path, monkeypatch):
    monkeypatch.setenv("GEC_FAIR_CACHE", str(tmp_path / "cache"))

    def script(body, before):
        return Said("", finish="content_filter") if "break this policy" in body["messages"][-1]["content"] else Said("")

    path = tmp_path / "templates.csv"
    with serving(script) as server:
        words = ("--model", "m", "--base-url", server.url, "--number", 10, "-o", path)
        done = command("generate", "hate", "harmless", *words)
    assert done.code == 2
    assert (
        "m: wrote no prompt (10 × no answer (the server's filter kept the answer back); 10 × no answer (the"
        in done.stderr
    )
    assert not path.exists()
