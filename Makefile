# Everything that a person needs: `make run` and `make test` do all set-up in .venv, from the package registries alone.
PYTHON ?= python3.11
PYTHON := $(shell command -v $(PYTHON) || command -v python3)
VENV := .venv
BIN := $(VENV)/bin
STAMP := $(VENV)/.erstwhile-installed
DEV := $(VENV)/.erstwhile-dev
ENCRYPTION := $(VENV)/.erstwhile-encryption
# The small model that ships as a package: the tests that need a real one use it.
MODELS ?= $(HOME)/.cache/erstwhile/models
export ERSTWHILE_TEST_GGUF ?= $(MODELS)/SmolLM2-135M-Instruct.Q4_1.gguf

.PHONY: run demo test check lint encryption test-encryption screenshots lock audit clean

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

# SQLite with encryption, in the place of the one without: both packages hold a module of the same name, and the one that
# is installed last is used. What is installed anew later keeps it.
ENCRYPT = --quiet --disable-pip-version-check --no-deps --force-reinstall --require-hashes -r requirements-encryption.lock

encryption: $(STAMP)
	@$(BIN)/python -m pip install $(ENCRYPT)
	@touch $(ENCRYPTION)
	@echo "Encryption is installed: .venv/bin/erstwhile encrypt"

# Its tests, in an environment inside of the other one: that of $(BIN), but for this library.
TESTED := $(VENV)/encryption
PLACE = -c 'import sysconfig; print(sysconfig.get_path("purelib"))'

test-encryption: $(DEV)
	$(PYTHON) -m venv $(TESTED)
	$(TESTED)/bin/python -m pip install $(ENCRYPT)
	$(BIN)/python $(PLACE) > "$$($(TESTED)/bin/python $(PLACE))/erstwhile.pth"
	$(TESTED)/bin/python -m pytest tests/store/database/test_opening.py tests/store/maintenance/test_encryption.py tests/app/cli/test_encrypting.py \
		tests/tui/test_passphrase.py

screenshots: $(DEV)
	$(BIN)/python -m tests.bench.make_screenshots

# What is installed, with the hash of each file; what only tests and tools need stands in a file of its own.
PIP = $(BIN)/python -m pip install --quiet --disable-pip-version-check --no-deps
COMPILE = $(VENV)-lock/bin/uv pip compile --universal --python-version 3.11 --generate-hashes --no-annotate --no-header

# Resolve anew what pyproject.toml asks for, for every system; hatchling and editables build Erstwhile itself.
lock:
	$(PYTHON) -m venv $(VENV)-lock
	$(VENV)-lock/bin/python -m pip install --quiet uv
	printf 'hatchling==1.27.0\neditables\n' | $(COMPILE) pyproject.toml - --upgrade --output-file requirements.lock
	$(COMPILE) pyproject.toml requirements.lock --extra dev --upgrade --output-file requirements-dev.lock
	printf 'apsw-sqlite3mc\n' | $(COMPILE) - --upgrade --output-file requirements-encryption.lock
	rm -rf $(VENV)-lock

# Known vulnerabilities of what is installed, from the registry's advisories.
audit:
	$(PYTHON) -m venv $(VENV)-audit
	$(VENV)-audit/bin/python -m pip install --quiet pip-audit
	$(VENV)-audit/bin/pip-audit --requirement requirements-dev.lock --disable-pip; status=$$?; rm -rf $(VENV)-audit; exit $$status

$(STAMP): pyproject.toml requirements.lock requirements-encryption.lock
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' || { echo "Erstwhile needs Python 3.11 or newer: set PYTHON=..."; exit 1; }
	@test -x $(BIN)/python || $(PYTHON) -m venv $(VENV)
	@echo "Setting up in $(VENV), which takes half a minute once."
	@# Python compiles what is imported when it is: compiling all that the packages hold takes as long as all the rest.
	@$(PIP) --no-compile --require-hashes -r requirements.lock
	@$(PIP) --no-index --no-build-isolation -e .
	@! test -f $(ENCRYPTION) || $(BIN)/python -m pip install $(ENCRYPT)
	@touch $(STAMP)

# Tests run the model's engine and the tools of the trade; the wheel of llama.cpp is built once and kept in the cache.
$(DEV): $(STAMP) requirements-dev.lock
	@$(PIP) --require-hashes -r requirements-dev.lock
	$(BIN)/erstwhile models engine
	@touch $(DEV)

clean:
	rm -rf $(VENV) build dist *.egg-info
