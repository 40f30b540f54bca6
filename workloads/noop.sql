-- nothing at all: the harness's own cost
-- SPDX-License-Identifier: GPL-3.0-or-later
\section run
