-- The end of a transaction.
-- SPDX-License-Identifier: GPL-3.0-or-later
\if not :skip_trx
\time :time_calls
COMMIT;
\endif
