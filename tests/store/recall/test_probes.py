"""A turn is found by its own words in whatever language it was written, among many others in the same language."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import UTC, datetime, timedelta

import pytest

from app.core.clock import FrozenClock
from store.memory import Memory
from store.records import Instant, Turn

SAID = datetime(2025, 3, 1, 9, tzinfo=UTC)
FIRST = 3
"""Its own turn is among the first so many hits."""

PROBES = """
내일 치과 예약이 있어서 회사에 늦게 가요 | 치과
지난주에 서울에서 부산으로 이사했어요 | 이사
고양이카페에서 두 시간 동안 놀았다 | 카페
할머니께서 김치를 담그는 법을 알려 주셨어요 | 김치
자전거를 도둑맞아서 경찰서에 신고했다 | 자전거 도둑
딸이 초등학교 삼학년이 되었어요 | 초등학교
도서관에서 빌린 책을 잃어버렸다 | 책을 잃어버렸다
매일 아침 한강을 따라 달리기를 해요 | 한강
내일 Kubernetes를 배포해야 해요 | kubernetes
팀에서 TypeScript로 다시 작성하기로 했다 | TypeScript
3월에 제주도로 여행을 갈 거예요 | 제주도
은행 대출 이자가 또 올랐어요 | 이자
아버지는 당뇨 때문에 설탕을 끊으셨다 | 당뇨
바다가 보이는 집에서 살고 싶다 | 바다
明天早上我要去看牙医 | 牙医
我们上个月搬到了杭州 | 杭州
奶奶教我怎么包饺子 | 饺子
我对花生过敏，不能吃这个蛋糕 | 过敏
公司决定用 Rust 重写后端服务 | Rust 后端
我把护照忘在出租车上了 | 护照
弟弟考上了北京大学 | 北京大学
周末我和朋友去爬了黄山 | 黄山
猫又把花瓶打碎了 | 花瓶
房租涨到了每月三千块 | 房租
他每天练习拉小提琴 | 小提琴
医生说我血压太高 | 血压
雨下得太大，比赛取消了 | 比赛
我的密码本是蓝色封面的 | 封面
来週、京都へ引っ越します | 京都
妹は看護師として働いています | 看護師
駅前のパン屋でクロワッサンを買った | クロワッサン
祖母から着物をもらいました | 着物
毎朝コーヒーを二杯飲みます | コーヒー
財布を電車に置き忘れた | 財布
息子はサッカーに夢中です | サッカー
猫の名前はミケです | 猫
ｶﾒﾗのレンズが壊れた | カメラ
人々は広場に集まった | 人々
来月からＡＷＳの研修が始まる | AWS
歯が痛くて眠れない | 歯
図書館で働くのが夢だった | 図書館
花粉症で目がかゆい | 花粉症
Am Freitag treffe ich Frau Müller beim Notar | Mueller
Meine Großmutter hat mir das Strickmuster geschenkt | grossmutter strickmuster
Wir wohnen jetzt in der Schillerstraße | Schillerstrasse
Der Schlüssel liegt unter dem Blumentopf | schluessel
Ich bin allergisch gegen Haselnüsse | Haselnüsse
Jörg hat sich beim Fußball den Knöchel verstaucht | Joerg Fussball
Die Überweisung an den Vermieter ging gestern raus | Ueberweisung
Das Hörgerät meines Vaters ist schon wieder kaputt | hoergeraet
Unser Hund heißt Fips und bellt den Briefträger an | heisst Fips
Zum Abendessen gab es Grünkohl mit Pinkel | Gruenkohl
Die Waschmaschine läuft aus, der Klempner kommt | Klempner
Meine Prüfung in Thermodynamik war schrecklich | thermodynamik
El médico me recetó pastillas para la migraña | migrana
Mi hermana se casó en Zaragoza | hermana Zaragoza
Perdí el paraguas en el autobús | autobus
Los pingüinos del acuario son mis favoritos | pingüinos
Aprendí a hacer croquetas con mi abuela | croquetas
El niño empezó la guardería en septiembre | guarderia
Quiero dejar de fumar este año | fumar
La calefacción hace un ruido extraño | calefacción
Mañana tengo una entrevista en el ayuntamiento | ayuntamiento
Nuestro piso da al patio interior | patio
Compré una bicicleta eléctrica de segunda mano | bicicleta electrica
Me duele la muñeca desde el partido | muneca
I rewrote the parser in C++ over the holidays | C++
The pre-edit hook refuses files with tabs | pre-edit
The standup moved to 9:30 | 9:30
They said don't, so the valve stayed shut | don't
The build breaks on node.js since the upgrade | node.js
My F# course starts again | F#
Ping ana.b@example.org about the invoice | ana.b@example.org
The setting is called max_retry_count | max_retry_count
Look in src/core/queue.rs for the leak | src/core/queue.rs
Version 2.10.3 fixed the crash | 2.10.3
We talk over TCP/IP in the lab | TCP/IP
The part number is AX-4417 | AX-4417
Her flight is LH2023 | LH2023
ＷＩＤＥ ＬＥＴＴＥＲＳ look odd | wide letters
"""
"""Turn | query."""

DISTRACTORS = """
오늘은 날씨가 정말 좋네요
저녁에 친구랑 영화를 봤어요
회사에서 회의가 길어졌다
점심으로 비빔밥을 먹었어요
어제 늦게까지 일했다
주말에는 집에서 쉬고 싶어요
새로운 노트북을 샀어요
커피를 너무 많이 마셨다
동생이 군대에 갔어요
버스가 늦게 와서 지각했다
운동을 다시 시작했어요
선생님께 편지를 썼다
어머니 생신 선물을 골랐어요
비가 와서 우산을 샀다
今天天气真好
昨天晚上我看了一部电影
公司开会开得太久了
中午我吃了一碗面
我想买一台新电脑
这个周末我想在家休息
妈妈的生日快到了
公交车晚点了
我又开始锻炼身体了
老师写了一封信
弟弟在学校打篮球
早上喝了两杯茶
这家店的菜很好吃
朋友从上海来看我
今日はとても暑いです
昨日、友達と映画を見ました
会議が長引いて疲れた
昼ご飯にうどんを食べました
新しいパソコンを買いました
週末は家で休みたいです
母の誕生日がもうすぐです
バスが遅れて遅刻した
また運動を始めました
先生に手紙を書いた
弟は学校で野球をしています
朝お茶を飲みます
犬と公園を散歩した
雨なので傘を買いました
Heute ist das Wetter wirklich schön
Gestern Abend haben wir einen Film gesehen
Die Besprechung hat viel zu lange gedauert
Zum Mittagessen gab es Nudeln
Ich möchte einen neuen Rechner kaufen
Am Wochenende bleibe ich zu Hause
Meine Mutter hat bald Geburtstag
Der Bus kam zu spät
Ich habe wieder mit dem Sport angefangen
Der Lehrer schrieb einen Brief
Mein Bruder spielt in der Schule Handball
Wir haben lange im Garten gesessen
Das neue Lokal am Markt ist gut
Ich schlafe seit Tagen schlecht
Hoy hace muy buen tiempo
Anoche vimos una película
La reunión duró demasiado
Para comer hubo lentejas
Quiero comprar un ordenador nuevo
Este fin de semana me quedo en casa
Pronto es el cumpleaños de mi madre
El tren llegó tarde
He vuelto a hacer deporte
El profesor escribió una carta
Mi hermano juega al baloncesto
Paseamos por el parque con el perro
El restaurante nuevo está muy bien
Llevo días durmiendo mal
The weather is lovely today
We watched a film last night
The meeting went on far too long
I edit photos in the evening
The hook on the door is loose
I think the C compiler is fine
They do what they want
We met at half past nine
The node in the graph is red
Count the retries, at most three
The core of the queue is a ring
I left at ten thirty
The course on the sharp bend is wet
The lab is on the second floor
"""


def lines(table: str) -> list[str]:
    return table.strip().splitlines()


CASES = [tuple(cell.strip() for cell in line.split(" | ")) for line in lines(PROBES)]


@pytest.fixture(scope="module")
def filled(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Memory]:
    """All texts in one memory, those that are looked for among the others."""
    texts = [text for text, _ in CASES] + lines(DISTRACTORS)
    mixed = [texts[place * 37 % len(texts)] for place in range(len(texts))]
    assert len(texts) % 37 and len(set(mixed)) == len(texts)
    moments = (Instant.of(SAID + timedelta(hours=5 * place)) for place in range(len(mixed)))
    turns = [
        Turn(text=text, session=f"s{place // 6}", said_at=said, speaker="me", role="user")
        for place, (text, said) in enumerate(zip(mixed, moments, strict=True))
    ]
    path = tmp_path_factory.mktemp("probes") / "memory.db"
    clock = FrozenClock(Instant.of(SAID + timedelta(days=90)))
    with Memory.open(path, clock=clock, zone=UTC) as memory:
        for _ in memory.episodes.ingest(turns):
            pass
        yield memory


def test_there_are_enough_probes_in_every_language() -> None:
    assert len(CASES) >= 60
    assert len({text for text, _ in CASES}) == len(CASES)


@pytest.mark.parametrize(("text", "query"), CASES)
def test_a_turn_is_found_by_its_own_words(filled: Memory, text: str, query: str) -> None:
    found = [hit.text for hit in filled.recall.search(query, k=FIRST).hits]
    assert text in found
