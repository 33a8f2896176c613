"""What the screens, the verbs and other programs share: one turn, the tools, the settings; it shows nothing."""
