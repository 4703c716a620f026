"""Who may do what: a table of rows, one file an area, walked by ``tests/test_roles.py``.

A new address needs a row in one of the ``rows_*.py`` files here; the walk finds them by itself.
"""
