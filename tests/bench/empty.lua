-- SPDX-License-Identifier: GPL-3.0-or-later
-- sysbench: its event loop around nothing.
function event() end
