# Four commands: make demo, make test, make check, make bench.
# Each sets up .venv first if it is not there; PYTHON names another interpreter.

PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin

.PHONY: setup demo test check bench clean

setup: $(VENV)/ready

$(VENV)/ready: pyproject.toml
	$(PYTHON) -m venv $(VENV)
	$(BIN)/python -m pip install --quiet --upgrade "pip>=25.1"
	$(BIN)/python -m pip install --quiet --editable . --group dev
	touch $@

demo: setup
	$(BIN)/tacenda sanitize examples/judgment.txt --explain

test: setup
	$(BIN)/python -m pytest

check: setup
	$(BIN)/ruff format --check .
	$(BIN)/ruff check .
	$(BIN)/mypy

bench: setup
	$(BIN)/python benchmarks/speed.py ../shared/data
	$(BIN)/python benchmarks/quality.py ../shared/data

clean:
	rm -rf $(VENV)
