-- sysbench's oltp_write_only: 4 writes, BEGIN and COMMIT per transaction
-- SPDX-License-Identifier: GPL-3.0-or-later
\include parts/oltp_common.sql

\section run
\include parts/oltp_begin.sql
\include parts/oltp_writes.sql
\include parts/oltp_commit.sql
