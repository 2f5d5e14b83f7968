# A target is a sentence of the README and one visible command; `make` alone lists them.
PYTHON ?= python3
VENV   := .venv
BIN    := $(VENV)/bin
PIP    := $(BIN)/python -m pip install --quiet --disable-pip-version-check --constraint constraints.txt
DATA   := $(if $(GEC_FAIR_DATA),$(GEC_FAIR_DATA),$(wildcard ../shared/data))
export GEC_FAIR_DATA := $(DATA)

CLANG8  ?= samples/learner-pairs.tsv
OUT     ?= out/clang8
WORKERS ?= $(shell getconf _NPROCESSORS_ONLN)

.PHONY: help install install-dev augment-clang8 test lint bench-quality bench-speed clean

help:  ## list the targets
	@grep -hE '^[a-z0-9-]+:.*##' $(MAKEFILE_LIST) | sed -E 's/^([a-z0-9-]+):.*## /\1\t/' | expand -t 22

$(VENV)/light: pyproject.toml constraints.txt
	@test -x $(BIN)/python || $(PYTHON) -m venv $(VENV)
	$(PIP) --editable .
	@touch $@

$(VENV)/dev: pyproject.toml constraints.txt | $(VENV)/light
	$(PIP) --editable '.[dev]'
	@touch $@

install: $(VENV)/light  ## create .venv with what augmentation needs (no torch)

install-dev: $(VENV)/dev  ## the same with everything that the tests need

augment-clang8: $(VENV)/light  ## augment cLang-8 (CLANG8=path.tsv) or our sample corpus, both ways
	$(BIN)/python training/augment_clang8.py $(CLANG8) -o $(OUT) --workers $(WORKERS)

test: $(VENV)/dev  ## lint, type-check and test
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	$(BIN)/python -m pytest

lint: $(VENV)/dev  ## ruff and mypy alone
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy

clean:  ## remove the environment and everything made
	rm -rf $(VENV) out
