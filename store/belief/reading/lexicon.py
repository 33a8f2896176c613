"""Word lists are data: a word here says what kind of thing it names, and no list holds a rule or a person's words.

`RELATIONS` maps each noun for a person or pet to (path name, gender). Everything is lower case.
"""

from __future__ import annotations

Gender = str
"""m, f, n (either) or x (an animal)."""


def _set(words: str) -> frozenset[str]:
    return frozenset(words.split())


def _phrases(lines: str) -> frozenset[str]:
    return frozenset(part.strip() for part in lines.replace("\n", ",").split(",") if part.strip())


def _relations(lines: str) -> dict[str, tuple[str, Gender]]:
    found: dict[str, tuple[str, Gender]] = {}
    for line in lines.strip().splitlines():
        gender, name, *words = line.split()
        for word in words or [name]:
            found[word.replace("_", " ")] = (name, gender)
    return found


RELATIONS = _relations("""
m partner husband boyfriend hubby fiancé
f partner wife girlfriend fiancée
n partner partner spouse fiance fiancee
f mother mother mum mom mummy mommy mama
m father father dad daddy papa
n parent
m brother brother bro
f sister sister sis
n sibling
m son
f daughter
n child child kid toddler baby
n cousin
m uncle
f aunt aunt auntie aunty
m nephew
f niece
f grandmother grandmother grandma gran granny nana nan
m grandfather grandfather grandpa grandad granddad
m grandson
f granddaughter
n grandchild
f mother_in_law mother-in-law
m father_in_law father-in-law
m brother_in_law brother-in-law
f sister_in_law sister-in-law
m stepfather stepfather stepdad
f stepmother stepmother stepmom stepmum
m stepbrother
f stepsister
m stepson
f stepdaughter
m ex_husband ex-husband
f ex_wife ex-wife
m ex_boyfriend ex-boyfriend
f ex_girlfriend ex-girlfriend
n ex
n twin
n boss boss manager supervisor
n friend friend buddy bestie mate pal
n colleague colleague coworker co-worker teammate workmate
n neighbour neighbour neighbor
n roommate roommate flatmate housemate
n teacher teacher tutor
n professor
n advisor advisor adviser
n mentor
n coach coach trainer
n landlord
f landlord landlady
n doctor doctor gp
n dentist
n therapist therapist psychologist psychiatrist
n physio physio physiotherapist
n vet
n lawyer
n accountant
n hairdresser hairdresser barber
n godfather
n godmother
n godson
n goddaughter
n godchild
n assistant
n editor
n agent
n ceo
n cto
n client
n student
n intern
n babysitter babysitter nanny
x pet
x dog dog puppy pup
x cat cat kitten kitty
x rabbit rabbit bunny
x hamster
x horse horse pony
x parrot
x bird
x fish
x goldfish
x turtle
x tortoise
x snake
x lizard
x guinea_pig
x hen
""")

PLURALS = {
    **{f"{word}s": word for word in RELATIONS},
    "wives": "wife",
    "children": "child",
    "grandparents": "grandmother",
    "babies": "baby",
    "puppies": "puppy",
    "kitties": "kitty",
    "bunnies": "bunny",
    "ponies": "pony",
    "grandchildren": "grandchild",
}
PETS = frozenset(word for word, (_, gender) in RELATIONS.items() if gender == "x")
FAMILY = frozenset(
    word
    for word, (name, gender) in RELATIONS.items()
    if name
    in _set(
        "brother sister sibling son daughter child cousin uncle aunt nephew niece grandson granddaughter grandchild twin"
    )
)

RELATION_ADJECTIVES = _set(
    "older elder younger little big eldest oldest youngest middle best good old new close closest dear late twin half only "
    "first second former current dearest ex long-time longtime childhood adopted foster school college high-school online "
    "next-door upstairs downstairs favourite favorite beloved own other former"
)

NUMBERS = {
    word: value
    for value, word in enumerate(
        [
            "zero",
            "one",
            "two",
            "three",
            "four",
            "five",
            "six",
            "seven",
            "eight",
            "nine",
            "ten",
            "eleven",
            "twelve",
            "thirteen",
            "fourteen",
            "fifteen",
            "sixteen",
            "seventeen",
            "eighteen",
            "nineteen",
            "twenty",
        ]
    )
} | {"thirty": 30, "forty": 40, "fifty": 50, "sixty": 60, "seventy": 70, "eighty": 80, "ninety": 90, "a": 1, "an": 1}

DETERMINERS = _set("a an the my our his her their its your this that these those some any another")
POSSESSIVES = _set("my our his her their its")
PRONOUN_OBJECTS = _set(
    "it that this them him her me us you one ones something anything everything nothing someone anyone everyone people there "
    "here so things stuff lot lots bit these those both all more most some any many much what which who whom how why where "
    "each other others another himself herself myself ourselves themselves yourself way thing kind sort same such"
)
FILLERS = _set(
    "also just still now currently really always usually recently finally actually already only even both totally mostly "
    "mainly basically definitely honestly probably lately often sometimes generally typically regularly normally happily "
    "proudly absolutely simply truly officially technically literally personally thankfully luckily fortunately sadly "
    "unfortunately apparently obviously clearly certainly surely long kinda sorta pretty quite very super so too well almost "
    "nearly occasionally rarely seldom newly once never ever then all today yesterday tonight soon"
)
INTERJECTIONS = _set(
    "hi hey hello hiya yes yeah yep yup no nope nah ok okay oh ah aw aww wow well so haha hah lol hmm um uh thanks thank cheers "
    "sure right great nice cool awesome perfect good sounds anyway anyways btw fyi also and but then plus besides still sorry "
    "update actually honestly basically frankly absolutely totally definitely exactly indeed true agreed currently lately "
    "recently finally now today yesterday tonight unfortunately fortunately luckily sadly apparently meanwhile again first "
    "second firstly secondly lastly oops ugh woah whoa yay hooray correction because since though although as while when "
    "guess surprisingly interestingly personally ps morning evening afternoon just way fact"
)
HEDGES = _set("think guess believe suppose reckon probably maybe perhaps apparently presumably might seem seems")

HYPOTHETICAL = _set("if unless whether suppose supposing imagine pretend assuming hypothetically wish otherwise lest")
MAYBES = _set("maybe perhaps possibly hopefully")

INSTRUMENTS = _phrases("""
piano, guitar, bass, bass guitar, electric guitar, acoustic guitar, violin, viola, cello, double bass, banjo, ukulele, mandolin,
harp, flute, clarinet, oboe, bassoon, saxophone, sax, trumpet, trombone, tuba, horn, french horn, drums, drum kit, percussion,
keyboard, keyboards, synth, synthesizer, organ, accordion, harmonica, recorder, lute, sitar, bagpipes, fiddle, marimba,
xylophone, timpani, djembe, cajon, concertina, euphonium, zither, lyre, kalimba, bodhran, tin whistle
""")
SPORTS = _phrases("""
tennis, table tennis, ping pong, squash, badminton, padel, pickleball, football, soccer, basketball, volleyball, beach volleyball,
handball, hockey, ice hockey, field hockey, rugby, cricket, baseball, softball, golf, chess, go, poker, bridge, scrabble, darts,
pool, snooker, lacrosse, ultimate, ultimate frisbee, frisbee, dodgeball, water polo, board games, video games, cards, checkers,
dungeons and dragons, d&d, esports, minigolf, bowling, boules, petanque, backgammon
""")
ACTIVITIES = _phrases("""
yoga, pilates, crossfit, karate, judo, aikido, taekwondo, boxing, kickboxing, jiu-jitsu, muay thai, tai chi, fencing, archery,
gymnastics, ballet, zumba, salsa, tango, meditation, climbing, bouldering, swimming, running, jogging, cycling, hiking, walking,
rowing, sailing, surfing, skiing, snowboarding, skating, skateboarding, kayaking, canoeing, diving, scuba diving, horse riding,
weightlifting, weights, strength training, photography, pottery, ceramics, painting, drawing, sketching, knitting, crochet,
sewing, embroidery, quilting, woodworking, carpentry, gardening, baking, cooking, brewing, calligraphy, origami, birdwatching,
astronomy, fishing, camping, hunting, dancing, singing, writing, blogging, journaling, reading, gaming, improv, stand-up,
theatre, volunteering, beekeeping, geocaching, parkour, spinning, aerobics, martial arts, freelancing, smoking, vaping,
drinking, meditating, crosswords, sudoku, puzzles, crocheting, bird watching, rock climbing, trail running, intermittent fasting
""")
LANGUAGES = _set(
    "english spanish german french portuguese italian dutch swedish norwegian danish finnish icelandic polish czech slovak "
    "russian ukrainian bulgarian serbian croatian slovenian romanian hungarian greek turkish arabic hebrew persian farsi hindi "
    "urdu bengali tamil telugu marathi gujarati punjabi mandarin cantonese chinese japanese korean vietnamese thai malay "
    "indonesian tagalog filipino swahili yoruba hausa igbo amharic zulu xhosa afrikaans welsh irish gaelic catalan basque "
    "galician latvian lithuanian estonian albanian macedonian georgian armenian mongolian nepali latin esperanto asl bsl"
)
NATIONALITIES = LANGUAGES - _set("latin esperanto asl bsl english") | _set(
    "english british american canadian australian brazilian mexican argentinian argentine chilean colombian peruvian venezuelan "
    "cuban austrian swiss belgian scottish indian pakistani bangladeshi iranian iraqi syrian lebanese egyptian moroccan "
    "algerian tunisian nigerian ghanaian kenyan ethiopian ugandan tanzanian israeli palestinian jordanian saudi taiwanese "
    "singaporean malaysian sri-lankan european african asian latina latino"
)
FAITHS = _set("catholic christian muslim jewish hindu buddhist sikh atheist agnostic protestant orthodox quaker mormon")
DIETS = _set(
    "vegetarian vegan pescatarian pescetarian flexitarian gluten-free dairy-free lactose-free keto ketogenic paleo low-carb "
    "sugar-free halal kosher plant-based omnivore carnivore fruitarian teetotal teetotaler"
)
STATUSES = _set("single married divorced engaged widowed separated")
CONDITIONS = _phrases("""
diabetes, type 1 diabetes, type 2 diabetes, asthma, adhd, add, autism, epilepsy, migraine, migraines, arthritis, anxiety,
depression, insomnia, hypertension, high blood pressure, low blood pressure, celiac, coeliac, celiac disease, coeliac disease,
crohn's disease, crohn's, ibs, endometriosis, eczema, psoriasis, hay fever, dyslexia, tinnitus, anemia, anaemia, scoliosis,
sciatica, gastritis, hypothyroidism, hyperthyroidism, sleep apnea, sleep apnoea, ptsd, ocd, bipolar disorder, lupus, ms,
multiple sclerosis, parkinson's, alzheimer's, dementia, cancer, breast cancer, leukemia, gout, fibromyalgia, glaucoma,
vertigo, a heart condition, a bad back, a bad knee, high cholesterol, long covid, reflux, acid reflux, gerd, pcos,
a heart murmur, a slipped disc, a hernia, gestational diabetes, prediabetes, colour blindness, a stutter
""")
IS_WORDS = _phrases("""
diabetic, asthmatic, pregnant, left-handed, right-handed, introverted, extroverted, bilingual, trilingual, deaf, blind,
colour-blind, colorblind, color-blind, short-sighted, near-sighted, dyslexic, autistic, epileptic, lactose intolerant,
lactose-intolerant, gluten intolerant, gluten-intolerant, gay, lesbian, bisexual, trans, transgender, queer, non-binary,
nonbinary, adopted, anaemic, anemic, nearsighted, vaccinated, neurodivergent, straight-edge, sober
""")
IS_NOUNS = _phrases("""
introvert, extrovert, ambivert, night owl, early bird, morning person, early riser, cat person, dog person, twin, mother, mom,
mum, father, dad, parent, single mom, single mum, single dad, single parent, grandmother, grandfather, feminist, trans woman,
trans man, transgender woman, transgender man, only child, vegetarian, smoker, non-smoker, light sleeper, heavy sleeper,
bookworm, foodie, perfectionist, homebody, orphan, immigrant, refugee, citizen, us citizen, permanent resident, homeowner,
leo, virgo, libra, scorpio, sagittarius, capricorn, aquarius, pisces, taurus, gemini, diabetic, widow, widower, first-generation
student, early adopter, minimalist, vegan, pescatarian, blood donor, beginner, total beginner, complete beginner, beekeeper,
coffee drinker, tea drinker, organ donor, marathon runner, runner, cyclist, swimmer, climber, hiker, gamer, birdwatcher,
collector, reader, homeschooler, chess player, tennis player, football fan, history buff, film buff, movie buff, workaholic,
procrastinator, romantic, optimist, pessimist, dancer, poet, night person, people person, outdoor person, virgin
""")
JOBS = _phrases("""
carpenter, plumber, electrician, mechanic, welder, builder, architect, engineer, developer, programmer, designer, analyst,
scientist, researcher, professor, lecturer, teacher, tutor, librarian, nurse, midwife, doctor, surgeon, dentist, pharmacist,
physiotherapist, paramedic, vet, veterinarian, psychologist, psychiatrist, therapist, counselor, counsellor, social worker,
lawyer, solicitor, barrister, judge, paralegal, accountant, bookkeeper, auditor, banker, trader, broker, economist, actuary,
consultant, manager, director, executive, ceo, cto, cfo, coo, founder, co-founder, cofounder, entrepreneur, owner, president,
vice president, secretary, receptionist, administrator, assistant, coordinator, clerk, cashier, salesperson, salesman,
saleswoman, sales rep, marketer, copywriter, writer, author, novelist, journalist, reporter, editor, translator,
interpreter, photographer, videographer, filmmaker, actor, actress, musician, singer, composer, producer, dj, painter,
sculptor, artist, illustrator, animator, potter, chef, cook, baker, butcher, barista, bartender, waiter, waitress, farmer,
gardener, florist, beekeeper, fisherman, forester, driver, truck driver, bus driver, taxi driver, pilot, flight attendant,
sailor, captain, soldier, officer, police officer, policeman, policewoman, detective, firefighter, guard, tailor, hairdresser,
barber, beautician, cleaner, janitor, housekeeper, nanny, babysitter, coach, trainer, personal trainer, athlete, footballer,
priest, pastor, imam, rabbi, monk, politician, diplomat, civil servant, clerk, surveyor, geologist, biologist, chemist,
physicist, mathematician, statistician, historian, philosopher, linguist, archaeologist, astronomer, technician, operator,
foreman, supervisor, team lead, tech lead, lead, head, intern, trainee, apprentice, student, phd student, phd candidate,
postdoc, undergrad, undergraduate, freshman, sophomore, freelancer, contractor, recruiter, hr manager, receptionist, sysadmin,
devops engineer, product manager, project manager, pm, senior pm, phd, partner, associate, principal, tour guide, guide, courier,
postman, stay-at-home mom, stay-at-home mum, stay-at-home dad, housewife, homemaker, landscaper, roofer, bricklayer, decorator,
optician, optometrist, radiographer, radiologist, cardiologist, dermatologist, paediatrician, pediatrician, oncologist,
neurologist, anaesthetist, curator, conservator, stylist, model, jeweller, watchmaker, luthier, blacksmith, conductor,
stage manager, screenwriter, playwright, streamer, youtuber, blogger, influencer, realtor, estate agent, insurance agent,
travel agent, warehouse worker, factory worker, construction worker, care worker, caregiver, carer, lifeguard, ranger,
headteacher, headmaster, principal investigator, research assistant, teaching assistant, ta, kindergarten teacher, dancer
""")
JOB_ENDINGS = ("ologist", "ician", "engineer", "developer", "designer", "manager", "teacher", "nurse", "director", "officer",
               "analyst", "consultant", "scientist", "technician", "specialist", "instructor", "therapist", "writer", "worker")  # fmt: skip
NOT_JOBS = _phrases("""
model student, better teacher, fast learner, team player, big believer, people person, proud owner, lead, head, partner, model,
guard, captain, principal, judge, driver, cook, reader, runner, guide, coach, vet
""")
WORKPLACES = _set(
    "company startup agency firm bank hospital school university college restaurant cafe shop store office factory lab clinic "
    "practice studio library museum bakery bookshop bookstore supermarket hotel garage farm garden-centre centre center "
    "nursery kindergarten court theatre theater gym pharmacy publisher newspaper magazine station airport council ministry "
    "charity ngo foundation institute consultancy brewery winery salon dealership warehouse plant mill consultancy bar pub "
    "shelter kitchen sanctuary department hospice vet's surgery archive observatory gallery zoo start-up"
)
EVENT_NOUNS = _phrases("""
appointment, meeting, interview, exam, test, flight, concert, gig, party, wedding, trip, presentation, surgery, operation,
checkup, check-up, performance, recital, game, match, tournament, competition, call, session, conference, workshop, deadline,
reunion, date, dinner, lunch, brunch, birthday, birthday party, anniversary, graduation, funeral, ceremony, festival, race, marathon,
half marathon, hearing, viewing, scan, rehearsal, class, lesson, training, review, launch, show, exhibition, holiday, vacation,
talk, webinar, defense, defence, retreat, hike, picnic, baptism, christening, engagement party, baby shower, move, parade,
housewarming, housewarming party, gala, hackathon, auction, open day, audition, driving test, delivery, demo, kickoff, premiere,
due date, opening, inspection, visit, camp, fair, charity race, fundraiser, road trip, camping trip, vaccination, ultrasound
""")
POSSESSIONS = _set(
    "car bike bicycle motorbike motorcycle scooter van truck boat house flat apartment condo cottage cabin garden allotment "
    "laptop computer desktop phone tablet ipad iphone macbook camera console playstation xbox switch kindle telescope "
    "drone printer piano guitar violin cello keyboard drums ukulele banjo tattoo tattoos collection greenhouse balcony "
    "workshop studio caravan camper tent kayak surfboard skateboard snowboard watch smartwatch ring necklace wardrobe "
    "motorhome campervan thermomix dishwasher sauna pool fireplace turntable record-player bonsai e-bike ebike tesla "
    "treadmill sewing-machine kiln loom telescope robot airfryer business shop store blog podcast channel degree license "
    "licence passport visa scar twin"
)
CARS = _set(
    "golf polo passat tiguan octavia fabia civic corolla yaris prius rav4 focus fiesta mustang clio twingo zoe megane kangoo "
    "cinquecento panda leaf micra qashqai ioniq kona ceed tesla audi bmw mercedes volkswagen vw skoda seat toyota honda ford "
    "renault peugeot citroen citroën fiat opel vauxhall volvo saab mazda nissan hyundai kia subaru suzuki dacia mini jeep "
    "porsche lexus chevrolet chevy dodge jaguar cupra polestar byd mg lancia beetle beemer duster sandero ibiza leon"
)
LAPTOPS = _set(
    "thinkpad macbook framework xps chromebook ideapad zenbook vivobook surface elitebook latitude inspiron matebook yoga imac"
)
PHONES = _set("iphone pixel fairphone galaxy oneplus xiaomi nokia huawei motorola redmi")
EDITORS = _phrases(
    "vim, neovim, emacs, vs code, vscode, visual studio code, sublime text, sublime, pycharm, intellij, zed, helix, nano, kate, cursor, rstudio, eclipse, webstorm, atom, notepad++, textmate"
)
DRINKS = _set(
    "coffee tea water milk wine beer alcohol juice soda cola espresso kombucha whisky whiskey gin matcha decaf cider caffeine rum vodka"
)
CLASSES = _set("class classes lesson lessons course courses workshop seminar bootcamp lecture lectures")
CLUBS = _set(
    "gym club choir class group church temple mosque synagogue pool studio therapy mass circle band orchestra league team society crossfit yoga pilates karate judo"
)
SCHOOLISH = (
    "schule",
    "gymnasium",
    "school",
    "academy",
    "kindergarten",
    "nursery",
    "preschool",
    "kita",
    "lyceum",
    "liceo",
    "colegio",
)
COLLEGEISH = (
    "university",
    "college",
    "uni",
    "mit",
    "institute",
    "polytechnic",
    "eth",
    "school of",
    "universität",
    "caltech",
    "csail",
)
COLOURS = _set(
    "red blue green yellow black white grey gray purple orange pink brown turquoise teal beige navy maroon silver gold golden violet indigo burgundy cyan magenta lilac lavender cream"
)
MONTHS = _set(
    "january february march april may june july august september october november december jan feb mar apr jun jul aug sep sept oct nov dec"
)
DAYS = _set(
    "monday tuesday wednesday thursday friday saturday sunday mondays tuesdays wednesdays thursdays fridays saturdays sundays"
)
COMMON_PLACES = _phrases(
    "the countryside, the suburbs, the city, the coast, the mountains, the country, downtown, the city centre, the city center, the old town, the north, the south, the woods, the seaside"
)
COMPANION_STOP = _set("lot lots bit bunch ton tons help the this that great so much such some many all")
ATTRIBUTES = _phrases("""
name, full name, first name, last name, surname, maiden name, nickname, birthday, birth date, date of birth, address, email, email address, phone number, mobile number, number, job,
job title, title, role, salary, income, rent, mortgage, weight, height, shoe size, size, ring size, blood type, blood group, star sign, zodiac sign, pronouns, favourite, favorite,
door code, code, gate code, alarm code, locker code, entry code, locker number, locker, room number, room, seat, flight number, flight, gate, budget, limit, deadline, due date, booking reference,
order number, member number, membership number, customer number, licence plate, license plate, number plate, plate, car, laptop, computer, phone, bike, tablet, camera, editor,
watch, hometown, home town, nationality, native language, mother tongue, first language, major, minor, degree, thesis topic, thesis, topic, hobby, goal, diet, commute, wifi network,
wifi name, username, handle, doctor, dentist, team, timezone, time zone, insurance, insurer, bank, provider, internet provider, employer, company, school, university, stack, tech stack, framework, database,
language, working title, resting heart rate, heart rate, blood pressure, best time, personal best, record, best 10k, best half marathon, pb, screen name, eye colour, eye color, hair colour, hair color,
middle name, capacity, price, fee, monthly fee, subscription, tariff, speed, version, model, breed, colour, color, age, brand, make, account manager, emergency contact, office, desk,
parking spot, parking space, bus, train, route, shift, bedtime, alarm, wake-up time, plan, password manager, operating system, os, browser, distro, printer, router, note-taking app, main language, mileage, odometer, departure, platform, target, quota
""")
NON_NAMES = (
    _set(
        "i i'm god christmas easter halloween thanksgiving lol omg btw fyi asap ok okay wow hey hi hello thanks thank yes no yeah please sorry "
        "the a an this that these those it he she they we you my our his her their its what when where why how who which and but or so "
        "not never also just now then here there well oh ah sure great good nice cool awesome perfect maybe still even only really "
        "actually honestly last next every each all some any many most both if because since after before while although though as "
        "at in on for to from with by of about than let's let lets do does did is are was were have has had can could would should "
        "will may might must shall been being one two three four five six seven eight nine ten today tomorrow yesterday tonight "
        "congrats congratulations sounds looks seems like love happy sad glad thrilled excited proud keep take make get got go going "
        "dear mr mrs ms mom mum dad no nope total speaking hope wish english spanish update ps hmm ugh absolutely definitely totally "
        "exactly agreed cheers bye goodbye check see look remember plus work life dance music art family friends time things everyone "
        "everything something someone nothing nature people being having doing making taking getting seeing working looking trying "
        "everybody nobody anybody somebody anyone half god jesus "
        "ai tv uk us usa eu pm am id pc ceo cto cfo hr phd ba ma bsc msc diy"
    )
    | MONTHS
    | DAYS
)
