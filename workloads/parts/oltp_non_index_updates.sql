-- Updates of a column without index.
-- SPDX-License-Identifier: GPL-3.0-or-later
\set t random(1, :tables)
\repeat :non_index_updates
\set c random_string('###########-###########-###########-###########-###########-###########-###########-###########-###########-###########')
\set id random_default(1, :table_size)
\time :time_calls
UPDATE sbtest:{t} SET c=:c WHERE id=:id;
\endrepeat
