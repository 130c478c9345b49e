# make demo   sets up everything and answers a question
# make test   sets up everything and runs all checks
PYTHON ?= $(shell for p in python3 python3.14 python3.13 python3.12 python3.11 python; do \
	$$p -c 'import sys; sys.exit(sys.version_info < (3, 11))' >/dev/null 2>&1 && echo $$p && break; done)
VENV ?= .venv
BIN = $(VENV)/bin/python
SOURCES := $(shell find engine rules facts -type f \! -name '*.pyc') setup.cfg pyproject.toml README.md

.PHONY: demo test bench soak clean
demo: $(VENV)/demo
	@echo '$$ seatlog can four_in_a_ring Alex target "Runeclaw Bear"'
	@$(BIN) -m seatlog can four_in_a_ring Alex target "Runeclaw Bear" || test $$? -eq 1
	@echo; echo "Now try $(VENV)/bin/seatlog --help, or put $(VENV)/bin into your PATH."

test: $(VENV)/test
	$(BIN) -m ruff check .
	$(BIN) -m ruff format --check .
	$(BIN) -m mypy engine tests benchmarks
	$(BIN) -m seatlog fmt --check
	$(BIN) -m seatlog lint
	$(BIN) -m seatlog test --budget 60s --solver compiled+pydatalog
	$(BIN) -m pytest -n 2 --dist loadfile --no-loadscope-reorder --ignore tests/scenarios \
		--ignore tests/hostile/test_hostile.py
	$(BIN) -m pytest tests/hostile/test_hostile.py

bench: $(VENV)/test
	$(BIN) benchmarks/run.py

soak: $(VENV)/test
	SEATLOG_GAMES=1000 SEATLOG_TABLES=1500 SEATLOG_STEPS=1000 SEATLOG_LISTS=5000 \
		$(BIN) -m pytest -n 2 tests/oracles/test_markers.py tests/oracles/test_lists.py \
		tests/game/test_face_tables.py tests/game/test_told.py
	SEATLOG_INTERRUPTS=200 SEATLOG_PYTESTS=1 $(BIN) -m pytest tests/hostile/test_processes.py \
		tests/hostile/test_pytests.py
	SEATLOG_PROGRAMS=20000 SEATLOG_ENGINES=500 $(BIN) -m pytest -n 2 \
		tests/lint/test_random_programs.py tests/oracles/test_engines.py
	SEATLOG_PASTED=200 SEATLOG_LAYOUTS=200 SEATLOG_EDITS=2000 $(BIN) -m pytest -n 2 \
		tests/solvers/test_paste.py tests/solvers/test_pasted_sections.py \
		tests/lint/test_layout.py tests/authoring/test_edits.py
	SEATLOG_DAMAGED=1260 $(BIN) -m pytest -n 2 tests/text/test_reading.py
	SEATLOG_RICH=100000 SEATLOG_RICH_ASKED=100000 SEATLOG_RICH_OPEN=2000 \
		$(BIN) -m pytest -s tests/oracles/test_corpora.py
	SEATLOG_MUTANTS=0 SEATLOG_PROOFS=0 SEATLOG_HELD=200 \
		$(BIN) -m pytest -s tests/books/test_mutants.py
	SEATLOG_SEEDED=1 SEATLOG_REASONS=1 SEATLOG_ORACLE=5000 $(BIN) -m pytest -n 2 \
		--dist loadfile tests/books/test_seeded.py \
		tests/game/test_reasons.py tests/oracles/test_oracle_more.py

clean:
	rm -rf $(VENV) build *.egg-info .pytest_cache .mypy_cache .ruff_cache

$(BIN):
	@test -n "$(PYTHON)" || { echo "Seatlog needs Python 3.11 or newer"; exit 2; }
	@$(PYTHON) -m venv $(VENV)

$(VENV)/demo: $(BIN) $(SOURCES)
	@rm -rf build && $(BIN) -m pip install --quiet --upgrade .
	@touch $@

$(VENV)/test: $(BIN) $(SOURCES)
	@rm -rf build && $(BIN) -m pip install --quiet --upgrade '.[test]'
	@touch $@ $(VENV)/demo
