"""Every colour of the interface has a meaning and a name here; style sheets and widgets use the names only.

success   true now            primary   you, and what can be followed
quiet     was true, asides    warning   changed, or not looking at now
error     never true          accent    off the record

home, work, people, health, tastes and things are the parts of a life, by which the lanes of the timeline are coloured.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache

from textual.color import Color
from textual.theme import BUILTIN_THEMES, Theme

from widgets.lane_layout import GROUPS

_MEANT: dict[str, str] = {
    "quiet": "quiet", "rule": "rule", "raised": "raised", "on-signal": "background", "border": "primary",
    "border-blurred": "border-blurred", "block-cursor-foreground": "foreground", "block-cursor-background": "marked",
    "block-cursor-text-style": "none", "block-cursor-blurred-foreground": "foreground",
    "block-cursor-blurred-background": "panel", "block-cursor-blurred-text-style": "none",
    "footer-background": "panel", "footer-key-foreground": "primary", "footer-description-foreground": "quiet",
    "scrollbar": "rule", "scrollbar-hover": "border-blurred", "scrollbar-active": "primary",
    "scrollbar-background": "background", "scrollbar-background-hover": "background",
    "scrollbar-background-active": "background", "scrollbar-corner-color": "background",
    "input-cursor-background": "foreground", "input-cursor-foreground": "background", "link-color": "primary",
    "markdown-h1-color": "foreground", "markdown-h2-color": "foreground", "markdown-h3-color": "foreground",
    **{str(group): str(group) for group in GROUPS},
}  # fmt: skip
"""Which colour each variable has."""


def _theme(name: str, colours: Mapping[str, str], own: Mapping[str, str], *, dark: bool) -> Theme:
    """A theme of these colours; `own` are the variables that have one of their own in it."""
    # What is no colour ("none", a style) stands for itself.
    meant = {part: colours.get(colour, colour) for part, colour in _MEANT.items()}
    return Theme(
        name=name, dark=dark, background=colours["background"], surface=colours["background"], panel=colours["panel"],
        boost=colours["raised"], foreground=colours["foreground"], primary=colours["primary"],
        secondary=colours["secondary"], accent=colours["accent"], success=colours["success"],
        warning=colours["warning"], error=colours["error"], variables={**meant, **own},
    )  # fmt: skip


DARK = _theme(
    "erstwhile-dark",
    {
        "primary": "#8fb8de", "secondary": "#7f8b9e", "accent": "#c4a2e0", "success": "#8fc7a1", "warning": "#e3b871",
        "error": "#ea8a86", "foreground": "#d9dbe1", "background": "#15171c", "panel": "#1e2128", "raised": "#262a33",
        "quiet": "#9aa2b0", "rule": "#363b46", "border-blurred": "#363b46", "marked": "#243140", "home": "#8fb8de",
        "work": "#d9b26a", "people": "#e29aa8", "health": "#8fc7a1", "tastes": "#c4a2e0", "things": "#a9b0bd",
    },
    {"block-cursor-foreground": "#f1f2f5", "scrollbar": "#2c313b", "scrollbar-hover": "#3d4451"},
    dark=True,
)  # fmt: skip
LIGHT = _theme(
    "erstwhile-light",
    {
        "primary": "#1f5f8f", "secondary": "#5c6574", "accent": "#7542a6", "success": "#1f7043", "warning": "#8a5a00",
        "error": "#b02f35", "foreground": "#26292f", "background": "#fbf9f5", "panel": "#f1ede5", "raised": "#e8e3d9",
        "quiet": "#595f6a", "rule": "#d6d0c4", "border-blurred": "#d6d0c4", "marked": "#dbe7f0", "home": "#1f5f8f",
        "work": "#8a5a00", "people": "#a8324f", "health": "#1f7043", "tastes": "#7542a6", "things": "#595f6a",
    },
    {"block-cursor-foreground": "#15171c", "scrollbar": "#ddd7cb", "scrollbar-hover": "#c5beb0"},
    dark=False,
)  # fmt: skip

ENOUGH = 4.5
"""How much text stands out from its ground at least, as a ratio (WCAG 2.2, 1.4.3)."""
_ASIDE = {"panel": 0.05, "raised": 0.09, "rule": 0.2, "border-blurred": 0.25}
"""How far a ground or a line is from the background towards the text."""
_CURSOR = 0.14
"""How far what is marked is from the background towards the primary colour."""
_WAS = 0.25
"""How far the bar of what was true is from the background towards the colour of its lane, as Lanes draws it."""
_CODE = 0.1
"""How far the ground of code in a line is from the panel towards the text, as app.tcss has it."""


@cache
def readable(name: str) -> Theme:
    """One of Textual's own themes with its hues, as all that is written here can be read in it.

    Its grounds are drawn close to its background, and each colour is moved towards white or black until it stands out
    from all of them. The text is written on the bars of the lanes, too, and code on a ground of its own.
    """
    theme = BUILTIN_THEMES[name]
    given = theme.to_color_system().generate()
    background, end = Color.parse(given["background"]), Color.parse("#ffffff" if theme.dark else "#000000")
    away = {part: background.blend(end, share) for part, share in _ASIDE.items()}
    marked = background.blend(Color.parse(given["primary"]), _CURSOR)
    grounds: tuple[Color, ...] = (background, away["panel"], away["raised"], marked)
    lanes = {str(group): _standing_out(Color.parse(FALLBACK[group]), grounds, end) for group in GROUPS}
    bars = (background.blend(colour, _WAS) for colour in lanes.values())
    text = _standing_out(Color.parse(given["foreground"]), (*grounds, *bars), end)
    grounds = (*grounds, away["panel"].blend(text, _CODE))
    ink = {part: _standing_out(Color.parse(given[part]), grounds, end).hex
           for part in ("primary", "secondary", "accent", "success", "warning", "error")}  # fmt: skip
    ink |= {"foreground": text.hex, **{group: colour.hex for group, colour in lanes.items()}}
    quiet = _standing_out(background.blend(Color.parse(given["foreground"]), 0.6), grounds, end).hex
    drawn = {part: colour.hex for part, colour in away.items()}
    told = {**ink, **drawn, "background": background.hex, "marked": marked.hex, "quiet": quiet}
    return _theme(name, told, {}, dark=theme.dark)


def _standing_out(ink: Color, grounds: tuple[Color, ...], end: Color) -> Color:
    """The colour, moved towards `end` in twentieths until it can be read on every ground."""
    for step in range(21):
        moved = ink.blend(end, step / 20).rgb
        found = Color(*moved)
        if all(_contrast(found, ground) >= ENOUGH for ground in grounds):
            return found
    return end


def _contrast(one: Color, other: Color) -> float:
    lighter, darker = sorted((_luminance(one), _luminance(other)), reverse=True)
    return (lighter + 0.05) / (darker + 0.05)


def _luminance(colour: Color) -> float:
    """Relative luminance (WCAG 2.2)."""
    parts = [part / 255 for part in colour.rgb]
    red, green, blue = (part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in parts)
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


FALLBACK = {
    "quiet": "#808080", "rule": "#808080", "raised": "#80808033", "on-signal": "#000000", "home": "#7aa7d4",
    "work": "#c79f52", "people": "#d88797", "health": "#7db88f", "tastes": "#b48fd4", "things": "#9aa2b0",
}  # fmt: skip
"""What our own names mean under a theme that does not know them."""
