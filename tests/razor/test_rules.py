"""The embedded rewriter: one thing changes, the meaning stays; where that is not sure, nothing."""

from __future__ import annotations

import pytest

from gec_fair.razor.documents.documents import Document
from gec_fair.razor.rewriting.rules import Rules

RULES = Rules()


def rewritings(text):
    return [candidate.text for candidate in RULES.propose([Document("1", "a", text)], [0])[0]]


CHANGED = [
    ("Rome is not able to win .", "Rome is unable to win .", "an affix that denies"),
    ("Fred was not unhappy.", "Fred was happy.", "the other way"),
    ("He did not obey the law .", "He disobeyed the law .", "a verb, in the helper's tense"),
    ("She does not remember it .", "She forgets it .", "in the third person"),
    ("They don't remember it.", "They forget it.", "without its helper in one word"),
    ("Ann Lee did not act in operas.", "Ann Lee never acted in operas.", "never, of a life"),
    ("The Blue Owls have not won a medal.", "The Blue Owls have never won a medal.", "never, in the perfect"),
    ("Ann Lee has no experience.", "Ann Lee lacks experience.", "lacks, of experience"),
    ("The law has not yet been passed.", "The law has yet to be passed.", "yet to"),
    ("The film was released in 2011.", "In 2011, the film was released.", "a time first, the article lower-case"),
    ("Anna was born in 1998 .", "In 1998 , Anna was born .", "a name keeps its capital; marks stay apart"),
    ("Anna was born on May 4, 1998.", "On May 4, 1998, Anna was born.", "a date"),
    ("Anna was born in 1998.", "Anna was born in the year 1998.", "the year"),
    ("The album was released in 1998.", "The album came out in 1998.", "a work comes out"),
    ("Tim Burton directed Batman in 1989.", "Batman was directed by Tim Burton in 1989.", "active to passive"),
    ("The club elected the two members.", "The two members were elected by the club.", "number of the new subject"),
    ("Batman was directed by Tim Burton.", "Tim Burton directed Batman.", "passive to active"),
    ("These songs are performed by the choir.", "The choir performs these songs.", "the new subject's number"),
    ("He was born in 2011 .", "In 2011 , he was born .", "a pronoun is lower-case behind it"),
    ("Hourglass is performed by the singer-poet.", "The singer-poet performs Hourglass.", "hyphens stay closed"),
    ("A man is feeding ducks.", "There is a man feeding ducks.", "there is"),
    ("Two girls are in a boat.", "There are two girls in a boat.", "there are, with a place"),
    ("There is a man reading a letter.", "A man is reading a letter.", "without there"),
    ("A man who is feeding ducks smiles.", "A man feeding ducks smiles.", "without who is"),
    ("A dog chasing a cat in the park.", "A dog that is chasing a cat in the park.", "an animal is no who"),
    ("It is a book written by a nurse.", "It is a book that was written by a nurse.", "that was, of what was made"),
    ("It is a town which has a mill.", "It is a town that has a mill.", "which as that"),
    ("She thinks the boat is safe.", "She thinks that the boat is safe.", "that is added"),
    ("She thinks that the boat is safe.", "She thinks the boat is safe.", "that is left out"),
    ("A man wearing a red coat is waiting.", "A man in a red coat is waiting.", "in his clothes"),
    ("They don't have a boat.", "They do not have a boat.", "a short form in full"),
    ("It's cold in the boat.", "It is cold in the boat.", "is in full"),
    ("It is cold in the boat.", "It's cold in the boat.", "is in short"),
    ("A pilot is able to land here.", "A pilot can land here.", "can"),
    ("The boat is incapable of sinking.", "The boat cannot sink.", "cannot"),
    ("We have to leave.", "We must leave.", "must"),
    ("The boat is going to sink.", "The boat will sink.", "will"),
    ("He bought a boat and an oar.", "He bought a boat as well as an oar.", "as well as"),
    ("About 50% of the boats sank.", "About 50 percent of the boats sank.", "percent"),
    ("She owns 3 boats.", "She owns three boats.", "a number in words"),
    ("He lives in the United States now.", "He lives in the U.S. now.", "a name that all know"),
    ("Two kids saw a movie.", "Two children saw a movie.", "a noun, in the same number"),
    ("They often sing.", "They frequently sing.", "an adverb"),
    ("He sat next to the stove.", "He sat beside the stove.", "an expression"),
    ("A person is waving.", "Someone is waving.", "a person is someone"),
    ("The Kite Shop was released in 2007.", "In 2007, The Kite Shop was released.", "a title keeps its capital"),
    ("The Kite Shop was directed by Ann Lee.", "Ann Lee directed The Kite Shop.", "in the middle as well"),
    ("The Danish kings ruled in 1700.", "In 1700, the Danish kings ruled.", "the article of a common noun"),
    ("The boat was built by Owl F.C.", "Owl F.C. built the boat.", "one full stop"),
    ("Fog Bank F.C. was founded by Ann Lee.", "Ann Lee founded Fog Bank F.C.", "not two"),
    ("Hush is a 2009 drama film.", "Hush is a drama film from 2009.", "a work's year behind it"),
    ("Hush is a song by Ann Lee.", "Hush is an Ann Lee song.", "whose song"),
    ("She was incapable of singing.", "She was unable to sing.", "unable, in the past"),
    ("You need to leave.", "You have to leave.", "need to"),
    ("A woman is asleep.", "A lady is asleep.", "a lady who is the subject"),
    ('"It\'s for us," she said.', '"It is for us," she said.', "no space behind a mark"),
    ("A few boys playing ball outside.", "A few boys who are playing ball outside.", "a few are several"),
    ("Ann Lee acted in a film.", "Ann Lee appeared in a film.", "appear in a film"),
    ("It's raining on the boat.", "It is raining on the boat.", "it's with a predicate"),
]  # fmt: skip


@pytest.mark.parametrize(("text", "expected", "why"), CHANGED, ids=[row[2] for row in CHANGED])
def test_rewritten(text, expected, why):
    assert expected in rewritings(text)


def test_a_denial_of_some_is_not_one_of_all():
    assert not any("must" in text for text in rewritings("Nobody has to know ."))
    assert not any("unhappy" in text for text in rewritings("He is not happy or rich ."))
    assert not any("were" in text for text in rewritings("The Beatles recorded the album in 1969 ."))


def test_a_long_sentence_takes_no_more_candidates_than_a_short_one():
    text = "They were not happy, " * 120 + "and it has to stop ."
    assert len(rewritings(text)) <= 24


UNCHANGED = [
    ("The Old Harbour is known by no other name .", "*no other name knows it*"),
    ("We have no money at all .", "*lack at all*"),
    ("They were on the shore, weren't they .", "a tag question"),
    ("A gentlemen sits here .", "one or several"),
    ("dog running up a hill", "a note without an article"),
    ("The US acted in accordance with its interests .", "who acts need not appear"),
    ("Few critics saw the play .", "of whom is said how many"),
    ("Songs of the Sea stars an actor .", "nobody is starred by a film"),
    ("All children did not obey .", "which need not be that none did"),
    ("It was a sloop-of-war .", "a part of a word"),
    ("He was a (tiny) man .", "what stands within marks"),
    ("Rome is not very able .", "not very able is not unable"),
    ("Soup is not hot .", "what is not hot need not be cold"),
    ("He did not win .", "who did not win need not have lost"),
    ("He did not tie the rope .", "and did not untie it"),
    ("She did not remember any poems .", "nobody forgets any"),
    ("She loves him .", "a pronoun's case would change"),
    ("The box contains apples .", "a verb that has no good passive"),
    ("The show took place .", "a verb that means little by itself"),
    ("Tim directed Batman and wrote it .", "two predicates"),
    ("He refers to it .", "a verb with a word that goes with it"),
    ("Ben was killed by 1990 .", "a time is nobody"),
    ("Person is one .", "what has a capital may be a name"),
    ("Telephone is a song .", "a title of one word"),
    ("Anna sang . Ben slept .", "two sentences"),
    ("Ben has a big brother .", "a fixed phrase"),
    ("The man is feeding ducks .", "a known person is not there for the first time"),
    ("Ann Lee released an album .", "*an album was released by Ann Lee* is awkward"),
    ("Keith Moss was released in prison clothes .", "a person does not come out"),
    ("The dog wagged it's tail .", "a wrong apostrophe"),
    ("The dog wagged it's long tail .", "the same with an adjective"),
    ("With it's drab and plain walls, it sank.", "and behind a preposition"),
    ("It's tells the story of a boat.", "*it is tells*"),
    ("There's two boats .", "*there is two boats*"),
    ("Ann Lee starred in That's So Us.", "a title"),
    ("Two women sing opera", "a verb that ends as a participle"),
    ("He sat beside of the road.", "*next to of*"),
    ("A film stars a woman.", "a lady where no lady is the subject"),
    ("She saw another woman.", "*another lady*"),
    ("Gold is used by dentists.", "what is so in general"),
    ("The lake is surrounded by the hills.", "a state"),
    ("The boat was built by a man.", "somebody new in the place of what is known"),
    ("Ann Lee has a house that was built by a monk.", "*has a house built*"),
    ("More factors increase the time companies have to respond .", "the time that is left, which nobody must use"),
    ("You don't remember it, do you?", "*you forget it, do you?*"),
    ("A girl is competing soon .", "there is nobody yet"),
    ("The boat was built by even the monks .", "an adverb that belongs to one side"),
    ("What the desert has to offer is sand .", "has to is no must here"),
    ("The plan is not legal in all states .", "which it may be in some"),
    ("It has to do with money .", "nothing must be done"),
    ("It was the money they have to spend .", "what they have, not what they must"),
    ("Aren't they cute!", "*are not they cute*"),
    ("The band has not yet been to Paris .", "*has yet to be to Paris*"),
    ("", "nothing"),
]


@pytest.mark.parametrize(("text", "why"), UNCHANGED, ids=[row[1] for row in UNCHANGED])
def test_left_alone(text, why):
    assert rewritings(text) == []


def test_a_denial_goes_together_with_another_change():
    rewritten = rewritings("The song was not available in 1998 .")
    assert "The song was unavailable in the year 1998 ." in rewritten
    assert not any(text.startswith("In") for text in rewritten)


def test_a_denial_of_two_words_is_whole_beside_another_change():
    rewritten = rewritings("Ann Lee did not produce television series.")
    assert "Ann Lee never produced TV series." in rewritten
    assert "Ann Lee produced TV series." not in rewritten


def test_a_time_that_is_denied_stays_behind():
    assert rewritings("Ann Lee was not born in 2007.") == ["Ann Lee was not born in the year 2007."]


def test_a_first_word_that_is_moved_loses_its_capital_unless_it_may_be_a_name():
    assert "Salsa is danced by two men." not in rewritings("Two men dance salsa.")
    assert not any(
        text.startswith("The boat was built by zorblings") for text in rewritings("Zorblings built the boat.")
    )
    assert "The boat was built by two men." in rewritings("Two men built the boat.")


def test_it_proposes_the_same_however_often_it_is_asked():
    documents = [Document(str(n), "a", "The film was released in 2011.") for n in range(3)]
    first, *others = RULES.propose(documents, [0, 1, 0])
    assert first
    assert others == [first, first]
    assert not RULES.draws
    assert RULES.version.startswith("rules:0.")
