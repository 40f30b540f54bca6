/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The ops tables behind the registry. Only registry.c and the drivers themselves need this: everybody else finds a
 * driver by name.
 */
#ifndef XT_DRIVER_DRIVERS_H
#define XT_DRIVER_DRIVERS_H

#include "driver/driver.h"

extern const struct xt_driver xt_driver_sqlite;
extern const struct xt_driver xt_driver_pgsql;
extern const struct xt_driver xt_driver_null;

#endif
