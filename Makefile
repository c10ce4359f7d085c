# Set-up is one command: `make run` opens the app, `make test` runs every check. `make` alone lists what there is.
.DEFAULT_GOAL := help
.PHONY: help run edit quick test check browser format docs installed systems pictures fuzz mutants bench slow soak clean
SHELL := /bin/sh
VENV := .venv
PY := $(VENV)/bin/python
PIP := $(PY) -m pip --disable-pip-version-check install --quiet --progress-bar off
CANDIDATES := python3 python3.13 python3.12 python3.11 python3.14 python
FRESH_ENOUGH := import sys; sys.exit(sys.version_info < (3, 11))

help: ## List what there is
	@grep -hE '^[a-z]+:.*## ' $(MAKEFILE_LIST) | sed -E 's/^([a-z]+):.*## (.*)/  make \1|\2/' | awk -F'|' '{printf "%-14s %s\n", $$1, $$2}'

run: $(VENV)/installed-run ## Set up what the app needs, then open it
	$(PY) -m streamlit run app.py --server.showEmailPrompt=false

edit: $(VENV)/installed-run ## The same for those who change the code: a saved file shows at once
	$(PY) -m streamlit run app.py --server.showEmailPrompt=false --server.fileWatcherType=auto

quick: $(VENV)/installed-test ## Style, types and the tests that what you have changed can reach, in about a minute
	@$(PY) -m tools.quick

test: $(VENV)/installed-test ## Set up the test extras too, then run every check (some 14 minutes on two cores)
	@$(PY) -m tools.chromium --install
	@$(PY) -m tools.layers

check: $(VENV)/installed-test ## The quick checks: style, types and the tests that need no browser
	@$(PY) -m tools.layers --quick

browser: $(VENV)/installed-test ## The other half: the tests in a real browser
	@$(PY) -m tools.chromium --install
	@$(PY) -m tools.layers --only browser

format: $(VENV)/installed-test ## Put the code into its standard form
	@$(PY) -m ruff check --fix . && $(PY) -m ruff format .

docs: $(VENV)/installed-docs ## Build the library's site into docs/build, offline once set up; a warning is an error
	@$(PY) -m sphinx -W --keep-going -q -E -b html docs docs/build && echo "Open docs/build/index.html"

installed: $(VENV)/installed-test ## Build the library, install it where nothing else is, and run the tests of the core there
	@$(PY) -m tools.installed

systems: $(VENV)/installed-test ## Check the types as they are on macOS and on Windows, where other calls exist
	@$(PY) -m mypy --platform darwin && $(PY) -m mypy --platform win32

pictures: $(VENV)/installed-test ## Draw the README's pictures and the overview's small ones from the app as it is
	@$(PY) -m tools.chromium --install
	@$(PY) -m tools.pictures && $(PY) -m tools.portraits

fuzz: $(VENV)/installed-test ## Ten thousand foreign files, a hundred thousand links and typed texts: many hours; FUZZ=0.1 for a tenth
	@$(PY) -m tools.chromium --install
	@export LDP_EXPLORER_FUZZ=$(or $(FUZZ),1); $(PY) -m pytest -q -s tests/fuzz; first=$$?; \
	$(PY) -m pytest -q $$(grep -rlE --include='test_*.py' 'tests.rationing' tests) && exit $$first

mutants: $(VENV)/installed-mutants ## Make mistakes in the core at random for half an hour, and say which no test sees; MINUTES=5
	@$(PY) -m tools.mutants --minutes $(or $(MINUTES),30)

bench: $(VENV)/installed-test ## Measure the pages in a real browser, beside the yardstick
	@$(PY) -m tools.chromium --install
	@$(PY) -m benchmarks.browser; first=$$?; $(PY) -m benchmarks.drag && exit $$first

slow: $(VENV)/installed-test ## Measure the first picture over a slow network, beside the yardstick
	@$(PY) -m tools.chromium --install
	@$(PY) -m benchmarks.slow

soak: $(VENV)/installed-test ## Fifty readers for half an hour: what is left behind; MINUTES=2 for a shorter look
	@$(PY) -m benchmarks.soak --minutes $(or $(MINUTES),30)

clean: ## Remove the environment and the caches
	rm -rf $(VENV) .mypy_cache .ruff_cache .pytest_cache .hypothesis

# What is installed is stamped, so that a lock is installed again only when it has changed.
$(VENV)/installed-run: requirements.txt | $(PY)
	@echo "Installing the app's packages into $(VENV) ..."
	@$(PIP) -r requirements.txt
	@touch $@

$(VENV)/installed-test: requirements-test.txt requirements.txt | $(PY)
	@echo "Installing the app's and the tests' packages into $(VENV) ..."
	@$(PIP) -r requirements-test.txt
	@touch $(VENV)/installed-run $@

$(VENV)/installed-mutants: requirements-mutants.txt requirements-test.txt requirements.txt | $(PY)
	@echo "Installing what makes mistakes into $(VENV) ..."
	@$(PIP) -r requirements-mutants.txt
	@touch $(VENV)/installed-run $(VENV)/installed-test $@

$(VENV)/installed-docs: requirements-docs.txt requirements.txt | $(PY)
	@echo "Installing what the site is made with into $(VENV) ..."
	@$(PIP) -r requirements-docs.txt
	@touch $(VENV)/installed-run $@

$(PY):
	@found=; for each in $(CANDIDATES); do \
	  if "$$each" -c '$(FRESH_ENOUGH)' >/dev/null 2>&1; then found=$$each; break; fi; done; \
	if [ -z "$$found" ]; then \
	  echo "Python 3.11 or newer is needed; none of these is one: $(CANDIDATES)." >&2; \
	  echo "Install one from your system's packages or from https://www.python.org/downloads/ and try again." >&2; exit 1; fi; \
	echo "Creating $(VENV) with $$("$$found" --version) ..."; \
	if ! "$$found" -m venv $(VENV); then rm -rf $(VENV); \
	  echo "$$found could not create a virtual environment: install python3-venv (Debian, Ubuntu: apt-get install python3-venv) and try again." >&2; exit 1; fi
