"""The memory engine is a library: no terminal, no network, no wall clock. Its one door is `store.memory.Memory`."""

import os

# Set before numpy is first imported, which this package does late. On products as small as recall's, a second thread of
# OpenBLAS doubles the processor time and, on a busy machine, waits for its turn: 13 ms a question, against 6.
os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
