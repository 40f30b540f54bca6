-- The end of a transaction.
\if not :skip_trx
\time :time_calls
COMMIT;
\endif
