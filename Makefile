# Set-up is one command: `make run` opens the app, `make test` runs every check. `make` alone lists what there is.
# All of it is done by `python -m tools`, which needs no make; here Python is found, and the names are passed on.
NAMES := run edit quick test check browser format docs site installed systems oldest newest pictures bundle fuzz mutants bench slow soak clean
.PHONY: help $(NAMES)
SHELL := /bin/sh
CANDIDATES := .venv/bin/python python3 python3.13 python3.12 python3.11 python3.14 python
FITS := import sys; sys.exit(not (3, 11) <= sys.version_info[:2] <= (3, 14))

help $(NAMES):
	@found=; for each in $(CANDIDATES); do \
	  if "$$each" -c '$(FITS)' >/dev/null 2>&1; then found=$$each; break; fi; done; \
	if [ -z "$$found" ]; then \
	  echo "Python 3.11 to 3.14 is needed; none of these is one: $(CANDIDATES)." >&2; \
	  echo "Install one from your system's packages or from https://www.python.org/downloads/ and try again." >&2; exit 1; fi; \
	exec "$$found" -m tools $@
