"""What the battery holds is the system's to say; where it says nothing, nothing is assumed.

Linux tells in /sys/class/power_supply; elsewhere a memory sleeps as on mains power.
"""

from __future__ import annotations

from pathlib import Path

SUPPLIES = Path("/sys/class/power_supply")


def charge(supplies: Path = SUPPLIES) -> float | None:
    """How full the batteries are, 0 to 1, while they are what the machine runs on; else None."""
    found: list[float] = []
    for supply in sorted(supplies.glob("*")) if supplies.is_dir() else ():
        kind = _line(supply / "type")
        if kind in ("Mains", "USB") and _line(supply / "online") == "1":
            return None
        level = _line(supply / "capacity")
        if kind == "Battery" and _line(supply / "status") == "Discharging" and level.isdecimal():
            found.append(int(level) / 100)
    return min(found, default=None)


def _line(path: Path) -> str:
    """The one line of a file of the kernel's; empty where it is not there, or will not be read."""
    try:
        return path.read_text(encoding="ascii", errors="replace").strip()
    except OSError:
        return ""
