"""The one door has parts; `store.memory.Memory` is composed of them."""
