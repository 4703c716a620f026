"""Whether a line of text is a shell command that somebody is told to type, or something else."""

import re

from generation.core.shell import LONGEST_COMMAND, shell_error

_WORDS = """
7z accelerate act activate adb ansible ansible-playbook apk apptainer apt apt-get aria2c aria2p autoconf
autoreconf aws az bash bazel black brew bun bunx bundle bzip2 cabal cargo cat cd chmod chown clang
clang++ cmake code composer conan conda conda-lock corepack cp createdb createuser ctest curl deactivate
deepspeed deno dnf django-admin docker docker-compose dotnet dvc echo elixir emacs env eval exec export fairseq-train
find firebase flask flutter for fvm g++ gcc gcloud gdown gem gh git git-lfs glab go gradle grep gsutil
gunicorn gunzip gzip helm hf horovodrun huggingface-cli hub if initdb invoke ipython java javac jekyll jq
julia jupyter jupyter-lab just kill killall kubectl lake latexmk lean ln ls lua make mamba maturin meson
micromamba minikube mise mix mkdir mkdocs mkvirtualenv mlflow modal module mount mpiexec mpirun mv mvn
mypy mysql nano nc ninja nix nix-build nix-shell node nohup nox npm npx numactl nvcc nvidia-smi nvm
ollama opam open openssl pacman parallel patch pdm perl php pip pip-compile pip3 pipenv pipx pixi
pkg pkg-config pkill playwright pnpm podman poe poetry port pre-commit prime-rl psql pushd popd pwd pyenv
pytest python python2 python3 R Rscript rake ray rbenv redis-cli redis-server rm rsync ruby ruff rustc
rustup rye salloc sam sbatch sbt scancel scp screen scrapy sed service set setx sh singularity sky
snap source sqlite3 srun ssh stack start streamlit sudo swift systemctl tar tee tensorboard terraform
tmux top touch torchrun tox twine typer ulimit unset unxz unzip uv uvicorn uvx vagrant vi vim
virtualenv vllm wandb watch wget which while winget workon xargs xhost xvfb-run xz yarn yes yum
zcat zip zsh
"""
KNOWN_COMMANDS = frozenset(_WORDS.split()) | {"."}
"""Words that begin a command wherever they stand; names with a version (python3.12) do, too."""

# Known words that are English words too: alone with more prose they are no command.
_ENGLISH_WORDS = """
act activate code echo eval exec export find for go if import just kill make module mount open
parallel patch port ray screen service set source stack start swift touch top typer watch which
while yes hub env
"""
_ENGLISH = frozenset(_ENGLISH_WORDS.split())
_VERSIONED = re.compile(r"(?:python|pip|gcc|g\+\+|clang|clang\+\+|llvm-config)-?\d[\d.]*")
_ASSIGNMENT = re.compile(
    r"(?:[A-Za-z_]\w*\+?=(?:\"[^\"]*\"|'[^']*'|\([^()]*\)|\$\([^()]*\)|[^\s;|&]*)\s*)"
)
_WRAPPERS = re.compile(
    r"(?:sudo(?:\s+-[A-Za-z]+)*|time|nohup|exec|command|env|xvfb-run(?:\s+-\S+)*)\s+(?=\S)"
)
_PATH = re.compile(
    r"(?:\.{1,2}|~|\$\{?\w+\}?)?/(?:[\w./@$~{}<>+-]*[\w@$~{}<>+-])|\.{1,2}\\[\w\\.-]+", re.ASCII
)
_PROGRAM = re.compile(r"[a-z0-9_][\w.+@-]*(?:/[\w.+@-]+)*")
_OPTION = re.compile(r"(?:^|\s)--?[A-Za-z]")
_FUNCTION = """
the you your we our is are was were be been will would should can could may this that these
those with from which when where while have has had does not also then sure it its they there
into of and or to for a an as by in if after before please
"""
_FUNCTION_WORDS = frozenset(_FUNCTION.split())
_WORD = re.compile(r"(?<!\S)[A-Za-z']+(?=[.,:;!?)]*(?:\s|\Z))")
_COLUMNS = re.compile(r"\S[ ]{2,}\S.*\S[ ]{2,}\S")
_CJK = re.compile("[\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af\uff00-\uffef]")
_CJK_SENTENCE = 4
_COMPOUND = re.compile(r";|\bdo\b|\bthen\b")
_UNFINISHED = re.compile(r"(?:^|\s)(?:\.{3}|…)$")
_OTHER_LANGUAGE = re.compile(
    r"(?:import \w[\w.]*(?: as \w+)?|from [\w.]+ import .*|def \w+\(.*|class \w+.*:|print\(.*"
    r"|\w[\w.]*\s*=\s+.*|\w[\w.]*\(.*\)|for \w+ in .*:|if .*:|return\b.*|[}\])]+[;,]?)"
)


def first_word(command: str) -> str:
    """Return the word that names the program: after assignments, ``sudo`` and the like."""
    rest = command.strip()
    while found := _ASSIGNMENT.match(rest) or _WRAPPERS.match(rest):
        rest = rest[found.end() :]
    return rest.split(maxsplit=1)[0] if rest else ""


def is_known(command: str) -> bool:
    """Say whether a text begins with a known command word, or with the path of a script."""
    word = first_word(command)
    if not word:
        # Assignments alone: they are commands where a shell is meant.
        return False
    return word in KNOWN_COMMANDS or bool(_VERSIONED.fullmatch(word) or _PATH.fullmatch(word))


def is_prose(command: str) -> bool:
    """Say whether a line reads as a sentence: its first words would be a command by chance."""
    shell = re.sub(r"\"[^\"]*\"|'[^']*'", '""', command)
    if _CJK.search(shell.split(maxsplit=1)[0] if shell.split() else ""):
        return True
    if len(_CJK.findall(shell)) >= _CJK_SENTENCE and not _OPTION.search(shell):
        return True
    if _COLUMNS.search(shell) and not _OPTION.search(shell):
        return True  # a row of a table that a program printed
    words = [word.lower() for word in _WORD.findall(shell)]
    common = sum(word in _FUNCTION_WORDS for word in words)
    ends_a_sentence = shell.rstrip().endswith(
        (".", ":", "!", "?", ",")
    ) and not shell.rstrip().endswith((" .", "/.", "..", " :"))
    if _OPTION.search(shell) or "&&" in shell or "=" in shell:
        return common >= 4 and ends_a_sentence
    word = first_word(command)
    if word in {"for", "if", "while"} and _COMPOUND.search(shell):
        return False
    if word in _ENGLISH and len(words) > 1 and words[1] in _FUNCTION_WORDS | {"sure"}:
        return True
    return (ends_a_sentence and len(words) >= 4) or (common >= 2 and len(words) >= 5)


def is_command(command: str, *, in_shell: bool) -> bool:
    """Say whether a line of code is a command to type.

    ``in_shell`` says that its block is marked as one of a shell: then every program's name is
    taken; elsewhere only the known ones are (``KNOWN_COMMANDS``, paths of scripts).
    """
    if len(command) > LONGEST_COMMAND:
        return False
    if _OTHER_LANGUAGE.fullmatch(command.strip()) or is_prose(command):
        return False
    if is_known(command):
        return True
    if not in_shell:
        return bool(_ASSIGNMENT.match(command) and is_known(command))
    if _ASSIGNMENT.match(command) and not first_word(command):
        return True
    word = first_word(command)
    return bool(_PROGRAM.fullmatch(word)) and _reads_as_shell(command)


def is_unfinished(command: str) -> bool:
    """Say whether a text only names a command: it ends with three dots."""
    return _UNFINISHED.search(command.strip()) is not None


def _reads_as_shell(command: str) -> bool:
    """Say whether bash can read the command; placeholders in angle brackets count as words."""
    plain = re.sub(r"<([A-Za-z][\w .|/-]*)>", "x", command)
    return shell_error(plain) is None
