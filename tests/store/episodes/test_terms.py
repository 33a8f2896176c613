"""What a person can type, they can find again."""

from __future__ import annotations

from datetime import date

import apsw
import pytest

from store.episodes.index import _TABLES
from store.episodes.terms import LONGEST, STOPWORDS, day_terms, month_terms, query_terms, terms
from store.text.stem import stem

WORDS = (
    "caresses ponies ties caress cats feed agreed plastered bled motoring sing conflated troubled sized hopping "
    "tanned falling hissing fizzed failing filing happy sky relational conditional rational valenci hesitanci "
    "digitizer conformabli radicalli differentli vileli analogousli vietnamization predication operator feudalism "
    "decisiveness hopefulness callousness formaliti sensitiviti sensibiliti triplicate formative formalize "
    "electriciti electrical hopeful goodness revival allowance inference airliner gyroscopic adjustable "
    "defensible irritant replacement adjustment dependent adoption homologou communism activate angulariti "
    "homologous effective bowdlerize probate rate cease controll roll yes youth yellow yearly dying sayings "
    "bypass archaeology apology generalizations oscillators flying dying skies aaa ox by the painting paintings "
    "painted painter sunrises "
)


@pytest.fixture
def connection() -> apsw.Connection:
    return apsw.Connection(":memory:")


def test_stems_are_those_of_sqlite(connection: apsw.Connection) -> None:
    porter = connection.fts5_tokenizer("porter", ["unicode61"])
    for word in WORDS.split():
        found = porter(word.encode(), apsw.FTS5_TOKENIZE_DOCUMENT, None, include_offsets=False, include_colocated=False)
        assert found == [stem(word)]


@pytest.mark.parametrize(
    ("said", "asked"),
    [
        ("She was painting sunrises", "paint a sunrise"),
        ("I love C++ and C#", "c++"),
        ("the pre-edit hook", "pre-edit"),
        ("the pre-edit hook", "hook that runs on edit"),
        ("Meet me at 9:30", "9:30"),
        ("I don’t eat meat", "don't"),
        ("Caroline's book", "Caroline"),
        ("we use node.js here", "Node.js"),
        ("mail ana@example.org", "ana@example.org"),
        ("mail ana@example.org", "example"),
        ("Crème brûlée in Łódź", "creme brulee lodz"),
        ("Straße nach Ørsted", "strasse orsted"),
        ("東京に住んでいます", "東京"),
        ("私は猫が好きです", "猫"),
        ("北京大学很漂亮", "北京"),
        ("고양이를 좋아해요", "고양이"),
        ("서울에서 살아요", "서울은"),
        ("ฉันชอบแมว", "แมว"),
        ("मुझे किताबें पसंद हैं", "पसंद"),
        ("Ёлка стоит", "елка"),
        ("שָׁלוֹם לך", "לך"),
        ("so happy 🎉🎂", "🎂"),
        ("ＦＵＬＬ ｗｉｄｔｈ", "full width"),
        ("ｶﾒﾗが壊れた", "カメラ"),
        ("人々が集まった", "人々"),
        ("Frau Müller kommt", "Mueller"),
        ("Frau Mueller kommt", "Müller"),
        ("Frau Müller kommt", "Muller"),
        ("Große Straße", "GROSSE STRASSE"),
        ("pingüinos", "pinguinos"),
        ("İstanbul", "istanbul"),
        ("내일 Kubernetes를 배포해요", "kubernetes"),
        ("C++를 배워요", "C++"),
        ("9:30에 만나요", "9:30"),
        ("3월에 이사해요", "3월"),
        ("부산으로 이사했어요", "이사"),
        ("고양이카페에서 놀았다", "카페"),
        ("iPhone15を買った", "iphone15"),
    ],
)
def test_what_was_said_is_found(said: str, asked: str) -> None:
    assert set(query_terms(asked)) & set(terms(said))


def test_every_term_is_one_token_of_the_table(connection: apsw.Connection) -> None:
    connection.execute(_TABLES.split("insert", 1)[0])
    text = "C++ pre-edit 9:30 don't .NET a@b.org x/y 고양이를 私は猫が ฉันชอบแมว मुझे किताबें שָׁלוֹם 🎉 Ørsted a_b =asks"
    found = terms(text)
    connection.execute("insert into episode_terms(words) values (?)", (" ".join(found),))
    connection.execute("create virtual table vocab using fts5vocab(episode_terms, 'instance')")
    stored = [term for (term,) in connection.execute('select term from vocab order by "offset"')]
    assert stored == found


def test_queries_leave_out_stop_words_unless_nothing_else_is_left() -> None:
    assert query_terms("Where did I put the keys?") == ["put", "kei"]
    assert query_terms("who are you") == ["who", "ar", "you"]
    assert query_terms("keys, keys and a key") == ["kei"]
    assert all(word == word.lower() and " " not in word for word in STOPWORDS)


@pytest.mark.parametrize("text", ["", "   ", '"', "*", "( ) : ^", "\x00\x1b[31m", "'''", "-- ;"])
def test_nothing_in_nothing_out(text: str) -> None:
    assert all(term.strip() and not term.isspace() for term in terms(text))
    assert '"' not in " ".join(terms(text))


def test_terms_are_bounded_and_without_white_space() -> None:
    text = "A" * 500 + " " + "猫" + "x" * 300 + " " + "-".join(["long"] * 60)
    assert all(len(term) <= LONGEST and term == term.strip() and " " not in term for term in terms(text))


def test_a_word_without_umlauts_gets_no_second_form() -> None:
    assert terms("Queen Noel über naïve") == ["queen", "noel", "uber", "ueber", "naiv"]
    assert not set(terms("Muller")) & set(terms("Mueller"))


def test_a_day_is_found_by_its_parts() -> None:
    day = day_terms(date(2023, 5, 8))
    assert {"2023-05-08", "2023-05", "2023", "8"} <= set(day)
    assert set(terms("Monday, May 8, 2023")) <= set(day)
    assert "8" not in month_terms(date(2023, 5, 8))
