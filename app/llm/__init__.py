"""The language model lives in a process of its own: nothing that happens to it can take the memory or the screen along.

process.py   the parent's side: ModelProcess, the only class that the rest of the app needs
worker.py    the child's side, `python -m app.llm.worker`
wire.py      the JSON lines between the two
backend.py   llama.cpp, imported in the child only
template.py  chat templates, in Jinja's sandbox, in the child only
stream.py    bytes to text: UTF-8 borders, <think> blocks, stop words
machine.py   cores, free memory, and what this machine is known not to stand
gguf.py      a bounded reader of GGUF headers
find.py      the GGUF files that are already on the laptop
fetch.py     the small model that comes by pip
prompts.py   a stable head, the conversation, and what is remembered, within a budget
"""
