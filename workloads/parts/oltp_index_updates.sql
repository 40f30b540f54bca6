-- Updates of the indexed column.
-- SPDX-License-Identifier: GPL-3.0-or-later
\set t random(1, :tables)
\repeat :index_updates
\set id random_default(1, :table_size)
\time :time_calls
UPDATE sbtest:{t} SET k=k+1 WHERE id=:id;
\endrepeat
