"""The only place where the store, the widgets and the models meet."""

import os

__version__ = "0.1.0"

# One question's small matrix products are slower on several threads than on one, and the second core is the model's.
os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
# Textual paints at most so often, and reads this when it is imported. What a key causes is painted in two steps (the
# mark, then what was looked up for it): at its own sixty a second, the second one would wait for up to 17 ms.
os.environ.setdefault("TEXTUAL_FPS", "240")
