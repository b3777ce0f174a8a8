# make demo, make docs, make test, make cover, make check, make bench, make fuzz, make mutants, make lock.
# Each sets up .venv first if it is not there, but for docs, which has its own; PYTHON names another interpreter.

PYTHON ?= python3
N ?= 2000
VENV := .venv
BIN := $(VENV)/bin
DOCS := build/docs

STAGES := tests/models/test_store.py tests/detect tests/link tests/decide tests/rewrite/generalize tests/verify tests/test_sanitizer.py \
  --ignore=tests/decide/test_matching.py  # a rule of the app

.PHONY: setup demo docs test cover light check types rules bench fuzz mutants lock clean

setup: $(VENV)/ready

$(VENV)/ready: pyproject.toml lab/pyproject.toml
	$(PYTHON) -m venv $(VENV)
	$(BIN)/python -m pip install --quiet --upgrade "pip>=25.1"
	$(BIN)/python -m pip install --quiet --no-compile --editable . --editable lab --group dev
	touch $@

demo: setup
	$(BIN)/tacenda sanitize examples/judgment.txt --explain

# The site of the pages under docs/, in site/; a broken link or anchor is an error.
docs: $(DOCS)/ready
	NO_MKDOCS_2_WARNING=1 $(DOCS)/bin/mkdocs build --strict

$(DOCS)/ready: pyproject.toml
	$(PYTHON) -m venv $(DOCS)
	$(DOCS)/bin/python -m pip install --quiet --upgrade "pip>=25.1"
	$(DOCS)/bin/python -m pip install --quiet --no-compile --editable '.[tables]' --group docs
	touch $@

SIDE_BY_SIDE := --numprocesses logical --dist worksteal
SUITE = $(BIN)/python -m pytest --whole $(SIDE_BY_SIDE) --timeout 600

# Each process would compile every module anew where the environment says that no bytecode is kept.
test cover light: export PYTHONDONTWRITEBYTECODE :=

test: setup
	$(SUITE) --durations 30

# The lines that the suite runs, against their floors. Tracing takes two thirds more time, so CI leaves it out.
cover: setup
	$(SUITE) --cov --cov-report=
	$(BIN)/python -m tests.floors

# The stages on another interpreter, in an environment without any extra: make light PYTHON=python3.13.
# A few examples of each property tell whether it runs there.
LIGHT := $(VENV)/light-$(notdir $(PYTHON))
light:
	$(PYTHON) -m venv --clear $(LIGHT)
	$(LIGHT)/bin/python -m pip install --quiet --upgrade "pip>=25.1"
	$(LIGHT)/bin/python -m pip install --quiet --no-compile --editable . --group light
	TACENDA_EXAMPLES=few $(LIGHT)/bin/python -m pytest $(SIDE_BY_SIDE) $(STAGES)

check: types rules

types: setup
	$(BIN)/mypy

rules: setup
	$(BIN)/ruff format --check .
	$(BIN)/ruff check .
	$(BIN)/lint-imports
	$(BIN)/vulture
	$(BIN)/python -m tacenda_lab.corpus check

bench: setup
	$(BIN)/python -m benchmarks speed ../shared/data
	$(BIN)/python -m benchmarks quality ../shared/data

# The suite has a few batches of this; N documents for a night.
fuzz: setup
	$(BIN)/python -m tests.fuzz -n $(N)

# Faults put into the core on purpose: each must fail a test. Seven minutes on two cores.
mutants: setup
	$(BIN)/python -m tests.mutants

clean:
	rm -rf $(VENV) $(DOCS)

# The lock file and the bill of materials, of what is installed for use: core, app, documents, service;
# and the lock file of what builds it.
lock: setup
	$(BIN)/python -m pip install --quiet uv cyclonedx-bom
	$(BIN)/uv pip compile pyproject.toml --quiet --upgrade --extra app --extra documents --extra service \
	  --universal --python-version 3.11 --generate-hashes -o requirements.lock
	echo 'hatchling>=1.25' | $(BIN)/uv pip compile - --quiet --upgrade --universal --python-version 3.11 \
	  --generate-hashes -o deploy/build.lock
	$(BIN)/uv venv --quiet --clear $(VENV)/locked
	$(BIN)/uv pip install --quiet --python $(VENV)/locked --require-hashes -r requirements.lock
	$(BIN)/cyclonedx-py environment $(VENV)/locked --pyproject pyproject.toml --output-reproducible \
	  --of JSON -o sbom.cdx.json
