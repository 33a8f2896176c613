"""Word lists for things: a noun here says of what kind the thing is that it names, and nothing about anybody.

Everything is lower case; a phrase of several words stands as it is said.
"""

from __future__ import annotations

from store.text.lists import phrases, wordset

ACTIVITIES = phrases("""
    yoga, pilates, crossfit, karate, judo, aikido, taekwondo, boxing, kickboxing, jiu-jitsu, muay thai, tai chi,
    fencing, archery, gymnastics, ballet, zumba, salsa, tango, meditation, climbing, bouldering, swimming, running,
    jogging, cycling, hiking, walking, rowing, sailing, surfing, skiing, snowboarding, skating, skateboarding,
    kayaking, canoeing, diving, scuba diving, horse riding, weightlifting, weights, strength training, photography,
    pottery, ceramics, painting, drawing, sketching, knitting, crochet, sewing, embroidery, quilting, woodworking,
    carpentry, gardening, baking, cooking, brewing, calligraphy, origami, birdwatching, astronomy, fishing, camping,
    hunting, dancing, singing, writing, blogging, journaling, reading, gaming, improv, stand-up, theatre, volunteering,
    beekeeping, geocaching, parkour, spinning, aerobics, martial arts, freelancing, smoking, vaping, drinking,
    meditating, crosswords, sudoku, puzzles, crocheting, bird watching, rock climbing, trail running,
    intermittent fasting
""")
DIETS = wordset("""
    vegetarian vegan pescatarian pescetarian flexitarian gluten-free dairy-free lactose-free keto ketogenic paleo
    low-carb sugar-free halal kosher plant-based omnivore carnivore fruitarian teetotal teetotaler
""")
MEALS = wordset("""
    eat eating cook cooking bake baking meal meals food foods dish dishes recipe recipes breakfast brunch lunch dinner
    supper tea snack snacks cake cakes dessert pudding menu restaurant takeaway barbecue bbq picnic salad soup curry
    pasta drink drinks cocktail smoothie medicine medication tablet tablets pill pills painkiller painkillers antibiotic
    antibiotics ointment
""")
WORKPLACES = wordset("""
    company startup agency firm bank hospital school university college restaurant cafe shop store office factory lab
    clinic practice studio library museum bakery bookshop bookstore supermarket hotel garage farm garden-centre centre
    center nursery kindergarten court theatre theater gym pharmacy publisher newspaper magazine station airport council
    ministry charity ngo foundation institute consultancy brewery winery salon dealership warehouse plant mill bar pub
    shelter kitchen sanctuary department hospice vet's surgery archive observatory gallery zoo start-up
""")
EVENT_NOUNS = phrases("""
    appointment, appt, meeting, interview, exam, test, flight, concert, gig, party, wedding, trip, op, biopsy, do,
    drinks, barbecue, bbq, supper, presentation, surgery, operation, checkup, check-up, performance, recital, game,
    match, tournament, competition, call, session, conference, workshop, deadline, reunion, date, dinner, lunch,
    brunch, birthday, birthday party, anniversary, graduation, funeral, ceremony, festival, race, marathon,
    half marathon, train, ferry, hearing, viewing, scan, rehearsal, class, lesson, training, review, launch, show,
    exhibition, holiday, vacation, talk, webinar, defense, defence, retreat, hike, picnic, baptism, christening,
    engagement party, baby shower, move, parade, housewarming, housewarming party, gala, hackathon, auction, open day,
    audition, driving test, delivery, demo, kickoff, premiere, due date, opening, inspection, visit, camp, fair,
    charity race, fundraiser, road trip, camping trip, vaccination, ultrasound, final, finals, quiz, midterm, resit,
    viva, appraisal, assessment, screening, consultation, jab, x-ray, mri
""")
POSSESSIONS = wordset("""
    car bike bicycle motorbike motorcycle scooter van truck boat house flat apartment condo cottage cabin garden
    allotment laptop computer desktop phone tablet ipad iphone macbook camera console playstation xbox switch kindle
    telescope drone printer piano guitar violin cello keyboard drums ukulele banjo tattoo tattoos collection greenhouse
    balcony workshop studio caravan camper tent kayak surfboard skateboard snowboard watch smartwatch ring necklace
    wardrobe motorhome campervan thermomix dishwasher sauna pool fireplace turntable record-player bonsai e-bike ebike
    tesla treadmill sewing-machine kiln loom robot airfryer business shop store blog podcast channel degree license
    licence passport visa scar twin
""")
CARS = wordset("""
    golf polo passat tiguan octavia fabia civic corolla yaris prius rav4 focus fiesta mustang clio twingo zoe megane
    kangoo cinquecento panda leaf micra qashqai ioniq kona ceed tesla audi bmw mercedes volkswagen vw skoda seat toyota
    honda ford renault peugeot citroen citroën fiat opel vauxhall volvo saab mazda nissan hyundai kia subaru suzuki
    dacia mini jeep porsche lexus chevrolet chevy dodge jaguar cupra polestar byd mg lancia beetle beemer duster
    sandero ibiza leon
""")
LAPTOPS = wordset("""
    thinkpad macbook framework xps chromebook ideapad zenbook vivobook surface elitebook latitude inspiron matebook
    yoga imac
""")
PHONES = wordset("iphone pixel fairphone galaxy oneplus xiaomi nokia huawei motorola redmi")
EDITORS = phrases("""
    vim, neovim, emacs, vs code, vscode, visual studio code, sublime text, sublime, pycharm, intellij, zed, helix,
    nano, kate, cursor, rstudio, eclipse, webstorm, atom, notepad++, textmate
""")
CLUBS = wordset("""
    gym club choir class group church temple mosque synagogue pool studio therapy mass circle band orchestra league
    team society crossfit yoga pilates karate judo
""")
COLOURS = wordset("""
    red blue green yellow black white grey gray purple orange pink brown turquoise teal beige navy maroon silver gold
    golden violet indigo burgundy cyan magenta lilac lavender cream
""")
ATTRIBUTES = phrases("""
    name, full name, first name, last name, surname, maiden name, nickname, birthday, birth date, date of birth,
    address, email, email address, phone number, mobile number, number, job, job title, title, role, salary, income,
    rent, mortgage, weight, height, shoe size, size, ring size, blood type, blood group, star sign, zodiac sign,
    pronouns, favourite, favorite, door code, code, gate code, alarm code, locker code, entry code, locker number,
    locker, room number, room, seat, flight number, flight, gate, budget, limit, deadline, due date, booking reference,
    order number, member number, membership number, customer number, licence plate, license plate, number plate, plate,
    car, laptop, computer, phone, bike, tablet, camera, editor, watch, hometown, home town, nationality,
    native language, mother tongue, first language, major, minor, degree, thesis topic, thesis, topic, hobby, goal,
    diet, commute, wifi network, wifi name, username, handle, doctor, dentist, team, timezone, time zone, insurance,
    insurer, bank, provider, internet provider, employer, company, school, university, stack, tech stack, framework,
    database, language, working title, resting heart rate, heart rate, blood pressure, best time, personal best,
    record, best 10k, best half marathon, pb, screen name, eye colour, eye color, hair colour, hair color, middle name,
    capacity, price, fee, monthly fee, subscription, tariff, speed, version, model, breed, colour, color, age, brand,
    make, account manager, emergency contact, office, desk, parking spot, parking space, bus, train, route, shift,
    bedtime, alarm, wake-up time, plan, password manager, operating system, os, browser, distro, printer, router,
    note-taking app, main language, mileage, odometer, departure, platform, target, quota, feature, features, priority,
    priorities, ceiling
""")
SEEN_FOR_WORK = wordset("""
    dentist doctor physio physiotherapist vet optician hairdresser barber midwife plumber electrician therapist
    orthodontist hygienist chiropodist osteopath cardiologist dermatologist surgeon consultant counsellor solicitor
    mechanic
""")
"""Those by whose work an appointment is called: "the dentist is at nine"."""


def finer(thing: str) -> str | None:
    """The predicate for a thing that a list knows ("ThinkPad X1": laptop), None for others."""
    low = thing.lower()
    words = set(low.replace("-", " ").split())
    if words & LAPTOPS or low.endswith(" laptop"):
        return "laptop"
    if words & PHONES:
        return "phone"
    return "editor" if low in EDITORS else None
