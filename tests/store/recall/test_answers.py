"""Questions of every kind over one made-up life: the right words, none of the wrong ones, else an abstention."""

from __future__ import annotations

import random

import pytest

from store.records import Entity
from tests.store.recall.remembered import Remembered, ask, fact

PEOPLE = [
    Entity("me", "me", "person", ("me",)),
    Entity("e1", "Paul", "person", ("paul", "me>brother"), "brother"),
    Entity("e2", "Mila", "person", ("mila", "me>daughter"), "daughter"),
    Entity("e3", "Ana", "person", ("ana", "me>partner"), "partner"),
    Entity("e4", "Rex", "pet", ("rex", "me>dog"), "dog"),
    Entity("e5", "office", "thing", ("office", "me>office")),
    Entity("e6", "car", "thing", ("car", "me>car")),
    Entity("e7", "Caroline", "person", ("caroline",)),
    Entity("e8", "my cousin", "person", ("me>cousin",), "cousin"),
    Entity("e9", "Jonas", "person", ("jonas",)),
]

FACTS = [
    fact("me", "lives_in", "Porto", "2021", "2023-06", heard="2021-03-01"),
    fact("me", "lives_in", "Lisbon", "2023-06", heard="2023-07-01"),
    fact("me", "works_at", "Bosch", "2019-04-01", "2024-09-30", quote="I work at Bosch"),
    fact("me", "works_at", "Siemens", "2024-10-01", quote="I work at Siemens now"),
    fact("me", "job", "carpenter"),
    fact("me", "brother", "Paul", quote="my brother Paul"),
    fact("me", "daughter", "Mila", quote="my daughter Mila"),
    fact("me", "partner", "Ana", "2018", quote="my wife Ana"),
    fact("me", "son", "Ben", quote="I have two sons, Ben and Theo"),
    fact("me", "son", "Theo", quote="I have two sons, Ben and Theo"),
    fact("me", "number_of_sons", "two"),
    fact("me", "dog", "Rex", quote="my dog Rex"),
    fact("Paul", "lives_in", "Cologne", "~2023-02-01", "2023-11"),
    fact("Paul", "lives_in", "Aachen", "2023-11"),
    fact("Paul", "job", "nurse"),
    fact("Paul", "partner", "Lena", quote="Paul's wife Lena"),
    fact("Mila", "school", "Lindenschule", "~2022-09-01", "2024-08-26"),
    fact("Mila", "school", "Goethe-Gymnasium", "2024-08-26"),
    fact("Mila", "born_on", "3 May 2013"),
    fact("me", "laptop", "ThinkPad X1", "~2021-11-11", "2024-02-02"),
    fact("me", "laptop", "Framework 13", "2024-02-02"),
    fact("me", "goes_to", "CrossFit", "~2023-01-05", "2023-09-09", frequency="three times a week"),
    fact("office", "door_code", "4417", "~2024-03-03"),
    fact("me", "plays", "the cello"),
    fact("me", "plays", "the banjo"),
    fact("me", "plays", "football"),
    fact("me", "happened", "my cousin's wedding", "2024-05-04", "2024-05-05"),
    fact("me", "favourite_colour", "green"),
    fact("me", "allergic_to", "peanuts"),
    fact("Ana", "diet", "vegetarian"),
    fact("me", "likes", "jazz"),
    fact("me", "dislikes", "coriander"),
    fact("me", "eats", "meat", negative=True),
    fact("me", "visited", "Japan", "2022-04", "2022-05"),
    fact("me", "visited", "Paris", "2023-03-10", "2023-03-11"),
    fact("me", "visited", "Paris", "2024-07-02", "2024-07-03", companion="Ana"),
    fact("me", "bought", "a camera", "2024-01-20", "2024-01-21", place="Berlin"),
    fact("me", "appointment", "the dentist", "2025-07-03T09:30", "2025-07-03T10:30"),
    fact("me", "smokes", "", "~2020-05-01", "2022-01", quote="I smoke"),
    fact("car", "colour", "red"),
    fact("Rex", "breed", "beagle"),
    fact("me", "rent", "950 euros"),
    fact("me", "blood_type", "A positive"),
    fact("me", "wifi_password", "sunflower7"),
    fact("me", "learning", "Spanish"),
    fact("me", "speaks", "German"),
    fact("me", "speaks", "English"),
    fact("Caroline", "works_at", "the library", "2022-01"),
    fact("Jonas", "lives_in", "Bonn", disputed=True),
    fact("Jonas", "lives_in", "Kiel", disputed=True),
    fact("me", "passport_expiry_date", "12 March 2031"),
]

MEMORY = Remembered(FACTS, PEOPLE)

RIGHT = [
    # what holds now, and nothing older
    ("Where do I live?", ["Lisbon", "June 2023"], ["Porto"]),
    ("Which city do I live in?", ["Lisbon"], ["Porto"]),
    ("Can you tell me where I live now?", ["Lisbon"], ["Porto"]),
    ("What is my job?", ["carpenter"], []),
    ("What do I do for a living?", ["carpenter"], []),
    ("Where do I work?", ["Siemens"], ["Bosch"]),
    ("Who do I work for?", ["Siemens"], ["Bosch"]),
    ("What company do I work for?", ["Siemens"], ["Bosch"]),
    ("Where does Paul live?", ["Aachen"], ["Cologne"]),
    ("Where does my brother live?", ["Aachen"], ["Cologne", "Lisbon"]),
    ("What does my brother do?", ["nurse"], ["carpenter"]),
    ("What is Paul's job?", ["nurse"], ["carpenter"]),
    ("Which school does Mila go to?", ["Goethe"], ["Linden"]),
    ("What school does my daughter attend?", ["Goethe"], ["Linden"]),
    ("What laptop do I use?", ["Framework"], ["ThinkPad"]),
    ("What's my laptop?", ["Framework"], ["ThinkPad"]),
    ("What is the door code of the office?", ["4417"], []),
    ("What's the office door code?", ["4417"], []),
    ("What is the code for the office door?", ["4417"], []),
    ("What is my favourite color?", ["green"], []),
    ("What colour is my car?", ["red"], ["green"]),
    ("What breed is Rex?", ["beagle"], []),
    ("What breed is my dog?", ["beagle"], []),
    ("How much rent do I pay?", ["950"], []),
    ("What is my blood type?", ["A positive"], []),
    ("What's the wifi password?", ["sunflower7"], []),
    ("What am I allergic to?", ["peanuts"], []),
    ("What do I like?", ["jazz"], ["coriander"]),
    ("What do I dislike?", ["coriander"], ["jazz"]),
    ("What language am I learning?", ["Spanish"], ["German"]),
    ("Which languages do I speak?", ["German", "English"], ["Spanish"]),
    ("Which instruments do I play?", ["cello", "banjo"], ["football"]),
    ("What sport do I play?", ["football"], ["cello"]),
    ("Where does Caroline work?", ["library"], ["Siemens"]),
    ("Where does Jonas live?", ["Bonn", "Kiel", "disputed"], []),
    # people
    ("What are my sons called?", ["Ben", "Theo"], []),
    ("What is my daughter's name?", ["Mila"], ["Ben"]),
    ("What is my wife called?", ["Ana"], []),
    ("Who is my brother?", ["Paul"], []),
    ("Who is Paul?", ["brother", "Aachen", "nurse"], ["Cologne"]),
    ("Who is Paul's wife?", ["Lena"], ["Ana"]),
    ("What is my brother's wife's name?", ["Lena"], ["Ana"]),
    ("What is my dog's name?", ["Rex"], []),
    ("What are the names of my children?", ["Ben", "Theo", "Mila"], []),
    ("Tell me about Mila", ["Goethe", "daughter"], ["Linden"]),
    # counts
    ("How many sons do I have?", ["two"], []),
    ("How many children do I have?", ["three"], []),
    ("How many languages do I speak?", ["two"], []),
    ("How many dogs do I have?", ["One", "Rex"], []),
    # yes and no
    ("Do I still go to CrossFit?", ["No", "9 September 2023"], []),
    ("Do I go to CrossFit?", ["No"], []),
    ("Do I live in Lisbon?", ["Yes"], []),
    ("Do I still live in Porto?", ["No", "June 2023"], []),
    ("Did I ever live in Porto?", ["Yes"], []),
    ("Did I live in Porto in 2022?", ["Yes"], []),
    ("Did I live in Lisbon in 2022?", ["No"], []),
    ("Am I allergic to peanuts?", ["Yes"], []),
    ("Is Ana vegetarian?", ["Yes"], []),
    ("Is my wife vegetarian?", ["Yes"], []),
    ("Do I eat meat?", ["No"], []),
    ("Do I like coriander?", ["No"], []),
    ("Do I like jazz?", ["Yes"], []),
    ("Do I have a dog?", ["Yes", "Rex"], []),
    ("Do I have children?", ["Yes"], []),
    ("Do I play the banjo?", ["Yes"], []),
    ("Have I ever been to Japan?", ["Yes", "April 2022"], []),
    ("Is my favourite colour black?", ["green"], ["Yes"]),
    ("Is Paul my brother?", ["Yes"], []),
    ("Do I still smoke?", ["No", "2022"], []),
    ("Has Paul moved?", ["Yes", "Aachen"], []),
    # when
    ("When does Mila start at the Goethe-Gymnasium?", ["26 August 2024"], []),
    ("When did I move to Lisbon?", ["June 2023"], []),
    ("When was my cousin's wedding?", ["4 May 2024"], []),
    ("When did I cancel CrossFit?", ["9 September 2023"], []),
    ("When did I leave Bosch?", ["30 September 2024"], []),
    ("When did I start at Siemens?", ["1 October 2024"], []),
    ("When was Mila born?", ["3 May 2013"], []),
    ("When is Mila's birthday?", ["3 May"], []),
    ("When is my next dentist appointment?", ["3 July 2025", "09:30"], []),
    ("When did I last go to Paris?", ["2 July 2024"], ["2023"]),
    ("When was the first time I visited Paris?", ["10 March 2023"], ["2024"]),
    ("When did I buy the camera?", ["20 January 2024"], []),
    ("Where did I buy the camera?", ["Berlin"], []),
    ("When does my passport expire?", ["12 March 2031"], []),
    ("When did I stop smoking?", ["January 2022"], []),
    ("Since when do I live in Lisbon?", ["June 2023"], []),
    ("Until when did I live in Porto?", ["June 2023"], []),
    ("How long have I lived in Lisbon?", ["2 years", "June 2023"], []),
    ("How long did I work at Bosch?", ["5 years"], []),
    ("How many years have I lived in Lisbon?", ["2 years"], []),
    ("When did I first mention Rex?", ["1 February 2023"], []),
    # before, after, change, order
    ("Where did I live before Lisbon?", ["Porto"], ["Lisbon"]),
    ("Where did I live before I moved to Lisbon?", ["Porto"], []),
    ("Where did I live after Porto?", ["Lisbon"], []),
    ("What laptop did I use before?", ["ThinkPad"], ["Framework"]),
    ("What was my previous laptop?", ["ThinkPad"], ["Framework"]),
    ("Where did I work before Siemens?", ["Bosch"], ["Siemens"]),
    ("Where did Paul use to live?", ["Cologne"], ["Aachen"]),
    ("How has my workplace changed?", ["Bosch", "Siemens"], []),
    ("How has where I live changed?", ["Porto", "Lisbon"], []),
    ("What changed in October 2024?", ["Siemens"], ["Lisbon"]),
    # times named in the question
    ("Where did I live in 2022?", ["Porto"], ["Lisbon"]),
    ("Where did I live in July 2023?", ["Lisbon"], ["Porto"]),
    ("Where did I live in 2023?", ["Porto", "Lisbon"], []),
    ("Where did Paul live in January 2024?", ["Aachen"], ["Cologne"]),
    ("Which school did Mila go to in 2023?", ["Linden"], ["Goethe"]),
    ("What laptop did I use in 2022?", ["ThinkPad"], ["Framework"]),
    ("How often did I go to CrossFit in spring 2023?", ["three times a week"], []),
    ("Where did I live last year?", ["Lisbon"], ["Porto"]),
    ("Where did I work before 2020?", ["Bosch"], ["Siemens"]),
    ("What did I buy in January 2024?", ["camera"], []),
]


@pytest.mark.parametrize(
    ("question", "needed", "forbidden"), [one for one in RIGHT if one[1]], ids=[one[0] for one in RIGHT if one[1]]
)
def test_answers_with_the_right_words(question: str, needed: list[str], forbidden: list[str]) -> None:
    found = ask(MEMORY, question)
    assert not found.abstained, found.text
    assert [word for word in needed if word.lower() not in found.text.lower()] == [], found.text
    assert [word for word in forbidden if word.lower() in found.text.lower()] == [], found.text
    assert found.tier == 2
    assert found.sources


ALSO_RIGHT = [
    ("How old is Mila?", ["Mila is 12"]),
    ("Who is Peter's daughter?", []),
    ("When did Mila change schools?", ["26 August 2024"]),
    ("Did I live in Berlin?", []),
    ("How many instruments do I play?", ["two", "that I know of"]),
    ("Do I have any allergies?", ["Yes", "peanuts"]),
    ("What did I do in April 2022?", ["Japan"]),
    ("What happened in May 2024?", ["wedding"]),
    ("Am I married?", ["Yes", "Ana"]),
    ("Describe Paul", ["nurse"]),
]


@pytest.mark.parametrize(("question", "needed"), [one for one in ALSO_RIGHT if one[1]])
def test_answers_what_is_only_implied(question: str, needed: list[str]) -> None:
    found = ask(MEMORY, question)
    assert not found.abstained, found.text
    assert all(word.lower() in found.text.lower() for word in needed), found.text


def test_any_mixture_of_words_gets_an_honest_answer() -> None:
    chance = random.Random(7)
    words = " ".join(question for question, *_ in RIGHT).replace("?", "").split()
    for _ in range(300):
        question = " ".join(chance.choices(words, k=chance.randint(1, 9)))
        found = ask(MEMORY, question)
        assert found.text
        assert found.abstained or found.sources, question


UNKNOWN = [
    "When was Theo born?",
    "When was Ben born?",
    "Where does Theo live?",
    "What is my sister's name?",
    "Where does my sister live?",
    "Who is my husband?",
    "What is my mother's name?",
    "Do I have a sister?",
    "What is the door code of the garage?",
    "What is the alarm code of the office?",
    "What is Paul's favourite colour?",
    "Where does Sara live?",
    "Is Sara vegetarian?",
    "What is Paul's laptop?",
    "What is my phone number?",
    "What phone do I use?",
    "What is my favourite food?",
    "What colour is my bike?",
    "Which school does Ben go to?",
    "Where does Ana work?",
    "What is Ana's job?",
    "Is Paul vegetarian?",
    "Where did I live in 2015?",
    "Where did Paul live in 2015?",
    "Which school did Mila go to in 2019?",
    "When did I get the ThinkPad?",
    "Since when has Paul lived in Bonn?",
    "What is Paul allergic to?",
    "Who is Peter?",
    "Tell me about Peter",
    "How many cats do I have?",
    "How many sons does Paul have?",
    "How often do I go swimming?",
    "Do I play the violin?",
    "Do I drink coffee?",
    "Where did I live before Porto?",
    "Which came first, Japan or Norway?",
    "When did I visit Norway?",
    "What did I buy in March 2021?",
    "What is your name?",
    "Why did I move to Lisbon?",
    "What is the capital of France?",
    "What does Caroline do on weekends?",
    "Who is Paul's sister?",
    "What breed is my cat?",
    "How old is Theo?",
    "When is Paul's birthday?",
    "How long have I known Jonas?",
    "Where did my wife study?",
]


@pytest.mark.parametrize("question", UNKNOWN)
def test_abstains_where_nothing_was_told(question: str) -> None:
    found = ask(MEMORY, question)
    assert found.abstained, found.text
    assert found.facts == ()
    values = {one.object.lower() for one in FACTS if one.object} - {"two", "paul", "jonas", "ana", "the dentist"}
    assert [value for value in values if value in found.text.lower() and value not in question.lower()] == []


@pytest.mark.parametrize(
    ("question", "text"),
    [
        ("Who are my siblings?", "Your brother is Miguel. Your sibling is Sam."),
        ("How many siblings do I have?", "Two: Miguel and Sam."),
        ("Do I have siblings?", "Yes, your brother is Miguel and your sibling is Sam."),
        ("Who are my kids?", "Your son is Ben."),
        ("Who are my relatives?", "Your cousin is Lou."),
    ],
)
def test_a_relation_asks_for_the_finer_ones_and_nobody_is_told_twice(question: str, text: str) -> None:
    told = [("brother", "Miguel"), ("sibling", "Miguel"), ("sibling", "Sam"), ("child", "Ben"), ("son", "Ben")]
    memory = Remembered([fact("me", *one) for one in (*told, ("cousin", "Lou"))], PEOPLE[:1])
    assert ask(memory, question).text == text
