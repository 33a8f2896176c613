"""The only place where the store, the widgets and the models meet."""

import os

__version__ = "0.1.0"

# One question's small matrix products are slower on several threads than on one, and the second core is the model's.
os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
