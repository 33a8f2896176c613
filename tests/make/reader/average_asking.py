"""Averages the weights of two networks for asking that were trained from one another: a little better than either.

    .make/bin/python -m tests.make.reader.average_asking build/asker build/asker2 --base FOLDER --out models/asker

A model soup (Wortsman et al. 2022, arXiv:2203.05482) of two.
"""

from __future__ import annotations

import argparse
from pathlib import Path

from safetensors.torch import load_file, save_file

from tests.make.reader.export import export_asking


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("weights", nargs=2, type=Path, help="the folders that train_asking wrote with --work")
    parser.add_argument("--base", type=Path, required=True, help="the encoder that they began with")
    parser.add_argument("--work", type=Path, default=Path("build/asker-average"))
    parser.add_argument("--out", type=Path, required=True)
    parser.add_argument("--version", default="1")
    chosen = parser.parse_args()
    first, second = (load_file(folder / "asker.safetensors") for folder in chosen.weights)
    chosen.work.mkdir(parents=True, exist_ok=True)
    save_file({name: (first[name] + second[name]) / 2 for name in first}, chosen.work / "asker.safetensors")
    export_asking(chosen.work, chosen.base, chosen.out, chosen.version)


if __name__ == "__main__":
    main()
