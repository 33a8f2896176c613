"""The language model lives in a process of its own: nothing that happens to it can take the memory or the screen along.

In the parent
    process.py     ModelProcess, the only class that the rest of the app needs to talk to a model; one reply
    child.py       one process, its pipes and threads
    kept.py        what was read of a conversation, kept for its reopening
    find.py        the GGUF files that are already on the laptop
    gguf.py        a bounded reader of GGUF headers
    catalogue.py   the models that can be fetched, and what an address stands for
    halves.py      what has come of one; download.py fetches the rest
    fetch.py       the small model that comes by pip; engine.py builds llama.cpp; running.py follows both
    repeats.py     where a reply says again what it, or an earlier one, said
    small.py       what a small model is shown and trusted with
In both
    wire.py        the JSON lines between the two
    machine.py     cores, free memory, and what this machine is known not to stand
In the child only
    worker.py      the loop, `python -m app.llm.worker`
    backend.py     llama.cpp, and one reply as it writes it
    template.py    chat templates, in Jinja's sandbox
    stream.py      bytes to text: UTF-8 borders, <think> blocks, stop words
"""
