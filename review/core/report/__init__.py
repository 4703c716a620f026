"""A static report: sections of words, tables and pictures, written as Markdown and as HTML."""
