# Longfuse: every task that a person or a CI job runs. `make help` lists them.
#
# The environment is .venv, made from requirements.lock (exact versions and hashes, build tools
# included). Two stamps make a second run a no-op that needs no network: a copy of the lock that is
# installed, and one for the project itself.

PYTHON ?= $(shell command -v python3.11 || command -v python3)
WORKERS ?= 2
PYTEST_ARGS ?=
CARDS_ARGS ?=

BIN := .venv/bin
PIP := $(BIN)/python -m pip --disable-pip-version-check
SOURCES := server protocol tests
CARDS := $(filter-out %/decks.toml,$(wildcard server/longfuse/rulesets/riftbound/sets/*.toml))

.DEFAULT_GOAL := help
.PHONY: setup play test check static fix bench cards clean help

setup: .venv/.installed  ## make .venv from requirements.lock and install the project in it

.venv/.locked: requirements.lock
	@test -n "$(PYTHON)" || { echo "Python 3.11 is needed, with its venv module" >&2; exit 1; }
	@cmp -s requirements.lock $@ || { set -ex; \
	  $(PYTHON) -m venv --clear .venv; \
	  $(PIP) install --quiet --require-hashes --no-deps -r requirements.lock; }
	@cp requirements.lock $@

.venv/.installed: .venv/.locked pyproject.toml
	$(PIP) install --quiet --no-index --no-build-isolation --no-deps -e .
	@touch $@

play: setup  ## start a server and show a game between two bots that play over websockets
	$(BIN)/longfuse demo --serve

test: setup  ## run the tests (WORKERS=2, PYTEST_ARGS="-k damage")
	$(BIN)/python -m pytest -n $(WORKERS) $(PYTEST_ARGS)

check: static  ## everything CI asks for: format, lint, types, tests with coverage
	$(BIN)/python -m pytest -n $(WORKERS) --cov --cov-report=term:skip-covered $(PYTEST_ARGS)

static: setup  ## the part of check that runs no tests
	$(BIN)/ruff format --check $(SOURCES)
	$(BIN)/ruff check $(SOURCES)
	$(BIN)/flake8-async --startable-in-context-manager=run,watch $$(grep -rlE '\basync\b|\btrio\b' --include='*.py' $(SOURCES))
	$(BIN)/mypy

fix: setup  ## format, and repair what ruff can repair by itself
	$(BIN)/ruff check --fix-only $(SOURCES)
	$(BIN)/ruff format $(SOURCES)

bench: setup  ## measure the kernel's speed and size
	$(BIN)/longfuse bench

cards: setup  ## compile and play every card, till it is used or tried in positions (CARDS_ARGS="--games 20")
	$(BIN)/longfuse cards check --brief $(CARDS)
	$(BIN)/longfuse cards play $(CARDS_ARGS)

clean:  ## remove caches and build output (.venv stays: remove it by hand)
	rm -rf build dist *.egg-info .mypy_cache .pytest_cache .ruff_cache .hypothesis .coverage .coverage.* htmlcov
	find $(SOURCES) -name __pycache__ -prune -exec rm -rf {} +

help:  ## this list
	@awk -F ':.*## ' '/^[a-z]+:.*## / { printf "  make %-7s %s\n", $$1, $$2 }' $(MAKEFILE_LIST)
