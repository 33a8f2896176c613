"""Every colour that text has can be read on every ground it stands on, in every theme (WCAG 2.2, 1.4.3: 4.5 to 1)."""

from __future__ import annotations

import pytest
from textual.color import Color
from textual.theme import BUILTIN_THEMES, Theme

from app.core.settings import THEMES
from app.tui.theme import DARK, LIGHT, readable
from widgets.lane_layout import GROUPS

ENOUGH = 4.5
TEXTS = ("foreground", "primary", "accent", "success", "warning", "error", "quiet")
GROUNDS = ("background", "panel", "raised", "block-cursor-background", "block-cursor-blurred-background")
ALL = [DARK, LIGHT, *(readable(name) for name in THEMES if name in BUILTIN_THEMES)]
SIGNALS = ("warning", "accent", "primary")


def colour(theme: Theme, name: str) -> Color:
    own = getattr(theme, name, None)
    return Color.parse(own if isinstance(own, str) else theme.variables[name])


def luminance(one: Color) -> float:
    """Relative luminance (WCAG 2.2)."""
    parts = [part / 255 for part in (one.r, one.g, one.b)]
    red, green, blue = (part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in parts)
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def contrast(one: Color, other: Color) -> float:
    lighter, darker = sorted((luminance(one), luminance(other)), reverse=True)
    return (lighter + 0.05) / (darker + 0.05)


@pytest.mark.parametrize("theme", ALL, ids=lambda theme: theme.name)
@pytest.mark.parametrize("text", TEXTS)
@pytest.mark.parametrize("ground", GROUNDS)
def test_text_can_be_read(theme: Theme, text: str, ground: str) -> None:
    assert contrast(colour(theme, text), colour(theme, ground)) >= ENOUGH


@pytest.mark.parametrize("theme", ALL, ids=lambda theme: theme.name)
@pytest.mark.parametrize("signal", SIGNALS)
def test_the_line_that_warns_can_be_read(theme: Theme, signal: str) -> None:
    assert contrast(colour(theme, "on-signal"), colour(theme, signal)) >= ENOUGH


@pytest.mark.parametrize("theme", ALL, ids=lambda theme: theme.name)
def test_what_was_true_and_code_can_be_read(theme: Theme) -> None:
    """On the bars of the lanes, and on the ground of code in the help."""
    text, background = colour(theme, "foreground"), colour(theme, "background")
    for group in GROUPS:
        assert contrast(text, background.blend(colour(theme, group), 0.25)) >= ENOUGH
    assert contrast(colour(theme, "primary"), colour(theme, "panel").blend(text, 0.1)) >= ENOUGH


@pytest.mark.parametrize("theme", ALL, ids=lambda theme: theme.name)
def test_the_footer_and_the_cursor_can_be_read(theme: Theme) -> None:
    footer = colour(theme, "footer-background")
    assert contrast(colour(theme, "footer-key-foreground"), footer) >= ENOUGH
    assert contrast(colour(theme, "footer-description-foreground"), footer) >= ENOUGH
    cursor = colour(theme, "input-cursor-background")
    assert contrast(colour(theme, "input-cursor-foreground"), cursor) >= ENOUGH


@pytest.mark.parametrize("theme", ALL, ids=lambda theme: theme.name)
def test_what_has_the_focus_is_framed_visibly(theme: Theme) -> None:
    """A frame is no text: 3 to 1 is enough (WCAG 2.2, 1.4.11)."""
    assert contrast(colour(theme, "border"), colour(theme, "background")) >= 3


def test_every_theme_of_textual_can_be_chosen_and_keeps_its_ground() -> None:
    own_colours = {name for name, theme in BUILTIN_THEMES.items() if not theme.ansi}
    assert set(THEMES) - {"dark", "light"} == own_colours and len(own_colours) >= 6
    for name in own_colours:
        given = BUILTIN_THEMES[name].to_color_system().generate()
        assert readable(name).background == Color.parse(given["background"]).hex
        assert readable(name).dark is BUILTIN_THEMES[name].dark
