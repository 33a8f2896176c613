"""A grammar reads words only; which instant they mean is settled in one place, `calendar.resolve`, in the speaker's
zone."""
