-- SPDX-License-Identifier: GPL-3.0-or-later
-- oltp_point_select for pgbench: the same statements, uniform keys, 10,000 rows.
\set a random(1,10000)
SELECT c FROM sbtest1 WHERE id=:a;
