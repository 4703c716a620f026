"""The pages as people use them, in Debian's chromium.

The rules of reviewing, by their number, and the file that holds each in the browser; the services'
and views' tests hold them besides, with their races.

| rule | what it says | file |
|---|---|---|
| 1 | exactly as many reviews as are wanted | ``test_rules_1_to_3.py``; with 64 people ``tests/review/test_crowd.py`` |
| 2 | leases end, late reviews are kept, nothing typed is lost | ``test_rules_1_to_3.py``, ``test_drafts.py``, ``test_offline.py`` |
| 3 | nobody twice, nobody their own, nobody sees another's | ``test_rules_1_to_3.py``, ``test_review_page.py``; own edits ``test_rule_6_editing.py`` |
| 4 | first blind, then open | ``test_rules_4_and_5.py``, ``test_review_page.py`` |
| 5 | ratings explained, reasons to reject | ``test_rules_4_and_5.py`` |
| 6 | edits with word diff, checks, conflicts; undo | ``test_rule_6_editing.py``, ``test_rule_6_undo.py`` |
| 7 | what all say settles | ``test_rules_7_and_9.py`` |
| 8 | disputes: side by side, decided once | ``test_rule_8_disputes.py`` |
| 9 | control items, the first round, asking a lead | ``test_rules_7_and_9.py``; asking ``test_rule_6_editing.py`` |
| 10 | active time | ``test_rule_10_time.py`` |

Across the rules: ``test_keys.py`` (by the keyboard alone), ``test_chinese.py`` (in the other
language), ``test_long_runs.py`` (600 KB and 4 MB), ``test_every_page.py`` (axe and hostile text on
every page).
"""
