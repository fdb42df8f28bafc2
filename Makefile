# make play   the table in the browser      make lint   style, types and layers
# make test   everything CI checks          make bench  the benchmarks       make docs   the documentation site
# make wheel  the installable package, with the built table inside
# make prove  every rule's tests without the rule: they must go red (GAME=warcry for one game)
# A fresh machine needs Python 3.11 and make; the rest is fetched.

PYTHON ?= $(shell command -v python3.11 || command -v python3)
BIN := .venv/bin
STATIC := src/umpire/server/static/index.html
# While there is no web folder there is nothing to build.
WEB := $(if $(wildcard web/package.json),$(STATIC))
WEB_SOURCES := $(if $(WEB),$(shell find web -name node_modules -prune -o -type f -print))

.PHONY: play test lint unit prove browser bench docs wheel clean
.DELETE_ON_ERROR:

play: .venv/play.stamp .venv/bytecode.stamp $(WEB)
	@$(BIN)/umpire

test: lint unit browser

lint: .venv/dev.stamp
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	$(BIN)/lint-imports
	$(BIN)/python scripts/protocol-types --check

unit: .venv/dev.stamp
	scripts/postgresql
	$(BIN)/pytest -n 2 --ignore=tests/browser

prove: .venv/dev.stamp
	$(BIN)/pytest -n 2 --ignore=tests/browser --prove $(if $(GAME),--prove-game $(GAME))
	$(BIN)/umpire rules coverage $(GAME)

browser: .venv/dev.stamp $(WEB)
	$(NPM) test
ifneq ($(wildcard tests/browser),)
	@scripts/quiet "Chromium" scripts/chromium
	@# Browsers that draw without a graphics card may be late on a busy machine: what failed is run once more, alone.
	$(BIN)/pytest tests/browser || $(BIN)/pytest --last-failed --last-failed-no-failures=none tests/browser
endif

bench: .venv/dev.stamp
	$(BIN)/umpire bench

wheel: .venv/dev.stamp $(WEB)
	@scripts/quiet "the wheel" $(BIN)/pip wheel -q --no-deps -w dist .
	@ls dist/*.whl

docs: .venv/dev.stamp
	scripts/docs

clean:
	rm -rf .venv .coverage site build dist web/node_modules $(dir $(STATIC))

# Two stamps, so that somebody who only wants to play does not wait for the tools of those who build.
.venv/play.stamp: EXTRAS :=
.venv/dev.stamp: EXTRAS := [arena,learn,docs,dev]
.venv/play.stamp .venv/dev.stamp: pyproject.toml | $(BIN)/pip
	@scripts/quiet "Python packages" $(BIN)/pip install --disable-pip-version-check -e '.$(EXTRAS)'
	@scripts/quiet "geometry, compiled once, about 20 s" $(BIN)/python -m umpire.space.warm
	@touch $@

# Where Python may not keep what it has compiled, every start would compile the rules anew.
.venv/bytecode.stamp: $(shell find src/umpire -name '*.py') | .venv/play.stamp
	@$(BIN)/python -m compileall -q src/umpire
	@touch $@

$(BIN)/pip:
	@$(PYTHON) -c 'import sys; sys.exit("Umpire needs Python 3.11 or newer" if sys.version_info < (3, 11) else 0)'
	@$(PYTHON) -m venv .venv || { scripts/debian-install python3-venv && $(PYTHON) -m venv --clear .venv; }

NPM = cd web && PATH="$(CURDIR)/$(BIN):$$PATH" npm
# Not `npm ci`: it wants the compiler of every platform in the lock file, and a registry need not hold them all.
web/node_modules/.stamp: web/package.json web/package-lock.json | $(BIN)/pip
	@scripts/quiet "Node" scripts/node
	@scripts/quiet "web packages" sh -c '$(NPM) install --no-save --no-audit --no-fund'
	@touch $@

$(STATIC): web/node_modules/.stamp $(WEB_SOURCES)
	@scripts/quiet "the table's pages" sh -c '$(NPM) run build'
	@touch $@
