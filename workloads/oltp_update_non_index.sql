-- sysbench's oltp_update_non_index: one UPDATE of a column without index
-- SPDX-License-Identifier: GPL-3.0-or-later
\include parts/oltp_common.sql

\section run
\include parts/oltp_non_index_updates.sql
