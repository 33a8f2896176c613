"""The memory engine is a library: no terminal, no network, no wall clock. Its one door is `store.memory.Memory`."""
