-- nothing at all: the harness's own cost
\section run
