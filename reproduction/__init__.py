"""The papers' tables and figures made again, one file a paper; `paper_table.py` says what a table is."""
