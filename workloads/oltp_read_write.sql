-- sysbench's oltp_read_write: 14 reads, 4 writes, BEGIN and COMMIT per transaction
-- SPDX-License-Identifier: GPL-3.0-or-later
\include parts/oltp_common.sql

\section run
\include parts/oltp_begin.sql
\include parts/oltp_reads.sql
\include parts/oltp_writes.sql
\include parts/oltp_commit.sql
