"""What `store.memory.Memory` is composed of: each part is one thing, and is given what it needs."""
