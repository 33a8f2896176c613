"""A first name hints at he or she only where it is nearly always one of them; any other name may be either."""

from __future__ import annotations

from store.text.lists import wordset

_FEMALE = wordset(
    "ana anna anne maria marie mary laura sara sarah julia emma lena lisa elena helena joana rita "
    "sofia sophie sophia lucy lucia emily olivia mia ella chloe grace hannah johanna clara klara nina "
    "nora eva eve isabel isabella amelia charlotte alice amy jane janet jessica jennifer karen susan "
    "nancy linda barbara patricia elizabeth margaret ruth rebecca rachel leah miriam naomi esther "
    "fatima aisha amina layla leila priya anita deepa mei yuki sakura hana ines ingrid astrid freya "
    "sigrid greta heidi katrin kathrin birgit petra monika sabine claudia carla paula martina "
    "christina christine kristin stephanie melanie caroline carolina catherine katherine kate katie "
    "megan molly zoe zoey ivy lily rose violet daisy heather holly tanya olga irina natalia natasha "
    "svetlana ludmila tatiana beatriz teresa carmen pilar rosa juana dolores gina joanna angela "
    "deborah debra audrey vanessa maya mila leonor matilda martha marta agnes aneta magda agnieszka "
    "zofia hanna alina irena bianca francesca giulia chiara"
)
_MALE = wordset(
    "paul peter john james robert michael david william richard joseph thomas tom charles daniel dan "
    "matthew matt mark anthony steven steve andrew kevin brian george edward ronald timothy tim jason "
    "jeff jeffrey ryan jacob jake gary nicholas nick eric jonathan stephen larry justin scott brandon "
    "benjamin ben samuel gregory greg frank raymond jack dennis jerry tyler aaron jose henry adam "
    "douglas nathan zach kyle carl karl arthur gerald roger keith jeremy lawrence sean ethan austin "
    "joe albert jesse bruno miguel tiago duarte pedro joao luis carlos juan diego javier antonio "
    "manuel francisco pablo jorge fernando ricardo rafael alejandro hans klaus jurgen jürgen wolfgang "
    "stefan andreas thorsten uwe dieter jonas lukas felix max moritz theo leon finn noah elias oskar "
    "anton emil otto ludwig heinrich friedrich matthias florian sebastian tobias martin markus marco "
    "luca matteo giovanni giuseppe paolo francesco lorenzo pierre jean jacques louis michel philippe "
    "antoine hugo lucas jules callum liam connor declan sean patrick kieran ivan dmitri sergei boris "
    "vladimir igor mikhail raj arjun vikram sanjay rahul ahmed mohammed muhammad ali omar hassan "
    "yusuf ibrahim kenji hiroshi takeshi evan nate dave calvin simon oliver harry alfie oscar"
)


def gender_of(name: str) -> str:
    """m or f for a first name that is nearly always one of them; else n."""
    first = name.lower().split()[0] if name.strip() else ""
    if first in _FEMALE:
        return "f"
    return "m" if first in _MALE else "n"
