# make demo    select features from a table that comes along and show why
# make test    the tests          make lint   style and types
# make spark   Spark and a Java, so that its tests run too
# make peers   libraries whose answers some tests compare with
# make docs    the documentation as a site in site/
# make soak    random calls, damaged files, kills, threads for MINUTES=10, from SEED=1000000
# make lowest  the tests with the oldest libraries that pyproject.toml allows
# make bench   side by side with other libraries, in an environment of its own
# make reproduce  the papers' tables, listed; ARGS="lsmi-table5 --quick" makes one
# make clean   remove everything that the above made
#
# PYTHON=python3.13 make test   takes another interpreter (3.11 or newer)

PYTHON ?= python3
VENV := .venv
BENCH := .venv-bench
LOWEST := .venv-lowest
PIP := -m pip install --quiet --disable-pip-version-check

.PHONY: help demo test soak lint browser spark peers docs lowest bench reproduce clean
.DELETE_ON_ERROR:

help:
	@sed '/^$$/q; s/^#[ ]\{0,1\}//' Makefile

define new_environment
@command -v $(PYTHON) >/dev/null || { echo "error: no $(PYTHON) here; name one with  make PYTHON=/path/to/python3" >&2; exit 1; }
@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' || \
  { echo "error: entropick needs Python 3.11 or newer, $(PYTHON) is $$($(PYTHON) -c 'import platform; print(platform.python_version())'); name another with  make PYTHON=python3.11" >&2; exit 1; }
@echo "making $(1)"
@$(PYTHON) -m venv $(1) || { echo "error: $(PYTHON) cannot make an environment; on Debian and Ubuntu install python3-venv" >&2; rm -rf $(1); exit 1; }
endef

$(VENV)/bin/python:
	$(call new_environment,$(VENV))

$(BENCH)/bin/python:
	$(call new_environment,$(BENCH))

$(LOWEST)/bin/python:
	$(call new_environment,$(LOWEST))

# One stamp for each set of extras: pip runs again only when pyproject.toml has changed.
$(VENV)/.installed-%: pyproject.toml | $(VENV)/bin/python
	@echo "installing entropick[$*] into $(VENV), which takes a minute or two"
	@$(VENV)/bin/python $(PIP) --editable '.[$*]'
	@touch $@

$(BENCH)/.installed-%: pyproject.toml | $(BENCH)/bin/python
	@echo "installing entropick[$*] into $(BENCH)"
	@$(BENCH)/bin/python $(PIP) --editable '.[$*]'
	@touch $@

demo: $(VENV)/.installed-all
	@$(VENV)/bin/entropick demo

test: $(VENV)/.installed-test $(VENV)/.installed-docs browser
	$(VENV)/bin/python -m pytest -n auto --dist loadgroup $(ARGS)

MINUTES ?= 10
SEED ?= 1000000
soak: $(VENV)/.installed-test $(VENV)/.installed-all
	$(VENV)/bin/python benchmarks/soak.py --minutes $(MINUTES) --seed $(SEED) $(ARGS)

# What only the system's package manager has: installed where that is possible, else the tests that need it are skipped.
define system_package
@command -v $(1) >/dev/null || { [ "$$(id -u)" = 0 ] && command -v apt-get >/dev/null && echo "installing $(2)" && \
  { apt-get -qq update && DEBIAN_FRONTEND=noninteractive apt-get -qq install -y --no-install-recommends $(2); } >/dev/null; } || \
  echo "no $(1) here: $(3) are skipped; as root, apt-get install $(2)"
endef

browser:
	$(call system_package,chromium,chromium,the tests of the report in a browser)

peers: $(VENV)/.installed-peers

spark: $(VENV)/.installed-spark
	$(call system_package,java,default-jre-headless,the tests of Spark)

docs: $(VENV)/.installed-docs
	$(VENV)/bin/mkdocs build --strict

lint: $(VENV)/.installed-test $(VENV)/.installed-lint
	$(VENV)/bin/ruff check .
	$(VENV)/bin/ruff format --check .
	$(VENV)/bin/mypy

$(LOWEST)/.installed: pyproject.toml | $(LOWEST)/bin/python
	@echo "installing the oldest libraries that entropick[test] allows into $(LOWEST)"
	@$(LOWEST)/bin/python $(PIP) uv
	@$(LOWEST)/bin/uv pip install --quiet --python $(LOWEST)/bin/python --resolution lowest-direct --editable '.[test]'
	@touch $@

# Compiled kernels are kept apart: one release of Numba cannot load what another has written.
lowest: $(LOWEST)/.installed
	NUMBA_CACHE_DIR=$(CURDIR)/$(LOWEST)/kernels $(LOWEST)/bin/python -m pytest -n auto --dist loadgroup $(ARGS)

# infoselect asks for the name that scikit-learn had long ago, which pip refuses: without its dependencies it installs.
$(BENCH)/.installed-infoselect: $(BENCH)/.installed-bench
	@$(BENCH)/bin/python $(PIP) --no-deps infoselect || echo "infoselect does not install: left out"
	@touch $@

bench: $(BENCH)/.installed-bench $(BENCH)/.installed-infoselect
	$(BENCH)/bin/python benchmarks/run.py $(ARGS)

reproduce: $(VENV)/.installed-all
	$(VENV)/bin/python -m reproduction $(ARGS)

clean:
	rm -rf $(VENV) $(BENCH) $(LOWEST) demo site dist build .pytest_cache .mypy_cache .ruff_cache .hypothesis
	find . -name .git -prune -o -name __pycache__ -type d -prune -exec rm -rf {} +
