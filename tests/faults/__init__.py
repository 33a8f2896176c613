"""Faults as machines have them: a kill, a power cut, a full disk, a write that fails. Nothing acknowledged is lost."""
