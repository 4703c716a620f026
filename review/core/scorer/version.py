"""The version of the scorer and of its reading rules: part of every signature."""

VERSION = "0.1.0"
READER_VERSIONS = {"letter": "letter-1", "command": "cmd-1", "answer": "ans-1"}
