"""One line of this table is one predicate, and a line holds wording only; what it does is the registry's matter.

Columns: name; one | many | event | fixed; wording for "you", for others, and in the past; nouns; verbs; question words.
"""

from __future__ import annotations

from collections.abc import Iterator

TABLE = """
nationality; fixed; are / is / was; nationality,citizenship; ; what
birth_year; fixed; were born in / was born in / was born in; birth year,year of birth; born; when,what
lives_with; many; live with / lives with / lived with; housemate; live; who
works_in; many; work in / works in / worked in; field,industry; work; where,what
works_with; many; work with / works with / worked with; tool; work; what
specialises_in; many; specialise in / specialises in / specialised in; speciality,specialty; specialise; what
teaches; many; teach / teaches / taught; class; teach; what
coaches; many; coach / coaches / coached; team; coach; who,what
manages; many; manage / manages / managed; team; manage,lead; who,what
runs; many; run / runs / ran; business,shop; run,own; what
supports; many; support / supports / supported; club,team; support; what,who
plays_for; many; play for / plays for / played for; team,club; play; who
plays_in; many; play in / plays in / played in; band,team; play; what,where
sings_in; many; sing in / sings in / sang in; choir; sing; where,what
collects; many; collect / collects / collected; collection; collect; what
grows; many; grow / grows / grew; plant; grow; what
raises; many; raise / raises / raised; animal; raise; what
keeps; many; keep / keeps / kept; animal; keep; what
avoids; many; avoid / avoids / avoided; ; avoid; what
interested_in; many; are interested in / is interested in / was interested in; interest; ; what
afraid_of; many; are afraid of / is afraid of / was afraid of; fear,phobia; fear; what
good_at; many; are good at / is good at / was good at; strength,talent; ; what
bad_at; many; are bad at / is bad at / was bad at; weakness; ; what
is; many; are / is / was; ; be; what
office_days; one; are in the office / is in the office / was in the office; office day; go; how often
graduated_from; event; graduated from / graduated from / graduated from; university,school; graduate; where,when
grew_up_in; event; grew up in / grew up in / grew up in; childhood,hometown; grow up; where
died; event; died / died / died; death; die,pass away; when
went; event; went / went / went; trip,outing; go; when,where
got; event; got / got / got; ; get; what,when
had; event; had / had / had; ; have,happen; what,when
thinks; many; think / thinks / thought; opinion,view; think,feel; what
team_size; one; have a team of / has a team of / had a team of; team,team size,people; ; how big,how many people
commute; one; commute by / commutes by / commuted by; commute; commute,get to work; how
reading; one; are reading / is reading / was reading; book; read; what
training_for; one; are training for / is training for / was training for; goal; train; what
drives; one; drive / drives / drove; car; drive; what
breed; fixed; are a / is a / was a; breed; ; what
watching; one; are watching / is watching / was watching; series,show; watch; what
wears; many; wear / wears / wore; ; wear,need; what
grade; one; are in / is in / was in; grade,class,year; be; what,which
ends; event; ends / ends / ended; end,end date; end,run,run out,finish,last; when
expires; event; expires / expires / expired; expiry,expiry date; expire,run out,end; when
comes; event; comes / comes / came; visit; come,arrive,visit; when
due; event; is due / is due / was due; due date; due; when
operating_system; one; run / runs / ran; operating system,os,distro,system; run,use; what,which
gym; one; train at / trains at / trained at; gym; train,go; which,where
sees; many; see / sees / saw; ; see,visit,go; who,what
location; one; are / is / was; place,location; be,keep,lie,put,leave; where
shift; one; work / works / worked; shift,working hours; work; what,which
insurance; one; are insured with / is insured with / was insured with; insurance,insurer; insure; who,what
bank; one; bank with / banks with / banked with; bank; bank; who,which,what
departure; one; leave at / leaves at / left at; departure,departure time; leave,depart,go; when
arrival; one; arrive at / arrives at / arrived at; arrival,arrival time; arrive,land; when
starting_time; one; start at / starts at / started at; start,starting time; start,begin; when
closing_time; one; close at / closes at / closed at; closing time; close,end,finish; when
opening_time; one; open at / opens at / opened at; opening time; open; when
nickname; one; are called / is called / was called; nickname; call; what
gender; fixed; are / is / was; gender; ; what
religion; one; are / is / was; religion,faith; ; what
home; one; live in / lives in / lived in; home,dwelling; live; what
degree; many; have the degree / has the degree / had the degree; degree,qualification; have; what
kind; one; are a / is a / was a; kind,breed,make,model,species; ; what
looks; many; look like this: / looks like this: / looked like this:; looks,colour,color; look; what
favourite; many; like best / likes best / liked best; favourite,favorite; like,prefer; what
sport; many; do / does / did; sport; do,play; what
hobby; many; have as a hobby / has as a hobby / had as a hobby; hobby; ; what
habit; many; have the habit: / has the habit: / had the habit:; habit,routine; do; what
goal; many; have the goal: / has the goal: / had the goal:; goal,aim,target; want,aim; what
measure; many; are at / is at / was at; figure,reading,value,result,score; be; what,how much,how many
measured; event; measured / measured / measured; result,time,score; ; what
price; many; cost / costs / cost; price,cost,rent,fee; cost,pay; how much
cost; event; cost / cost / cost; price,cost; cost,pay; how much
paid; event; earned / earned / earned; pay; earn,pay; how much
schedule; many; are on at / is on at / was on at; schedule,hours,shift,time; be,work; when
contact; many; can be reached at / can be reached at / could be reached at; contact,number,address,mail; reach; what
expires_on; event; expire / expires / expired; deadline,expiry,due date; expire,due; when
detail; many; have this noted: / has this noted: / had this noted:; ; ; what
born; event; have a birth / has a birth / had a birth; birth; born; when

"""

EVENT_VERBS = """
painted paint, drew draw, wrote write, published publish, submitted submit, launched launch, released release,
recorded record, performed perform, exhibited exhibit, planted plant, baked bake, built build, created create,
designed design, knitted knit, sewed sew, crocheted crochet, won win, broke break, lost lose, found find,
adopted adopt, rescued rescue, fostered foster, repaired repair, fixed fix, installed install, upgraded upgrade,
celebrated celebrate, hosted host, organized organize, organised organise, ran run, climbed climb, hiked hike,
swam swim, sailed sail, graduated graduate, passed pass, failed fail, proposed propose, donated donate, sprained
sprain, injured injure, opened open, closed close, joined join, signed sign, registered register, applied apply,
booked book, received receive, watched watch, read read, saw see, caught catch, crashed crash, totaled total,
photographed photograph, made make, took take, tried try, shipped ship, deployed deploy, rewrote rewrite,
rebuilt rebuild, migrated migrate, hired hire, sponsored sponsor, beat beat, landed land, renovated renovate,
redecorated redecorate, underwent undergo, cooked cook, cleaned clean, combined combine, discovered discover,
explored explore, volunteered volunteer, raised raise, earned earn, accepted accept, pitched pitch, presented present,
filmed film, directed direct, auditioned audition, rehearsed rehearse, interviewed interview, saved save, packed pack,
dyed dye, helped help, learned learn, developed develop, held hold, threw throw, gathered gather, delivered deliver,
brought bring, returned return, rode ride, flew fly, drove drive, sang sing, played play, spent spend, invited invite,
surprised surprise, worked work, began begin, came come, shared share, streamed stream, lifted lift, set set,
checked check, biked bike, kayaked kayak, bowled bowl, camped camp, skied ski, surfed surf, walked walk, danced dance,
talked talk, chatted chat, ordered order, completed complete, grilled grill, roasted roast, assembled assemble,
decorated decorate, dug dig, taught teach, coached coach, trained train, competed compete, scored score, led lead,
introduced introduce, transferred transfer, moved move, picked pick, dropped drop, collected collect, tested test,
showed show, gave give, sent send, wore wear, decided decide, studied study, practiced practice, practised practise,
rented rent, toured tour, swapped swap, cut cut, shaved shave, announced announce, spoke speak, told tell, fed feed,
groomed groom, washed wash, babysat babysit, quit quit, arrived arrive
"""

Row = tuple[str, str, str, tuple[str, ...], tuple[str, ...], tuple[str, ...]]


def rows() -> Iterator[Row]:
    """(name, kind, wording, nouns, verbs, question words) of each line, the events included."""
    for line in TABLE.strip().splitlines():
        name, kind, wording, nouns, verbs, asks = (cell.strip() for cell in line.split(";"))
        yield name, kind, wording, _cells(nouns), _cells(verbs), _cells(asks)
    for pair in EVENT_VERBS.replace("\n", " ").split(","):
        past, verb = pair.split()
        yield past, "event", f"{past} / {past} / {past}", (), (verb,), ("what", "when")


def _cells(cell: str) -> tuple[str, ...]:
    return tuple(part.strip() for part in cell.split(",") if part.strip())
