-- Options and full tables of sysbench's OLTP tests.
-- SPDX-License-Identifier: GPL-3.0-or-later
\include oltp_options.sql

\section prepare
\set rows :table_size
\include oltp_tables.sql
