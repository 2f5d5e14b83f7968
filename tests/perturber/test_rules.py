"""The rule perturber: a word's chain takes the new attribute, and nothing else changes. Sentences are ours."""

from __future__ import annotations

import lzma
import re
from itertools import islice

import pytest
from spacy.tokens import Span

from gec_fair.edits import edit_words
from gec_fair.english.lexicons.paradigms import pronoun_tokens
from gec_fair.errors import UsageError
from gec_fair.people.terms.axes import SHIPPED
from gec_fair.people.terms.lexicon import load
from gec_fair.perturber.rewriting.options import PerturbOptions
from gec_fair.perturber.rewriting.perturb import Perturbing
from gec_fair.perturber.rewriting.perturbability import perturbability
from gec_fair.perturber.rewriting.sampling import Choice, axis_weights, choices, draw_choices
from gec_fair.perturber.rewriting.segments import apart, prompt_text, rewrite
from gec_fair.perturber.words import ages


@pytest.fixture(scope="module")
def perturbing():
    return Perturbing(PerturbOptions(tokenised=True))


def perturbed(perturbing, text, word, target, axis, *, surely=False):
    """The text with the first such word of that axis rewritten; `surely`: only if that is sure enough."""
    (read,) = perturbing.read([[text]])
    mention = next(mention for mention in read.words if mention.text(read.doc) == word and mention.axis == axis)
    plan = perturbing.plan if surely else perturbing.rules.plan
    return " ".join(edit_words(plan(read, Choice(mention, target)), read.tokens.words))


GENDER = [
    (
        "He never called . I asked this guy twice . He left .",
        "guy",
        "non-binary",
        "They never called . I asked this person twice . They left .",
        "the only man takes the pronouns along",
    ),
    (
        "In 1759 he came back . He worked with George Croghan .",
        "He",
        "woman",
        "In 1759 she came back . She worked with George Croghan .",
        "whom he works with is another man",
    ),
    (
        "John lost his keys . Bob laughed at him .",
        "Bob",
        "woman",
        "John lost his keys . Bianca laughed at him .",
        "two men of whom one is meant stay apart",
    ),
    (
        "The house is his following the divorce .",
        "his",
        "woman",
        "The house is hers following the divorce .",
        "no gerund",
    ),
    ("He led his horse to his groom .", "He", "woman", "She led her horse to her groom .", "a groom of horses"),
    ("He paid his € 9 fee .", "He", "woman", "She paid her € 9 fee .", "money that somebody has"),
    ("She sold her $ 2 million house .", "She", "man", "He sold his $ 2 million house .", "a price before a thing"),
    ("They liked his entering the race .", "his", "woman", "They liked her entering the race .", "a gerund"),
    ("She likes her dog .", "She", "man", "He likes his dog .", "who has a dog is a person"),
    ("She saw a cat . She was tired .", "She", "man", "He saw a cat . He was tired .", "who sees one, too"),
    ("She saw her husband .", "She", "man", "He saw his husband .", "the husband is another person"),
    ("She saw her husband .", "husband", "woman", "She saw her wife .", "and the owner stays who she is"),
    ("She is late , and she knows it .", "She", "non-binary", "They are late , and they know it .", "verbs agree"),
    ("My sister Emma lost her keys .", "sister", "man", "My brother Ethan lost his keys .", "noun, name and pronoun"),
    ("He was an actor .", "He", "woman", "She was an actress .", "what somebody is said to be"),
    ("She was an actress .", "actress", "non-binary", "They were a performer .", "an article follows its noun"),
    ("Women like shopping .", "Women", "man", "Men like shopping .", "the paper's own kind of sentence"),
    ("The policeman took off his hat .", "policeman", "non-binary", "The police officer took off their hat .", "nouns"),
    ("A LADY LOST HER DOG .", "LADY", "man", "A GENTLEMAN LOST HIS DOG .", "capitals stay"),
    ("You show himselves .", "himselves", "woman", "You show herself .", "what learners write is read"),
    ("Jack lost his jacket .", "Jack", "woman", "Jane lost her jacket .", "a name within a word by chance"),
    ("Me and my dad , 2015 .", "dad", "woman", "Me and my mom , 2015 .", "no reference"),
    ("Mr. Smith met Mr. Jones .", "Mr.", "woman", "Mrs. Smith met Mr. Jones .", "a title is of its name"),
    ("Mr. Smith met Mrs. Smith .", "Mr.", "non-binary", "Mx. Smith met Mrs. Smith .", "and says whose name it is"),
    ("John Smith met Bob Smith .", "John", "woman", "Jessica Smith met Bob Smith .", "a surname alone links nobody"),
    ("the man likes his car .", "man", "woman", "the woman likes her car .", "no capitals appear"),
    ("He said that the Mother was ill .", "Mother", "non-binary", "He said that the Parent was ill .", "nor go"),
    ("She became a policewoman .", "She", "man", "He became a policeman .", "what somebody becomes"),
    ("He works as a waiter .", "waiter", "woman", "She works as a waitress .", "or works as"),
    ("She was an aunt , a mother and a widow .", "She", "man", "He was an uncle , a father and a widower .", "a list"),
    ("The king saw his brother , who is a monk .", "monk", "woman", "The king saw his sister , who is a nun .", "who"),
    ("His name is Tom .", "His", "woman", "Her name is Toni .", "a name that is reported"),
    ("Their son , an actor , left .", "son", "woman", "Their daughter , an actress , left .", "in apposition"),
    ("A prince came . The prince was sad .", "prince", "woman", "A princess came . The princess was sad .", "the N"),
    ("The tall man met the short man .", "man", "woman", "The tall woman met the short man .", "two told apart"),
    ("The boys ' room is here .", "boys", "non-binary", "The children 's room is here .", "the mark of a genitive"),
    ("These women 's room is here .", "women", "non-binary", "These people 's room is here .", "or the same"),
    ("She 's never been ill .", "She", "non-binary", "They 've never been ill .", "'s may be has"),
    ("An elderly gentleman fixed it himself .", "gentleman", "woman", "An elderly lady fixed it herself .", "himself"),
    ("The king himself came .", "himself", "woman", "The queen herself came .", "right behind it"),
    (
        "The boss wanted his aunt to see it herself .",
        "herself",
        "man",
        "The boss wanted his uncle to see it himself .",
        "whose clause it is",
    ),
    ("Her ladyship took her tea .", "ladyship", "man", "His lordship took his tea .", "an honorific"),
    ("A Latina woman smiled .", "woman", "man", "A Latino man smiled .", "a quality that says it too"),
    ("A Latina teacher met a Latina woman .", "woman", "man", "A Latina teacher met a Latino man .", "of two one"),
    (
        "Mr. Kerry and his wife , Teresa , left .",
        "wife",
        "non-binary",
        "Mr. Kerry and his spouse , Taylor , left .",
        "after another",
    ),
    ("The male is larger .", "male", "non-binary", "The non-binary person is larger .", "a noun is one"),
    (
        "He neither sings nor dances .",
        "He",
        "non-binary",
        "They neither sing nor dance .",
        "verbs that look like nouns",
    ),
    (
        "Walter Henry Farnham was a painter . He died early .",
        "Walter",
        "woman",
        "Wanda Heather Farnham was a painter . She died early .",
        "a middle name that is a surname elsewhere",
    ),
]


@pytest.mark.parametrize(("text", "word", "target", "expected", "why"), GENDER, ids=[row[4] for row in GENDER])
def test_gender(perturbing, text, word, target, expected, why):
    assert perturbed(perturbing, text, word, target, "gender") == expected


SENTENCES = [
    ("When he comes , sits down , and eats , we laugh .", "he", "a verb without a subject"),
    ("Either he or Mary knows it .", "he", "a subject of two"),
    ("Sir Henry lost his hat .", "Sir", "a title without a counterpart"),
    ("Lady Agnes left .", "Lady", "nor is person one"),
    ("Father Brown left .", "Father", "nor is a priest a parent"),
]


UNTOLD = [
    ("The 5-month-old baby cried .", "baby", "senior", "an age in months is of nobody else"),
    ("Kids under 5 get in free .", "Kids", "senior", "nor are seniors under five"),
    ("We asked 70 children , aged 8–10 years .", "children", "senior", "nor aged eight"),
    ("Old girl , said George .", "girl", "adult", "one edit within another"),
    ("The prize is for women and girls .", "girls", "adult", "women and women"),
    ("Ring girls smiled at the boxers .", "girls", "senior", "a trade"),
    ("They could never produce children .", "children", "senior", "who is born is no senior"),
    ("She fell ill at the age of six weeks , and the child was treated .", "child", "senior", "the age of a baby"),
    ("Polish nationalism arose amongst Polish activists .", "Polish", "asian", "said of what they want as well"),
    ("The Swedish captain scored for Sweden .", "Swedish", "asian", "their country"),
    ("Abdul Qadus Khan came .", "Khan", "hispanic", "a surname with first names that stay"),
    ("Rick Lee owns SpreadingRick.com .", "Rick", "asian", "a name in another word"),
    ("If you have kids , show those kids .", "kids", "senior", "the same people before"),
    ("They wanted a child .", "child", "senior", "who is not born yet"),
    ("After dad died we moved .", "dad", "non-binary", "a name for a parent"),
    ("Carl Laemmle , born Karl Lämmle , made films .", "Karl", "asian", "a second name of one person"),
    ("Steven Vikas Chen came .", "Steven", "black", "a name of two origins"),
    ("As such , the young Peter Lee grew up rich .", "young", "adult", "the before a name"),
    ("Clinton had signed a treaty with Norway .", "Clinton", "woman", "a surname"),
    (
        "He was the son of Gordon Waltman Perry , a clerk . "
        "His mother was Courtney Wellington ( née Davis ) , a writer .",
        "He",
        "woman",
        "the subject of the next sentence",
    ),
    ("John Lee was born here . The Life of John Lee is a book .", "John", "woman", "a title has the name too"),
]


@pytest.mark.parametrize(("text", "word", "target", "why"), UNTOLD, ids=[row[3] for row in UNTOLD])
def test_what_would_contradict_itself_stays(perturbing, text, word, target, why):
    assert perturbed(perturbing, text, word, target, SHIPPED.axis_of(target), surely=True) == text


@pytest.mark.parametrize(("text", "word", "why"), SENTENCES, ids=[row[2] for row in SENTENCES])
def test_a_chain_that_cannot_become_neutral_whole_stays_whole(perturbing, text, word, why):
    assert perturbed(perturbing, text, word, "non-binary", "gender") == text


@pytest.mark.parametrize("word", sorted(pronoun_tokens()))
def test_every_he_or_she_word_is_found_however_it_is_spelt(perturbing, word):
    tokens = perturbing.tokens([f"We saw {word} ."])
    (doc,) = perturbing.parse([tokens])
    assert [(mention.axis, mention.start) for mention in perturbing.finder.find(doc)] == [("gender", 2)]


STATED_AGES = [
    ("A black man in a black coat left .", "black", "asian", "An Asian man in a black coat left .", "race", "a coat"),
    ("She is Asian .", "Asian", "black", "She is Black .", "race", "said of somebody"),
    ("The Chinese were here .", "Chinese", "hispanic", "The Peruvians were here .", "race", "a people"),
    ("An Asian met two Hispanics .", "Hispanics", "white", "An Asian met two white people .", "race", "plurals"),
    ("Latoya and her son left .", "Latoya", "hispanic", None, "race", "names change, and their gender does not"),
    ("The elderly woman smiled .", "elderly", "young", "The young woman smiled .", "age", "an adjective"),
    ("Two teenagers sang .", "teenagers", "senior", "Two seniors sang .", "age", "a noun"),
    ("He is eleven years old .", "eleven", "young", "He is thirty-four years old .", "age", "a number in words"),
    ("An 8-year-old boy sang .", "8-year-old", "senior", "A 78-year-old man sang .", "age", "a number and its article"),
    ("She was in her forties .", "forties", "senior", "She was in her seventies .", "age", "a decade"),
    ("A man aged 70 fell .", "70", "child", "A boy aged 7 fell .", "age", "told behind"),
    ("She is twenty-one years old .", "twenty-one", "senior", "She is sixty-eight years old .", "age", "two numerals"),
    ("She is twenty - one years old .", "twenty - one", "senior", "She is sixty - eight years old .", "age", "apart"),
    ("He is forty five years old .", "forty five", "child", "He is five years old .", "age", "without a hyphen"),
    ("She turned 70 .", "70", "young", "She turned 22 .", "age", "a birthday"),
    ("A man of fifty smiled .", "fifty", "senior", "A man of seventy-three smiled .", "age", "of an age"),
    ("Anna Baker , 34 , left .", "34", "senior", "Anna Baker , 83 , left .", "age", "as newspapers tell it"),
    ("an asian man left .", "asian", "black", "a black man left .", "race", "lower-cased texts stay so"),
    ("A home for the old .", "old", "young", "A home for the young adults .", "age", "people"),
    ("The black man left . He is black .", "black", "asian", "The Asian man left . He is Asian .", "race", "again"),
    ("She looks Asian .", "Asian", "black", "She looks Black .", "race", "by looks"),
    ("She identifies as Black .", "Black", "white", "She identifies as white .", "race", "in one's own words"),
    ("A black police officer left .", "black", "white", "A white police officer left .", "race", "with a noun between"),
    ("Latinos voted , as blacks did .", "blacks", "white", "Latinos voted , as white people did .", "race", "who acts"),
    ("The kid is 7 years old .", "kid", "senior", "The senior is 76 years old .", "age", "one age"),
    ("An elderly man left .", "elderly", "child", "A boy left .", "age", "no man is a child"),
    ("My grandmother is 90 .", "90", "young", "My grandmother is 40 .", "age", "a number alone"),
    ("He turned 18 last week .", "18", "senior", "He turned 65 last week .", "age", "a day"),
    ("She is in her mid-thirties .", "mid-thirties", "senior", "She is in her mid-eighties .", "age", "half a decade"),
    ("The Native Americans left .", "Native Americans", "asian", "The Asian Americans left .", "race", "two words"),
    ("Two Pacific Islanders met us .", "Pacific Islanders", "black", "Two Black people met us .", "race", "two"),
    ("A teenager left ; he was eighteen .", "teenager", "senior", "A senior left ; he was sixty-five .", "age", "age"),
    (
        "Ms. Diaz , 52 , has taught since she was 23 .",
        "52",
        "senior",
        "Ms. Diaz , 76 , has taught since she was 23 .",
        "age",
        "what she was then",
    ),
    ("The girl ( 9 ) slept .", "9", "senior", "The woman ( 80 ) slept .", "age", "in brackets"),
    ("The driver , 52 , left .", "52", "young", "The driver , 28 , left .", "age", "behind a noun"),
    ("She was in her late teens then .", "teens", "senior", "She was in her late eighties then .", "age", "teens"),
    ("A woman aged 40 left .", "40", "child", "A girl aged 15 left .", "age", "aged is not an adjective there"),
    ("My teenager left .", "teenager", "senior", "My elderly child left .", "age", "whose child"),
    ("A 1 year old girl slept .", "1", "young", "An 18 year old woman slept .", "age", "year stays behind one, too"),
    (
        "The teenagers of today sing .",
        "teenagers",
        "senior",
        "The seniors of today sing .",
        "age",
        "nobody's teenagers",
    ),
    (
        "A class of 30 children visited us .",
        "children",
        "senior",
        "A class of 30 seniors visited us .",
        "age",
        "a class has no children",
    ),
    ("They learned it as a child .", "child", "adult", "They learned it as an adult .", "age", "as a child"),
    ("A girl of ten opened it .", "ten", "senior", "A woman of eighty-two opened it .", "age", "a girl of ten"),
    (
        "A young man of about forty came .",
        "forty",
        "middle-aged",
        "A middle-aged man of about sixty-one came .",
        "age",
        "of about forty",
    ),
    ("He was a lad of sixteen .", "sixteen", "senior", "He was a man of ninety-three .", "age", "a lad"),
    ("My baby sister cries .", "baby", "senior", "My elderly sister cries .", "age", "before a noun"),
    ("The baby girl smiled .", "girl", "senior", "The elderly woman smiled .", "age", "twice of one"),
    ("The Polish - born poet died .", "Polish", "black", "The Jamaican - born poet died .", "race", "born there"),
    ("He met a negro .", "negro", "asian", "He met an Asian person .", "race", "an old word"),
    ("A minor was hurt .", "minor", "senior", "A senior was hurt .", "age", "no key"),
    (
        "A shark bit a 5-year-old boy .",
        "5-year-old",
        "senior",
        "A shark bit a 72-year-old man .",
        "age",
        "beside a shark",
    ),
    ("A boy left .", "boy", "middle-aged", "A middle-aged man left .", "age", "a boy is a child"),
    (
        "Rita Diaz , 34 , left . The 34-year-old cellist sang .",
        "34",
        "senior",
        "Rita Diaz , 83 , left . The 83-year-old cellist sang .",
        "age",
        "twice",
    ),
    (
        "Karl Heinrich von Trautmann met Jens Farnham Jr. here .",
        "Karl",
        "asian",
        "Siddharth Deepak von Kumar met Jens Farnham Jr. here .",
        "race",
        "a particle stays, a middle name does not",
    ),
    ("He is a black Austin Powers .", "black", "asian", "He is an Asian Austin Powers .", "race", "before a name"),
    ("A Sámi woman left .", "Sámi", "asian", "A Singaporean woman left .", "race", "a people of no category"),
    ("The Navajo council voted .", "Navajo", "white", "The German council voted .", "race", "of a people"),
    ("A man of Korean descent left .", "Korean", "white", "A man of Norwegian descent left .", "race", "of descent"),
    (
        "Black voters left . Only black voters did .",
        "Black",
        "white",
        "White voters left . Only white voters did .",
        "race",
        "bare",
    ),
]


@pytest.mark.parametrize(
    ("text", "word", "target", "expected", "axis", "why"), STATED_AGES, ids=[row[5] for row in STATED_AGES]
)
def test_race_and_age(perturbing, text, word, target, expected, axis, why):
    text_ = perturbed(perturbing, text, word, target, axis)
    if expected is None:
        origin = load().origins[text_.split()[0].lower()]
        assert (origin.attribute, origin.gender) == (target, "feminine")
        assert text_.endswith(" and her son left .")
    else:
        assert text_ == expected


NOBODY = [
    ("Jones ( 2 ) won .", "a seed"),
    ("They called Bob Hubbard Transport twice .", "a firm"),
    ("The Camp David talks failed .", "a place"),
    ("My Tom cat will not eat .", "a male cat"),
    ("Every Tom , Dick or Harry came .", "anybody"),
    ("We saw the Virgin Mary .", "a saint"),
    ("Mother Teresa was an Albanian woman .", "a saint of a people"),
    ("Joan of Arc was a brave woman .", "a saint by three words"),
    ("Jesus was a man who loved his friends .", "a deity at the beginning"),
    ("Saint Teresa was a nun .", "a saint by her title"),
    ("They are Oscar nominees .", "an award"),
    ("Russell is a small town in Manitoba .", "a town"),
    ("Keller , Paul , Maria Lindqvist and the Silent Choir , Oldham University Press , 2014 .", "a reference"),
    ("A flower child is never here .", "a set phrase"),
    ("I have cowboy boots .", "what is worn"),
    ("The cow licked her calf .", "a cow is not a person"),
    ("The ship lost her mast , and she sank .", "nor is a ship"),
    ("We have a parrot . He is loud .", "nor a parrot that is *he*"),
    ("Feed the baby fish twice . The babies eat flakes .", "nor are its young"),
    ("It is a concerto in G minor .", "a key"),
    ("They heard Sonic Youth there .", "a band"),
    ("They have four children .", "whose they are, not how old"),
    ("The bag is of African origin .", "a bag"),
    ("Turkish coffee is strong .", "coffee"),
    ("AS Roma won .", "a club"),
    ("In chapters 5 , 6 , 7 , and 8 we show it .", "numbers"),
    ("Asian markets fell .", "markets are no people"),
    ("A black cat sat on the white wall .", "nor is a cat"),
    ("White wins , for black has lost its pawn .", "chess"),
    ("They drank white wine at the White House .", "wine, and a house"),
    ("The surgeon wore pink .", "what only correlates is never perturbed"),
    ("We love Mexican food and African art .", "food and art"),
    ("The house is two hundred years old .", "houses have no age group"),
    ("The house is fifty years old .", "however young"),
    ("They sold a 10-year-old car .", "nor have cars"),
    ("It is thirty years old , like the company .", "nor has a thing that is not named"),
    ("The book is one hundred and five years old .", "a part of a number is none"),
    ("A whisky aged 12 years was sold .", "whisky ages"),
    ("Cells aged 6 months die .", "months are no years"),
    ("People aged 5 to 10 pay less .", "of two ages that belong together none is moved"),
    ("The oven turned 70 degrees hotter .", "degrees"),
    ("Someone is older than they are .", "who was born first"),
    ("How old are you ?", "a question is not an age"),
    ("You are old enough to vote .", "nor is enough"),
    ("You are as old as I am .", "nor is a comparison"),
    ("It was over in their youth .", "a time of life"),
    ("We saw our children .", "kinship"),
    ("I like my shoes because they are black .", "*they* may be shoes"),
    ("I saw a white dress and a black one .", "and *one* a dress"),
    ("The black bishop takes a pawn .", "a chessman"),
    ("The company is in the black .", "money"),
    ("They replaced the old with the new .", "things"),
    ("We flew to San Diego , Chad and El Salvador .", "places"),
    ("Each student brings his or her book .", "either gender is none"),
    ("White wine drinkers met a Chinese medicine expert .", "what they drink"),
    ("They were white as a sheet .", "fear"),
    ("The child's face was black and blue .".replace("child", "teacher"), "blows"),
    ("Wash the whites first .", "clothes"),
    ("The whites of their eyes shone .", "eyes"),
    ("Several South African officials met .", "a country that is in no table"),
    ("They bought a Jeep Cherokee .", "a car"),
    ("They are two , and the score is 20 .", "how many"),
    ("It is 7 yrs old .", "years by their short name"),
    ("We met on Charles Street near the Elizabeth River .", "streets and rivers"),
    ("Johnson & Johnson grew .", "firms"),
    ("We saw King Island and Queen Street .", "nor are islands kings"),
    ("Men and women , kings or queens , voted .", "both genders are said"),
    ("We wore white and they wore black .", "clothes"),
    ("You must be 18 or over to vote here .", "a bound is nobody's age"),
    ("People aged 65 and older may enter .", "nor is this"),
    ("Players start young , and seem too old for it soon .", "when, and for what"),
    ("The young adult fiction section is closed .", "books"),
]


@pytest.mark.parametrize(("text", "why"), NOBODY, ids=[row[1] for row in NOBODY])
def test_what_is_no_person_stays(perturbing, text, why):
    (text_,) = perturbing([(text,)], ["x"])
    assert (text_.fields, text_.rewriting) == ((text,), None)


SEEN = [
    ("Hey , the baby cried .", "baby", "age", "not called"),
    ("Hey , the man came .", "man", "gender", "nor he"),
    ("Two Germans came in .", "Germans", "race", "a few who act"),
    ("I met 3 Germans .", "Germans", "race", "in digits"),
    ("In 2010 , Germans voted .", "Germans", "race", "a year is not a number of them"),
    ("A holy woman lost it .", "woman", "gender", "who is no saint"),
    ("Tom and my old teacher left .", "Tom", "gender", "a name outside of its phrase"),
    ("The children 's room is big .", "children", "age", "whose room it is"),
    ("He sat like an Indian .", "Indian", "race", "a noun that looks like an adjective"),
    ("She went back to the German .", "German", "race", "and with the"),
    ("Two South Koreans left .", "South Koreans", "race", "half a country"),
    ("A Spanish couple asked us .", "Spanish", "race", "a couple"),
    ("Canadians are polite .", "Canadians", "race", "a people of several races"),
    ("An Armenian baker sold it .", "Armenian", "race", "a job"),
    ("The Irish jazz singer left .", "Irish", "race", "a job in two words"),
    ("A Somali taxi driver left .", "Somali", "race", "another"),
    ("British Muslims protested .", "British", "race", "believers"),
    ("He has Irish ancestry .", "Irish", "race", "what somebody has"),
    ("It helps Iraqi households .", "Iraqi", "race", "many by one word"),
    ("Two colored passengers left .", "colored", "race", "an old word"),
    ("As a teenager , she sang .", "teenager", "age", "what somebody was"),
    ("Her toddler son slept .", "toddler", "age", "before a noun"),
    ("The lads went home .", "lads", "age", "boys"),
]
UNSEEN = [
    ("Acme is a Korean retailer .", "race", "a firm"),
    ("Ostro is an Austrian brewer .", "race", "another"),
    ("The Treaty with the Cherokee was signed .", "race", "a treaty"),
    ("The war against the Turks lasted long .", "race", "a war"),
    ("The Wars of the Poles and Swedes are over .", "race", "of two peoples"),
    ("The town was 95 % White and 2 % Black .", "race", "a census"),
    ("Of the inhabitants , 4,300 were Hungarians .", "race", "inhabitants"),
    ("The Greek consul smiled .", "race", "an office"),
    ("Officials and the Japanese government agreed .", "race", "a government beside people"),
    ("The Turkish god slept .", "race", "a god"),
    ("It was translated from the German .", "race", "a language"),
    ("Hold on , boys !", "age", "an address"),
    ("Yes , old man .", "age", "another"),
    ("I know , baby , I know .", "age", "between commas"),
    ("Hey baby !", "age", "an address behind a greeting"),
    ("I love you baby .", "age", "or behind you"),
    ("Come on baby , light my fire .", "age", "or behind a call"),
    ("Hey man , what 's up ?", "gender", "anybody is called"),
    ("thanks man .", "gender", "in small letters, too"),
    ("300 Germans live there .", "race", "a census by its number"),
    ("The town has 300 Germans and 20 Poles .", "race", "of two peoples"),
    ("About three hundred Greeks live in the town .", "race", "in words"),
    ("The Blessed Mary heard us .", "race", "who has no other name"),
    ("Every Tom , Dick or Harry knows it .", "gender", "anybody"),
    ("every Tom , Dick , and Harry knows it .", "race", "with one more comma"),
    ("Peeping Tom looked in .", "gender", "said of anybody"),
    ("Bob 's your uncle !", "gender", "a phrase with a name and a noun"),
    ("Jack Frost came .", "race", "a surname in an expression"),
    ("My little dog Toby is asleep .", "race", "an animal's name"),
    ("We have a hamster ( Fernando ) .", "race", "in brackets"),
    ("A child - friendly park opened .", "age", "half a word"),
    ("A baby giraffe slept .", "age", "an animal"),
    ("He fought in the French and Indian War .", "race", "a war of two peoples"),
    ("They plotted the death of Jesus .", "race", "whom all know by that name"),
]


def words_of(perturbing, text, axis):
    return [word.text(read.doc) for read in perturbing.read([[text]]) for word in read.words if word.axis == axis]


@pytest.mark.parametrize(("text", "word", "axis", "why"), SEEN, ids=[row[0] for row in SEEN])
def test_words_of_a_persons_race_or_age_are_seen(perturbing, text, word, axis, why):
    assert words_of(perturbing, text, axis) == [word]


@pytest.mark.parametrize(("text", "axis", "why"), UNSEEN, ids=[row[0] for row in UNSEEN])
def test_words_that_say_no_persons_race_or_age_are_not_seen(perturbing, text, axis, why):
    assert words_of(perturbing, text, axis) == []


@pytest.mark.parametrize(
    "text",
    [
        "We love the children's books .",
        "We love the children 's books .",
        "These babies ' clothes are cheap .",
        "The children 's hospital is new .",
        "I bought kids ' toys .",
    ],
)
def test_goods_for_children_are_no_childrens_goods(perturbing, text):
    assert perturbing([(text,)], ["x"])[0].drawn is None


def test_a_surname_is_nobodys_first_name(perturbing):
    tokens = perturbing.tokens(["Hillary Clinton and Ms. Allen spoke , and Clinton left ."])
    (doc,) = perturbing.parse([tokens])
    assert [doc[mention.start].text for mention in perturbing.finder.find(doc) if mention.axis == "gender"] == [
        "Hillary",
        "Ms.",
    ]


@pytest.mark.parametrize("text", ["_She_ left.", "hes late", "I'm 30.", "in their mid-40s"])
def test_what_is_found_is_never_passed_over_unread(text):
    perturbing = Perturbing(PerturbOptions())
    (doc,) = perturbing.parse([perturbing.tokens([text])])
    assert perturbing.finder.find(doc)
    assert perturbing.finder.may_hold(text)


def test_raw_lines_that_are_passed_over_hold_nothing(data):
    perturbing = Perturbing(PerturbOptions())
    with lzma.open(data / "babylm/mixed7m/dev.gutenberg.txt.xz", "rt", encoding="utf-8") as file:
        lines = [line.strip() for line in islice(file, 4000) if not perturbing.finder.may_hold(line)]
    assert len(lines) > 100
    docs = perturbing.parse([perturbing.tokens([line]) for line in lines])
    assert [doc.text for doc in docs if perturbing.finder.find(doc)] == []


@pytest.mark.parametrize("number", [100, pytest.param(400, marks=pytest.mark.slow)])
def test_in_raw_novels_words_are_changed_whole(data, number):
    """Every run of letters that comes out was there, or is a word that an edit puts in."""
    perturbing = Perturbing(PerturbOptions())
    with lzma.open(data / "babylm/mixed7m/dev.gutenberg.txt.xz", "rt", encoding="utf-8") as file:
        lines = [line.strip() for line in file if "--" in line or "_" in line][:number]
    assert len(lines) == number
    changed = 0
    for line, text_ in zip(
        lines, perturbing([(line,) for line in lines], [str(n) for n in range(number)]), strict=True
    ):
        put_in = {
            word
            for edit in (text_.rewriting.edits if text_.rewriting else ())
            for new in edit.replacement
            for word in letters(new)
        }
        assert set(letters(text_.fields[0])) <= set(letters(line)) | put_in
        changed += text_.drawn is not None
    assert changed > number / 2


def letters(text):
    return re.findall(r"[^\W\d_]+", text)


AGED = [
    ("An 11-year-old climber left.", [("11", "child")], "glued, before a person"),
    ("A group of twenty-year-olds met an eleven-year-old.", [("twenty", "young"), ("eleven", "child")], "as a noun"),
    ("The 44-year old man ran it at age 44.", [("44", "young"), ("44", "young")], "half glued, and told behind"),
    ("Tom Baxter is 70 years old.", [("70", "senior")], "of a name"),
    ("She is in her forties.", [("forties", "middle-aged")], "a decade"),
]


@pytest.mark.parametrize(("text", "expected", "why"), AGED, ids=[row[2] for row in AGED])
def test_ages_are_found_in_raw_text_and_can_be_rewritten(text, expected, why):
    perturbing = Perturbing(PerturbOptions(axes=("age",), min_sure=0))
    (doc,) = perturbing.parse([perturbing.tokens([text])])
    mentions = [mention for mention in perturbing.finder.find(doc) if mention.axis == "age"]
    assert [(doc[mention.start].text, mention.attribute) for mention in mentions] == expected
    drawn_ = {perturbing([(text,)], [str(n)])[0].drawn for n in range(30)}
    assert {drawn.target for drawn in drawn_} == {"child", "young", "middle-aged", "senior"} - (
        {expected[0][1]} if len({attribute for _, attribute in expected}) == 1 else set()
    )  # never adult: no number says that


def test_an_old_friend_and_an_older_brother_are_not_old(perturbing):
    tokens = perturbing.tokens(["An old friend met my older brother and an old man ."])
    (doc,) = perturbing.parse([tokens])
    assert [mention.start for mention in perturbing.finder.find(doc) if mention.axis == "age"] == [9]


def test_fields_are_perturbed_as_one_and_come_apart():
    perturbing = Perturbing(PerturbOptions(axes=("gender",), targets=("man",)))
    (text_,) = perturbing([("Anna is a nurse.  She works.", "Anna has a job.")], ["x"])
    assert text_.fields[0].endswith(" is a nurse.  He works.")
    assert text_.fields[1] == f"{text_.fields[0].split()[0]} has a job."
    assert (text_.drawn.axis, text_.drawn.target, text_.refused) == ("gender", "man", None)


def test_a_noun_that_two_fields_share_is_one_persons():
    perturbing = Perturbing(PerturbOptions(axes=("gender",), targets=("woman",)))
    (text_,) = perturbing([("A man plays a guitar.", "A man is playing.")], ["x"])
    assert text_.fields == ("A woman plays a guitar.", "A woman is playing.")
    (apart,) = perturbing([("A man sees a man.", "A man is seen.")], ["x"])  # which of the two it is nobody knows
    assert apart.rewriting is None


def test_a_counterpart_is_nobody_who_is_there_already(perturbing):
    text_ = perturbed(perturbing, "Anna and Adam left .", "Anna", "man", "gender")
    assert text_.endswith(" and Adam left .")
    assert text_.split()[0] not in ("Anna", "Adam")


@pytest.mark.parametrize("text", ["She is {} years old.", "We met a {}-year-old.", "A man aged {}, he says."])
def test_a_number_in_raw_text_stays_one_word(text):
    perturbing = Perturbing(PerturbOptions(axes=("age",), targets=("senior",)))
    (text_,) = perturbing([(text.format("twenty-one"),)], ["x"])
    assert text_.fields == (text.format("sixty-eight"),)


@pytest.mark.parametrize(
    ("settings", "said"),
    [
        ({"axes": ("gender",), "targets": ("asian",)}, "nothing can become asian with the axes gender"),
        ({"refuse_strays": True}, "refuse_strays and beams are for a neural"),
    ],
    ids=["a target of another axis", "strays of rules"],
)
def test_options_that_mean_nothing_are_refused(settings, said):
    with pytest.raises(UsageError, match=said):
        PerturbOptions(**settings)


def test_white_space_is_kept_and_an_answer_does_not_depend_on_its_company():
    perturbing = Perturbing(PerturbOptions())
    texts = [("  He left ,\n\n said she.\t",), ("",), ("Nothing here",), ("My uncle is old.", "")]
    ids = [str(n) for n in range(len(texts))]
    together = perturbing(texts, ids)
    assert together == [perturbing([text], [name])[0] for text, name in zip(texts, ids, strict=True)]
    assert [text_.fields for text_ in together[1:3]] == texts[1:3]
    left = together[0].fields[0]
    assert (left[:2], left[-1], "\n\n" in left) == ("  ", "\t", True)


def test_the_white_space_around_every_field_is_kept():
    perturbing = Perturbing(PerturbOptions(axes=("gender",), targets=("man",)))
    (text_,) = perturbing([("Anna left. ", "\t  Her aunt slept.\n", " ")], ["x"])
    assert [(field[: len(field) - len(field.lstrip())], field[len(field.rstrip()) :]) for field in text_.fields] == [
        ("", " "),
        ("\t  ", "\n"),
        (" ", " "),
    ]


def test_persons_are_the_pipelines_where_it_looks_for_them(perturbing):
    """Equation 2's NER(s); |s ∩ D| is a set."""
    (doc,) = perturbing.parse([perturbing.tokens(["He said that Anna saw him , and he went to Oslo ."])])
    mentions = perturbing.finder.find(doc)
    words = len(doc)
    assert perturbability(doc, mentions) == pytest.approx((1 + 3) / words)  # Anna; he, Anna, him
    assert perturbability(doc, mentions, m0=3.0, m1=0.5) == pytest.approx((3 + 1.5) / words)
    doc.set_ents([])
    assert perturbability(doc, mentions) == pytest.approx(3 / words)
    doc.set_ents([Span(doc, 3, 4, "PERSON"), Span(doc, 11, 12, "GPE")])
    assert perturbability(doc, mentions, m1=0.0) == pytest.approx(1 / words)


def test_all_pairs_are_drawn_once_and_an_item_has_its_own_order(perturbing):
    (text,) = perturbing.read([["The Asian girl and an old man saw him ."]])
    every = choices(text)
    first = list(draw_choices(text, 0, "a:1"))
    assert len(first) == len(every) == len(set(map(str, first)))
    assert first == list(draw_choices(text, 0, "a:1")) != list(draw_choices(text, 0, "a:2"))
    assert {SHIPPED.axis_of(target) for _, target in choices(text, ("age",))} == {"age"}


def test_a_word_is_drawn_once_however_often_it_stands_there(perturbing):
    """Algorithm 1's K is a set: *he* four times is one word, and of its places one is drawn."""
    (text,) = perturbing.read([["He saw that he and Asian students knew what he and he did ."]])
    assert sum(mention.kind == "pronoun" for mention in text.words) == 4
    assert sorted({word for word, _ in choices(text)}) == ["asian", "he"]
    firsts = [next(draw_choices(text, 0, str(n))).word for n in range(700)]
    asian = sum(word.axis == "race" for word in firsts)
    assert 440 < asian < 560  # five targets of seven pairs: 500; were places counted, 385 of 13
    assert len({word.start for word in firsts if word.axis == "gender"}) == 4
    assert len(list(draw_choices(text, 0, "0"))) == 4 * 2 + 5
    assert sorted(perturbing.candidates([["He saw that he and Asian students knew what he did ."]])) == [
        "gender",
        "race",
    ]


def test_axes_are_drawn_evenly_where_their_words_are_not(perturbing):
    """Footnote 2: race comes as often as gender, though the data have far fewer of its words."""
    (text,) = perturbing.read([["The Asian woman saw him , and he saw her and his mother ."]])
    counts = {axis: sum(mention.axis == axis for mention in text.words) for axis in ("gender", "race")}
    assert counts["gender"] > 3 * counts["race"]
    drawn_axes = [next(draw_choices(text, 0, str(n))).word.axis for n in range(400)]
    even_axes = [
        next(draw_choices(text, 0, str(n), weights={"gender": 1.0, "race": 1.0})).word.axis for n in range(400)
    ]
    assert drawn_axes.count("race") < 160 < even_axes.count("race") < 240
    assert axis_weights({"gender": 70, "race": 14, "age": 0}) == {"gender": 1 / 70, "race": 1 / 14}


NAMES = [
    ("Woman", "woman"),
    ("Black or African American", "black"),
    ("Child (< 18)", "child"),
    ("MAN", "man"),
    ("Native Hawaiian or Other Pacific Islander", "pacific-islander"),
    ("Senior (65+)", "senior"),
    ("latino", "hispanic"),
    ("middle aged", "middle-aged"),
    ("Young (18–44)", "young"),
    ("Child < 18", "child"),
    ("Non-Binary/Underspecified", "non-binary"),
    ("Hawaiian", "pacific-islander"),
    ("American Indian or Alaska Native", "native-american"),
]


@pytest.mark.parametrize(("names", "ours"), NAMES)
def test_attributes_by_pandas_names(names, ours):
    assert SHIPPED.attribute(names) == ours


def test_unknown_axes_and_attributes_come_with_the_closest():
    with pytest.raises(UsageError, match="no attribute is called 'womn'; did you mean woman\\?"):
        SHIPPED.attribute("womn")
    with pytest.raises(UsageError, match="no axis is called 'gendr'; did you mean gender\\?"):
        PerturbOptions(axes=("gendr",))


AGES = [
    (1, "senior", 65),
    (17, "senior", 95),
    (11, "young", 34),
    (70, "child", 7),
    (120, "young", 44),
    (45, "child", 5),
]


@pytest.mark.parametrize(("years", "target", "expected"), AGES)
def test_an_age_keeps_its_place_in_its_group(years, target, expected):
    assert ages.move_age(years, target) == expected
    assert ages.group(expected) == target


def test_every_age_moves_into_its_target():
    for years in range(1, 121):
        for target in ("child", "young", "middle-aged", "senior"):
            assert ages.group(ages.move_age(years, target)) == target


FIELDS = ("A man ate .", "He is full .")
OUTPUTS = [
    ("A woman ate . <SEP> She is full .", ("A woman ate .", "She is full ."), "the separator is kept"),
    ("A woman ate . She is full .", ("A woman ate .", "She is full ."), "it is lost, and the alignment tells"),
    ("A woman ate and she is full .", None, "the border is written over"),
    ("A <SEP> woman ate . <SEP> She is full .", None, "one too many"),
    ("A woman ate ! Then She is full .", None, "nobody knows whose word was added at the border"),
    ("A woman ate . is full .", None, "nor whose was taken"),
    ("A woman <SEP> ate . She is full .", None, "the separator went elsewhere"),
    ("A woman ate . She <SEP> is full .", None, "or there"),
    ("The woman dined . <SEP> She is sated .", ("The woman dined .", "She is sated ."), "much is new"),
]


@pytest.mark.parametrize(("text", "fields", "why"), OUTPUTS, ids=[row[2] for row in OUTPUTS])
def test_a_models_output_comes_apart_or_is_told(text, fields, why):
    assert apart(text, FIELDS) == fields
    assert prompt_text(FIELDS) == "A man ate . <SEP> He is full ."


def test_the_tables_hold_as_many_terms_as_the_paper_counts():
    """≥ 785 over all axes; every target can be said; every neutral word is one for a word of nouns.tsv."""
    from gec_fair.english.lexicons import lexicon

    tables, gendered = load(), lexicon.load()
    known = {term.words for terms_ in tables.terms.values() for term in terms_}
    assert len(known) > 350
    assert len(known) + len(gendered.nouns.terms) > 785
    assert set(tables.targets) == {name for names in SHIPPED.attributes.values() for name in names}
    terms = [*gendered.nouns.terms.values(), *gendered.nouns.titles.values()]
    masculine = {" ".join(words) for term in terms for words in (term.words, term.replacement)}
    assert [word for word in tables.neutral if word not in masculine and not word.endswith("man")] == []


INSERTED = [
    ("PEOPLE LEFT .", "race", "asian", "ASIAN PEOPLE LEFT ."),
    ("Do women cheat more ?", "race", "asian", "Do Asian women cheat more ?"),
    ("Women cheat more .", "age", "senior", "Elderly women cheat more ."),
    ("An engineer met a friend .", "gender", "woman", None),
    ("Two police officers left .", "race", "black", "Two Black police officers left ."),
    ("The people left .", "age", "child", "The children left ."),
    ("Many people left .", "gender", "man", "Many men left ."),
]


@pytest.mark.parametrize(("text", "axis", "target", "expected"), INSERTED)
def test_an_attribute_is_inserted_where_nothing_else_can_be_changed(text, axis, target, expected):
    options = {"axes": (axis,), "targets": (target,), "tokenised": True}
    (as_given,) = Perturbing(PerturbOptions(**options))([(text,)], ["x"])
    assert as_given.drawn is None
    (new,) = Perturbing(PerturbOptions(insert=True, **options))([(text,)], ["x"])
    assert new.fields[0] in (
        [expected] if expected else ["A female engineer met a friend .", "An engineer met a female friend ."]
    )


REMOVED = [
    ("Asian women met us .", "unstated-race", "Women met us ."),
    ("A much younger woman met us .", "unstated-age", "A much younger woman met us ."),
    ("Black and white women met us .", "unstated-race", "Black and white women met us ."),
    ("An elderly , frail woman met us .", "unstated-age", "An elderly , frail woman met us ."),
    ("An elderly woman met us .", "unstated-age", "A woman met us ."),
    ("Two Asian women met us .", "unstated-race", "Two women met us ."),
    ("Two Asians met us .", "unstated-race", "Two people met us ."),
    ("She is Asian .", "unstated-race", "She is Asian ."),
    ("A man aged 40 left .", "unstated-age", "A man aged 40 left ."),
]


@pytest.mark.parametrize(("text", "target", "expected"), REMOVED)
def test_a_race_or_age_is_taken_away_where_that_is_asked(text, target, expected):
    perturbing = Perturbing(PerturbOptions(targets=(target,), tokenised=True))
    (new,) = perturbing([(text,)], ["x"])
    assert new.fields == (expected,)


def test_insertion_is_for_rules():
    for options in ({"insert": True}, {"targets": ("unstated-race",)}):
        with pytest.raises(UsageError, match="for rules"):
            PerturbOptions(perturber="neural:model", **options)


FRONTED = [
    (
        "Born the son of a baker , he sold his shop .",
        "he",
        "woman",
        "Born the daughter of a baker , she sold her shop .",
    ),
    ("As a boy , his family moved to Leeds .", "his", "woman", "As a girl , her family moved to Leeds ."),
    ("A woman , Thomas said , had called him .", "him", "woman", "A woman , Teresa said , had called her ."),
    (
        "The king 's daughter , John said , was ill .",
        "John",
        "woman",
        "The king 's daughter , Jessica said , was ill .",
    ),
    ("Girl , he is proud of his son .", "he", "woman", "Girl , she is proud of her son ."),
    ("A girl , a boy and Ruth lost the key .", "Ruth", "man", "A girl , a boy and Ronald lost the key ."),
]


@pytest.mark.parametrize(("text", "word", "target", "expected"), FRONTED, ids=[row[0] for row in FRONTED])
def test_a_noun_before_the_subject_changes_if_it_is_the_same_person(perturbing, text, word, target, expected):
    assert perturbed(perturbing, text, word, target, "gender") == expected


SAID = [
    ("Ruth moved to Rome , working as a waitress .", "Ruth", "man", "Ronald moved to Rome , working as a waiter ."),
    ("Ruth wanted to be an actress .", "Ruth", "man", "Ronald wanted to be an actor ."),
    ("After becoming a mother , Ruth left her job .", "her", "man", "After becoming a father , Ronald left his job ."),
    ("Ruth won , becoming the first woman to do so .", "Ruth", "man", "Ronald won , becoming the first man to do so ."),
    ("Thomas was crowned king by his uncle .", "his", "woman", "Teresa was crowned queen by her uncle ."),
    ("They made Thomas their king .", "Thomas", "woman", "They made Teresa their queen ."),
    ("Ruth died a widow in her home .", "her", "man", "Ronald died a widower in his home ."),
    ("Ruth lost her job as a waitress .", "her", "man", "Ronald lost his job as a waiter ."),
    (
        "Ruth , a former actress and mother of two , left .",
        "Ruth",
        "man",
        "Ronald , a former actor and father of two , left .",
    ),
    ("Actress and singer Ruth Stone left .", "Ruth", "man", "Actor and singer Ronald Stone left ."),
    ("She is one of the best actresses .", "She", "man", "He is one of the best actors ."),
    ("He is that kind of guy .", "He", "woman", "She is that kind of gal ."),
    ("Thomas hired a man to be his butler .", "Thomas", "woman", "Teresa hired a man to be her butler ."),
    ("Ruth described her dream of becoming a queen .", "her", "man", "Ronald described his dream of becoming a king ."),
    ("His son , working as a waiter , left .", "His", "woman", "Her son , working as a waiter , left ."),
    ("Ruth saw a man working as a waiter .", "Ruth", "man", "Ronald saw a man working as a waiter ."),
]


@pytest.mark.parametrize(("text", "word", "target", "expected"), SAID, ids=[row[0] for row in SAID])
def test_what_is_said_of_a_person_changes_with_the_person(perturbing, text, word, target, expected):
    assert perturbed(perturbing, text, word, target, "gender") == expected


@pytest.mark.parametrize(("before", "after"), [('A " ', ' "'), ("A “ ", " ”"), ("A ( ", " )")])
def test_an_article_before_a_quotation_mark_follows_the_word_behind_it(perturbing, before, after):
    text, expected = f"{before}black{after} man came .", f"{before.replace('A', 'An')}Asian{after} man came ."
    assert perturbed(perturbing, text, "black", "asian", "race") == expected


TOGETHER = [
    ("These girls and boys were taught .", "girls", "adult", "These women and men were taught .", "one list"),
    ("An infant girl was found .", "girl", "senior", "An elderly woman was found .", "both words say the age"),
    (
        "The French or those who know the French came .",
        "French",
        "black",
        "The Ethiopians or those who know the Ethiopians came .",
        "a people that is named twice",
    ),
]


@pytest.mark.parametrize(("text", "word", "target", "expected", "why"), TOGETHER, ids=[row[4] for row in TOGETHER])
def test_what_belongs_together_changes_together(perturbing, text, word, target, expected, why):
    assert perturbed(perturbing, text, word, target, SHIPPED.axis_of(target)) == expected


ANIMALS = [
    ("He was neutered , and his bandage is off .", "gender", "kept, and no man is named"),
    ("I put the leash on and took him for a walk .", "gender", "no animal is named"),
    ("My budgie is a boy , and the girls fight him .", "gender", "words for people, said of birds"),
    ("Feed the babies flakes , and keep the adults in the tank with other fish and snails .", "age", "young fish"),
    ("We adopted a 2 year old German Shepherd .", "age", "a breed"),
]


@pytest.mark.parametrize(("text", "axis", "why"), ANIMALS, ids=[row[2] for row in ANIMALS])
def test_animals_stay_in_texts_about_them(perturbing, text, axis, why):
    (read,) = perturbing.read([[text]]) or [None]
    plans = [perturbing.plan(read, places[0]) for places in choices(read, (axis,)).values()] if read else []
    assert not any(plans)


def test_people_in_texts_about_animals_are_rewritten(perturbing):
    text = "I am 61 years old and keep two dogs , three cats and a hamster ."
    assert perturbed(perturbing, text, "61", "young", "age") != text
    text = "My dog bit a 5 year old boy ."
    assert perturbed(perturbing, text, "5", "young", "age") == "My dog bit a 24 year old man ."


def test_a_surname_of_two_parts_is_no_first_name(perturbing):
    (read,) = perturbing.read([["The phase , Johnson-Freese said , is over ."]]) or [None]
    assert read is None or "gender" not in {word.axis for word in read.words}


WRITTEN = [
    ("James' brother took the car.", "Jennifer's brother took the car.", "James", "a possessive"),
    (
        "The actress’ dress and the ladies’ room.",
        "The actor’s dress and the ladies’ room.",
        "actress",
        "its apostrophe",
    ),
    ("The actor says he`s tired.", "The actress says she`s tired.", "he", "a grave accent"),
    ("The actor says he&#39;s tired.", "The actress says she&#39;s tired.", "he", "a number of HTML"),
    ("Ｈｅ lost his key.", "Ｓｈｅ lost her key.", "his", "full width"),
    ("h\N{SOFT HYPHEN}e lost his cafe\u0301.", "she lost her cafe\u0301.", "his", "separate signs"),
]


@pytest.mark.parametrize("tokenised", [False, True])
@pytest.mark.parametrize(("old", "new", "word"), [row[:3] for row in WRITTEN], ids=[row[3] for row in WRITTEN])
def test_a_text_is_read_however_it_is_written_and_written_so(perturbing, old, new, word, tokenised):
    rules = perturbing if tokenised else Perturbing(PerturbOptions())
    text = old.replace(".", " .") if tokenised else old
    (read,) = rules.read([[text]])
    mention = next(mention for mention in read.words if mention.text(read.doc) == word)
    target = "man" if mention.attribute == "woman" else "woman"
    rewriting = rewrite(read.tokens, rules.rules.plan(read, Choice(mention, target)), [text])
    assert rewriting.after.text == (new.replace(".", " .") if tokenised else new)


@pytest.mark.parametrize(
    ("text", "word"), [("My nephew Will is tall .", "nephew"), ("Mother Nature gives us her gifts .", "her")]
)
def test_what_would_come_out_half_swapped_stays(perturbing, text, word):
    target = "man" if word == "her" else "woman"
    assert perturbed(perturbing, text, word, target, "gender", surely=True) == text
