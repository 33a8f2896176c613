"""Every colour of the interface has a meaning and a name here; style sheets and widgets use the names only.

success   true now            primary   you, and what can be followed
quiet     was true, asides    warning   changed, or not looking at now
error     never true          accent    off the record

home, work, people, health, tastes and things are the parts of a life, by which the lanes of the timeline are coloured.
"""

from __future__ import annotations

from textual.theme import Theme

DARK = Theme(
    name="erstwhile-dark",
    dark=True,
    primary="#8fb8de",
    secondary="#7f8b9e",
    accent="#c4a2e0",
    success="#8fc7a1",
    warning="#e3b871",
    error="#ea8a86",
    foreground="#d9dbe1",
    background="#15171c",
    surface="#15171c",
    panel="#1e2128",
    boost="#262a33",
    variables={
        "quiet": "#9aa2b0",
        "rule": "#363b46",
        "raised": "#262a33",
        "on-signal": "#15171c",
        "home": "#8fb8de",
        "work": "#d9b26a",
        "people": "#e29aa8",
        "health": "#8fc7a1",
        "tastes": "#c4a2e0",
        "things": "#a9b0bd",
        "border": "#8fb8de",
        "border-blurred": "#363b46",
        "block-cursor-foreground": "#f1f2f5",
        "block-cursor-background": "#243140",
        "block-cursor-text-style": "none",
        "block-cursor-blurred-foreground": "#d9dbe1",
        "block-cursor-blurred-background": "#1e2128",
        "block-cursor-blurred-text-style": "none",
        "footer-background": "#1e2128",
        "footer-key-foreground": "#8fb8de",
        "footer-description-foreground": "#9aa2b0",
        "scrollbar": "#2c313b",
        "scrollbar-hover": "#3d4451",
        "scrollbar-active": "#8fb8de",
        "scrollbar-background": "#15171c",
        "scrollbar-background-hover": "#15171c",
        "scrollbar-background-active": "#15171c",
        "scrollbar-corner-color": "#15171c",
        "input-cursor-background": "#d9dbe1",
        "input-cursor-foreground": "#15171c",
        "link-color": "#8fb8de",
        "markdown-h1-color": "#d9dbe1",
        "markdown-h2-color": "#d9dbe1",
        "markdown-h3-color": "#d9dbe1",
    },
)

LIGHT = Theme(
    name="erstwhile-light",
    dark=False,
    primary="#1f5f8f",
    secondary="#5c6574",
    accent="#7542a6",
    success="#1f7043",
    warning="#8a5a00",
    error="#b02f35",
    foreground="#26292f",
    background="#fbf9f5",
    surface="#fbf9f5",
    panel="#f1ede5",
    boost="#e8e3d9",
    variables={
        "quiet": "#595f6a",
        "rule": "#d6d0c4",
        "raised": "#e8e3d9",
        "on-signal": "#fbf9f5",
        "home": "#1f5f8f",
        "work": "#8a5a00",
        "people": "#a8324f",
        "health": "#1f7043",
        "tastes": "#7542a6",
        "things": "#595f6a",
        "border": "#1f5f8f",
        "border-blurred": "#d6d0c4",
        "block-cursor-foreground": "#15171c",
        "block-cursor-background": "#dbe7f0",
        "block-cursor-text-style": "none",
        "block-cursor-blurred-foreground": "#26292f",
        "block-cursor-blurred-background": "#f1ede5",
        "block-cursor-blurred-text-style": "none",
        "footer-background": "#f1ede5",
        "footer-key-foreground": "#1f5f8f",
        "footer-description-foreground": "#595f6a",
        "scrollbar": "#ddd7cb",
        "scrollbar-hover": "#c5beb0",
        "scrollbar-active": "#1f5f8f",
        "scrollbar-background": "#fbf9f5",
        "scrollbar-background-hover": "#fbf9f5",
        "scrollbar-background-active": "#fbf9f5",
        "scrollbar-corner-color": "#fbf9f5",
        "input-cursor-background": "#26292f",
        "input-cursor-foreground": "#fbf9f5",
        "link-color": "#1f5f8f",
        "markdown-h1-color": "#26292f",
        "markdown-h2-color": "#26292f",
        "markdown-h3-color": "#26292f",
    },
)

FALLBACK = {
    "quiet": "#808080", "rule": "#808080", "raised": "#80808033", "on-signal": "#000000", "home": "#7aa7d4",
    "work": "#c79f52", "people": "#d88797", "health": "#7db88f", "tastes": "#b48fd4", "things": "#9aa2b0",
}  # fmt: skip
"""What our own names mean under a theme that does not know them."""
