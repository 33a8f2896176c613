# Everything that a person needs: `make run` and `make test` do all set-up in .venv, from the package registries alone.
PYTHON ?= python3.11
PYTHON := $(shell command -v $(PYTHON) || command -v python3)
VENV := .venv
BIN := $(VENV)/bin
STAMP := $(VENV)/.erstwhile-installed
DEV := $(VENV)/.erstwhile-dev
# The small model that ships as a package: the tests that need a real one use it.
MODELS ?= $(HOME)/.cache/erstwhile/models
export ERSTWHILE_TEST_GGUF ?= $(MODELS)/SmolLM2-135M-Instruct.Q4_1.gguf

.PHONY: run demo test check lint screenshots bench clean

# What a model needs, llama.cpp among it, is fetched and built beside the app.
run: $(STAMP)
	@$(BIN)/erstwhile --set-up

demo: $(STAMP)
	@$(BIN)/erstwhile --demo

test: $(DEV)
	@test -f "$(ERSTWHILE_TEST_GGUF)" || $(BIN)/erstwhile models get --into "$(MODELS)" \
		|| echo "The small model could not be fetched: the tests that run it are skipped."
	$(BIN)/python -m pytest -n auto

lint: $(DEV)
	$(BIN)/ruff format --check .
	$(BIN)/ruff check .
	$(BIN)/mypy
	$(BIN)/lint-imports

check: lint test

screenshots: $(DEV)
	$(BIN)/python -m tests.bench.make_screenshots

$(STAMP): pyproject.toml
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' || { echo "Erstwhile needs Python 3.11 or newer: set PYTHON=..."; exit 1; }
	@test -x $(BIN)/python || $(PYTHON) -m venv $(VENV)
	@echo "Setting up in $(VENV), which takes half a minute once."
	@# Python compiles what is imported when it is: compiling all that the packages hold takes as long as all the rest.
	@$(BIN)/python -m pip install --quiet --disable-pip-version-check --no-compile -e .
	@touch $(STAMP)

# Tests run the model's engine and the tools of the trade; the wheel of llama.cpp is built once and kept in the cache.
$(DEV): $(STAMP)
	$(BIN)/python -m pip install --quiet --disable-pip-version-check -e ".[dev]"
	$(BIN)/erstwhile models engine
	@touch $(DEV)

clean:
	rm -rf $(VENV) build dist *.egg-info
