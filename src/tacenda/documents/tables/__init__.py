"""Tables in binary files: Parquet, Arrow, SQLite, databases, workbooks.

A row is a document of its own, its cells the leaves of a record (``fields``). Rows are read and written in
batches; a file is put together out of sanitized rows (``rows``), and read again by other means before it
gets its name:

    arrow     Parquet and Arrow IPC (Feather, streams), with ``arrow_types`` for the leaves of nested columns
    sqlite    database files, rebuilt from their schema and the sanitized rows
    database  any database that SQLAlchemy reaches, table by table
    sheets    workbooks: .xlsx and .ods
"""
