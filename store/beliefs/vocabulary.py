"""One line of these tables is one predicate: how it is worded, how it is asked for, and what is true of it.

The first line of a table names its columns, which are fields of `store.beliefs.predicates.Predicate`. Several values in
a cell stand between commas; empty cells at the end of a line are left off.
"""

from __future__ import annotations

from collections.abc import Iterator

TABLE = """
name; kind; wording; nouns; verbs; asks; group; grammar; traits; words; changes; aliases; broader; family
nationality; fixed; are / is / was; nationality,citizenship; ; what; ; ; identity,human
birth_year; fixed; were born in / was born in / was born in; birth year,year of birth; born; when,what; ; ; identity
lives_with; many; live with / lives with / lived with; housemate; live; who; home; ; human,stay,lapses; move; move
works_in; many; work in / works in / worked in; field,industry; work; where,what; work
works_with; many; work with / works with / worked with; tool; work; what; work; ; routine
specialises_in; many; specialise in / specialises in / specialised in; speciality,specialty; specialise; what; work
teaches; many; teach / teaches / taught; class; teach; what; work
coaches; many; coach / coaches / coached; team; coach; who,what; ; ; pursued
manages; many; manage / manages / managed; team; manage,lead; who,what; work
runs; many; run / runs / ran; business,shop; run,own; what; work
supports; many; support / supports / supported; club,team; support; what,who; tastes
plays_for; many; play for / plays for / played for; team,club; play; who; ; ; pursued
plays_in; many; play in / plays in / played in; band,team; play; what,where; ; ; pursued
sings; many; sing / sings / sang; voice; sing; what; tastes; ; routine; ; ; ; plays
sings_in; many; sing in / sings in / sang in; choir; sing; where,what; ; ; pursued
collects; many; collect / collects / collected; collection; collect; what; tastes
grows; many; grow / grows / grew; plant; grow; what
raises; many; raise / raises / raised; animal; raise; what; ; ; owned
keeps; many; keep / keeps / kept; animal; keep; what; ; ; owned
avoids; many; avoid / avoids / avoided; ; avoid; what; tastes; ; routine,preference
interested_in; many; are interested in / is interested in / was interested in; interest; ; what; tastes; ; opinion
afraid_of; many; are afraid of / is afraid of / was afraid of; fear,phobia; fear; what; tastes; ; opinion
good_at; many; are good at / is good at / was good at; strength,talent; ; what
bad_at; many; are bad at / is bad at / was bad at; weakness; ; what
is; many; are / is / was; ; be; what; ; of_things
office_days; one; are in the office / is in the office / was in the office; office day; go; how often; work; ; routine
graduated_from; event; graduated from / graduated from / graduated from; university,school; graduate; where,when; work
grew_up_in; event; grew up in / grew up in / grew up in; childhood,hometown; grow up; where; home
died; event; died / died / died; death; die,pass away; when; people; told; human
went; event; went / went / went; trip,outing; go; when,where; home
got; event; got / got / got; ; get; what,when
had; event; had / had / had; ; have,happen; what,when
thinks; many; think / thinks / thought; opinion,view; think,feel; what; tastes; ; opinion
team_size; one; have a team of / has a team of / had a team of; team,team size,people; ; how big,how many people; work
commute; one; commute by / commutes by / commuted by; commute; commute,get to work; how; work; ; routine,bare
reading; one; are reading / is reading / was reading; book; read; what; tastes; ; routine
training_for; one; are training for / is training for / was training for; goal; train; what; work; ; pursued
drives; one; drive / drives / drove; car; drive; what; things; ; owned,household,proper,lapses,settled; vehicle
breed; fixed; are a / is a / was a; breed; ; what; ; of_things; being
watching; one; are watching / is watching / was watching; series,show; watch; what; tastes; ; routine
wears; many; wear / wears / wore; ; wear,need; what; things; ; owned
grade; one; are in / is in / was in; grade,class,year; be; what,which; work
ends; event; ends / ends / ended; end,end date; end,run,run out,finish,last; when; ; of_the_value
expires; event; expires / expires / expired; expiry,expiry date; expire,run out,end; when; ; of_the_value
comes; event; comes / comes / came; visit; come,arrive,visit; when; ; of_the_value
due; event; is due / is due / was due; due date; due; when; ; of_the_value
operating_system; one; run / runs / ran; operating system,os,distro,system; run,use; what,which; things; of_things; \
routine
gym; one; train at / trains at / trained at; gym; train,go; which,where; health; ; pursued
sees; many; see / sees / saw; ; see,visit,go; who,what; people
location; one; are / is / was; place,location; be,keep,lie,put,leave; where; home; of_things; placed
shift; one; work / works / worked; shift,working hours; work; what,which; work; ; routine
insurance; one; are insured with / is insured with / was insured with; insurance,insurer; insure; who,what; things
bank; one; bank with / banks with / banked with; bank; bank; who,which,what; things
departure; one; leave at / leaves at / left at; departure,departure time; leave,depart,go; when; ; of_things
arrival; one; arrive at / arrives at / arrived at; arrival,arrival time; arrive,land; when; ; of_things
starting_time; one; start at / starts at / started at; start,starting time; start,begin; when; ; of_things
closing_time; one; close at / closes at / closed at; closing time; close,end,finish; when; ; of_things
opening_time; one; open at / opens at / opened at; opening time; open; when; ; of_things
nickname; one; are called / is called / was called; nickname; call; what; ; named; identity,bare
gender; fixed; are / is / was; gender; ; what; ; of_things; identity
religion; one; are / is / was; religion,faith; ; what; ; ; identity
home; one; live in / lives in / lived in; home,dwelling; live; what; home; ; placed,stay
degree; many; have the degree / has the degree / had the degree; degree,qualification; have; what; work; attribute
kind; one; are a / is a / was a; kind,breed,make,model,species; ; what; ; of_things; being
looks; many; look like this: / looks like this: / looked like this:; looks,colour,color; look; what; ; noted; identity
favourite; many; like best / likes best / liked best; favourite,favorite; like,prefer; what; tastes; attribute; opinion
sport; many; do / does / did; sport; do,play; what; health; done; activity,routine,timetabled
hobby; many; have as a hobby / has as a hobby / had as a hobby; hobby; ; what; tastes; attribute; \
activity,routine,timetabled
habit; many; have the habit: / has the habit: / had the habit:; habit,routine; do; what; health; habit; activity,routine
goal; many; have the goal: / has the goal: / had the goal:; goal,aim,target; want,aim; what; tastes; noted; aim
measure; many; are at / is at / was at; figure,reading,value,result,score; be; what,how much,how many; health; \
figure; bare,per_thing
measured; event; measured / measured / measured; result,time,score; ; what; health; attribute; bare
price; many; cost / costs / cost; price,cost,rent,fee; cost,pay; how much,what; ; paid; household,per_thing
cost; event; cost / cost / cost; price,cost; cost,pay; how much; ; paid
paid; event; earned / earned / earned; pay; earn,pay; how much; work
schedule; many; are on at / is on at / was on at; schedule,hours,shift,time; be,work; when; work; noted; \
routine,per_thing
contact; many; can be reached at / can be reached at / could be reached at; contact,number,address,mail; reach; \
what; ; noted; household
expires_on; event; expire / expires / expired; deadline,expiry,due date; expire,due; when,what; ; expiry; ; ; ; \
deadline,due_date
detail; many; have this noted: / has this noted: / had this noted:; ; ; what; ; told
born; event; have a birth / has a birth / had a birth; birth; born; when; people; told
lives_in; one; live in / lives in / lived in; home,city,town,address,residence; live,reside,stay; where; home; ; \
human,proper,placed,lapses,settled,stay,exclusive; home,based,living,house,reside,move,where; move,relocate; \
live_in,resides_in,located_in,moved_to
works_at; one; work at / works at / worked at; employer,company,workplace; work,teach; where; work; ; \
human,timetabled,proper,placed,lapses,settled,stay; employer,employed,job,firm; start; \
works_for,employed_at,employer,company
job; one; work as / works as / worked as; job,occupation,profession,role,position,title; do; what; work; occupation; \
human,timetabled,being,lapses,settled,stay; living,profession,career,work,employed; promote; \
works_as,occupation,profession,role,job_title
studies; one; study / studies / studied; major,subject,degree; study; what; work; ; human,timetabled,lapses
studies_at; one; study at / studies at / studied at; university,college; study; where; work; ; \
human,proper,placed,lapses,settled
school; one; go to school at / goes to school at / went to school at; school; go,attend; which,where; work; ; \
proper,lapses,settled; ; ; attends_school
relationship_status; one; are / is / was; relationship status,marital status; ; what; people; ; identity,settled; \
married,single,divorced,engaged,widowed,widow,widower,relationship,wedding,marry; marry,divorce
weight; one; weigh / weighs / weighed; weight; weigh; how much; health; ; identity
height; one; measure / measures / measured; height; ; how tall; health; attribute; identity
age; one; are / is / was; age; ; how old; health; of_things; identity,human,bare
rent; one; pay a rent of / pays a rent of / paid a rent of; rent; pay; how much,what; home; attribute; bare; ; ; ; price
salary; one; earn / earns / earned; salary,income; earn,make; how much,what; work
diet; one; eat / eats / ate; diet; eat; what; health; attribute; routine,consumed,bare,settled; food
laptop; one; use the laptop / uses the laptop / used the laptop; laptop,computer,notebook; use; what; ; attribute; \
owned,routine,proper; machine,work
phone; one; use the phone / uses the phone / used the phone; phone,smartphone,mobile; use; what; ; attribute; \
owned,routine,proper
editor; one; use the editor / uses the editor / used the editor; editor,ide; use; what; ; attribute; routine
name; fixed; are called / is called / was called; name; call; what,who; ; named; identity,bare,being
born_on; fixed; were born on / was born on / was born on; birthday,birth date,birthdate; born; when; ; birthday; \
identity,human; born,birthday,birthdate; ; birthday
born_in; fixed; were born in / was born in / was born in; birthplace; born; where; home; ; identity,proper; \
born,birthplace
from; fixed; come from / comes from / came from; hometown,home country; come; where; home; ; identity,proper; \
hometown,come,origin; ; comes_from,origin
native_language; fixed; speak natively / speaks natively / spoke natively; native language,mother tongue; ; what; ; \
attribute; identity,bare; ; ; mother_tongue,first_language
likes; many; like / likes / liked; hobby,interest; like,love,enjoy,prefer; what; tastes; ; \
opinion,timetabled,consumed,human; fond; ; loves,enjoys,fond_of; ; likes
dislikes; many; dislike / dislikes / disliked; ; dislike,hate; what; tastes; ; opinion,human; ; ; hates; ; likes
prefers; many; prefer / prefers / preferred; preference; prefer; what; tastes; ; opinion,routine,preference
owns; many; have / has / had; possession; own,have,got; what; ; of_things; household; possess; ; has,possesses
speaks; many; speak / speaks / spoke; language; speak; what,which; ; ; identity,human
learning; many; are learning / is learning / was learning; ; learn; what; work; ; pursued,timetabled,human
plays; many; play / plays / played; instrument,sport,game; play; what,which; tastes; ; \
activity,routine,timetabled,human
does; many; do / does / did; activity,exercise,sport,habit,hobby; do,practise,practice; what; health; done; \
activity,routine
goes_to; many; go to / goes to / went to; class,gym,club; go,attend; where; health; ; activity,routine,timetabled; ; \
; attends
member_of; many; are a member of / is a member of / was a member of; membership,club; belong; what; ; ; \
activity,timetabled
uses; many; use / uses / used; tool,app,software; use; what; ; ; owned,routine
subscribes_to; many; subscribe to / subscribes to / subscribed to; subscription; subscribe; what; ; ; routine
allergic_to; many; are allergic to / is allergic to / was allergic to; allergy,allergies; allergic; what; health; ; \
lasts,harms,human
takes; many; take / takes / took; medication,medicine,pill,tablet,supplement; take; what; health; ; routine; \
medicine,pill,tablet,dose
has_condition; many; have / has / had; condition,illness,disease,diagnosis; have,suffer; what; health; ill; lasts
can; many; can / can / could; skill; can,know; what
eats; many; eat / eats / ate; food; eat; what; tastes; ; routine,consumed
drinks; many; drink / drinks / drank; drink; drink; what; tastes; ; routine,consumed
wants; many; want / wants / wanted; goal,wish,dream; want,hope; what; tastes; ; opinion
plans; many; plan / plans / planned; plan; plan; what; tastes; planned; aim
volunteers_at; many; volunteer at / volunteers at / volunteered at; ; volunteer; where; ; ; timetabled,human
response_style; many; want answers like this: / wants answers like this: / wanted answers like this:; \
answer,explanation,response style,format,style,information,code example; format,structure,explain,present,answer; \
how; tastes; answered; routine,preference; ; ; answer_style
works_on; many; work on / works on / worked on; project; work; what; work
acquaintance; many; know / knows / knew; acquaintance; know; who; people
married_to; many; are married to / is married to / was married to; ; marry; who; people; ; ; \
married,spouse,husband,wife,partner; marry; ; partner
visited; event; visited / visited / visited; trip,visit; visit,go,travel; where,when; home; ; ; \
been,travel,trip,visit,city,town,place; ; went_to,travelled_to
bought; event; bought / bought / bought; purchase; buy; what,when
sold; event; sold / sold / sold; ; sell; what,when
met; event; met / met / met; ; meet,see; who,when; people; ; ; know,acquaint
attended; event; attended / attended / attended; event; attend,go; what,when
did; event; did / did / did; ; do; what,when
finished; event; finished / finished / finished; ; finish,complete; what,when; tastes
started; event; started / started / started; ; start,begin; what,when
event; event; had / had / had; event,appointment; do,happen,be; what,when; ; told; ; ; ; appointment,happened
"""
"""`kind` is one, many, event or fixed; a wording is for "you", for others, and in the past."""

RELATIONS = """
name; kind; aliases; group; broader; traits; words; changes
partner; one; husband,wife,spouse,boyfriend,girlfriend,fiance,fiancee; people; ; family,mutual,settled; \
relationship; marry
mother; one; mum,mom; people; parent; kin,family; parent
father; one; dad; people; parent; kin,family; parent
boss; one; manager,supervisor,team_lead,team_leader,line_manager; work; ; post; report
landlord; one; landlady; home; acquaintance; post
doctor; one; gp; health; acquaintance; post
dentist; one; ; health; acquaintance; post
therapist; one; ; health; acquaintance; post
brother; many; ; people; sibling; kin,family; sibling
sister; many; ; people; sibling; kin,family; sibling
son; many; ; people; child; kin,family; child,kid
daughter; many; ; people; child; kin,family; child,kid
child; many; kid,children,kids; people; ; kin,family
cousin; many; ; people; relative; kin
uncle; many; ; people; relative; kin
aunt; many; ; people; relative; kin
nephew; many; ; people; relative; kin
niece; many; ; people; relative; kin
grandmother; many; grandma; people; relative; kin
grandfather; many; grandpa; people; relative; kin
grandchild; many; grandkid,grandchildren,grandkids; people; relative; kin,family
grandson; many; ; people; grandchild; kin,family; grandchild
granddaughter; many; ; people; grandchild; kin,family; grandchild
mother_in_law; one; ; people; relative; family
father_in_law; one; ; people; relative; family
brother_in_law; many; ; people; relative; family
sister_in_law; many; ; people; relative; family
stepmother; many; stepmum,stepmom; people; relative; family
stepfather; many; stepdad; people; relative; family
stepbrother; many; ; people; relative; family
stepsister; many; ; people; relative; family
stepson; many; ; people; relative; family
stepdaughter; many; ; people; relative; family
godmother; many; ; people; relative; kin
godfather; many; ; people; relative; kin
godson; many; ; people; godchild; kin
goddaughter; many; ; people; godchild; kin
godchild; many; ; people; relative; kin
friend; many; best_friend; people; ; mutual
colleague; many; coworker,employee,apprentice; work; ; mutual,post
sibling; many; ; people; ; kin,family,mutual
parent; many; ; people; ; kin,family
relative; many; ; people
ex; many; ; people; ; mutual
neighbour; many; neighbor; home; ; mutual,post
roommate; many; flatmate; home; ; mutual,post
teacher; many; tutor; work; acquaintance
professor; many; ; work; acquaintance
advisor; many; adviser; work; acquaintance
mentor; many; ; work; acquaintance
coach; many; trainer; work; acquaintance
classmate; many; ; work; acquaintance; mutual
client; many; ; work; acquaintance
student; many; ; work; acquaintance
intern; many; ; work; acquaintance
assistant; many; ; work; acquaintance
lawyer; many; ; work; acquaintance
accountant; many; ; work; acquaintance
hairdresser; many; barber; people; acquaintance
physio; many; physiotherapist; health; acquaintance
vet; many; ; health; acquaintance
babysitter; many; nanny; home; acquaintance
pet; many; ; people; ; owned,being
dog; many; puppy; people; pet; owned; pet,animal
cat; many; kitten; people; pet; owned; pet,animal
rabbit; many; bunny; people; pet; owned; pet,animal
hamster; many; ; people; pet; owned; pet,animal
horse; many; pony; people; pet; owned; pet,animal
parrot; many; ; people; pet; owned; pet,animal
tortoise; many; ; people; pet; owned; pet,animal
"""
"""Persons and pets whom somebody has: their nouns word them."""

EVENT_VERBS = """
painted paint, drew draw, wrote write, published publish, submitted submit, launched launch, released release,
recorded record, performed perform, exhibited exhibit, planted plant, baked bake, built build, created create,
designed design, knitted knit, sewed sew, crocheted crochet, won win, broke break, lost lose, found find,
adopted adopt, rescued rescue, fostered foster, repaired repair, fixed fix, installed install, upgraded upgrade,
celebrated celebrate, hosted host, organized organize, organised organise, ran run health, climbed climb health,
hiked hike health, swam swim health, sailed sail, graduated graduate, passed pass, failed fail, proposed propose,
donated donate, sprained sprain health, injured injure health, opened open, closed close, joined join, signed sign,
registered register, applied apply, booked book, received receive, watched watch tastes, read read tastes, saw see,
caught catch, crashed crash, totaled total, photographed photograph, made make, took take, tried try, shipped ship,
deployed deploy, rewrote rewrite, rebuilt rebuild, migrated migrate, hired hire work, sponsored sponsor, beat beat,
landed land, renovated renovate, redecorated redecorate, underwent undergo health, cooked cook, cleaned clean,
combined combine, discovered discover, explored explore, volunteered volunteer, raised raise, earned earn,
accepted accept, pitched pitch, presented present work, filmed film, directed direct, auditioned audition,
rehearsed rehearse, interviewed interview work, saved save, packed pack, dyed dye, helped help, learned learn,
developed develop, held hold, threw throw, gathered gather, delivered deliver, brought bring, returned return,
rode ride, flew fly, drove drive, sang sing, played play, spent spend, invited invite, surprised surprise,
worked work, began begin, came come, shared share, streamed stream, lifted lift, set set, checked check,
biked bike health, kayaked kayak, bowled bowl, camped camp, skied ski, surfed surf, walked walk, danced dance,
talked talk, chatted chat, ordered order, completed complete, grilled grill, roasted roast, assembled assemble,
decorated decorate, dug dig, taught teach, coached coach, trained train, competed compete, scored score, led lead,
introduced introduce, transferred transfer, moved move home, picked pick, dropped drop, collected collect,
tested test, showed show, gave give, sent send, wore wear, decided decide, studied study, practiced practice,
practised practise, rented rent, toured tour, swapped swap, cut cut, shaved shave, announced announce, spoke speak,
told tell, fed feed, groomed groom, washed wash, babysat babysit, quit quit, arrived arrive
"""
"""The past form of each, which is its name and wording, its verb, and its group."""

Cells = dict[str, str]  # what a line says, by column


def rows() -> Iterator[Cells]:
    """What each line of the tables says; a wording is never left off."""
    yield from _lines(TABLE)
    for pair in EVENT_VERBS.replace("\n", " ").split(","):
        past, verb, *group = pair.split()
        told = {
            "name": past,
            "kind": "event",
            "wording": f"{past} / {past} / {past}",
            "verbs": verb,
            "asks": "what,when",
        }
        yield told | {"group": "".join(group)}
    for one in _lines(RELATIONS):
        noun = one["name"].replace("_", " ")
        wording = f"have the {noun} / has the {noun} / had the {noun}"
        yield one | {"wording": wording, "nouns": f"{noun},{noun}s,{one['aliases']}", "asks": "who"}


def _lines(table: str) -> Iterator[Cells]:
    columns, *lines = ([cell.strip() for cell in line.split(";")] for line in table.strip().splitlines())
    for cells in lines:
        yield dict(zip(columns, cells + [""] * (len(columns) - len(cells)), strict=True))
