"""Tables in binary files: Parquet, Arrow, SQLite, databases, workbooks.

Each row is a document, and its cells are the leaves of a record (``fields``). Rows are read and
written in batches; a file is assembled from sanitized rows (``rows``), and read again by other
means before it gets its name:

    arrow     Parquet and Arrow IPC (Feather, streams), with ``arrow_types`` for the leaves of nested columns
    sqlite    database files, rebuilt from their schema and the sanitized rows
    database  any database that SQLAlchemy reaches, table by table
    sheets    workbooks: .xlsx and .ods
"""
