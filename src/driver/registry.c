/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The list of drivers and the names of the error classes. A new driver is one row here; nothing registers itself at
 * run time.
 */
#include "config.h"

#include "driver/driver.h"
#include "driver/drivers.h"

#include <string.h>

const struct xt_driver *const xt_drivers[] = {
	&xt_driver_sqlite,
#ifdef HAVE_PGSQL
	&xt_driver_pgsql,
#endif
	&xt_driver_null,
	NULL,
};

const struct xt_driver *xt_driver_find(const char *name)
{
	for (size_t i = 0; xt_drivers[i]; i++)
		if (!strcmp(xt_drivers[i]->name, name))
			return xt_drivers[i];
	return NULL;
}

/* Hooks that no driver may leave out; the header says what NULL means for the others. */
#define HOOKS(CHECK, d)                                                                                                \
	CHECK(d, name)                                                                                                 \
	CHECK(d, summary)                                                                                              \
	CHECK(d, open)                                                                                                 \
	CHECK(d, close)                                                                                                \
	CHECK(d, needs_prepare)                                                                                        \
	CHECK(d, prepare_workers)                                                                                      \
	CHECK(d, single_writer)                                                                                        \
	CHECK(d, describe)                                                                                             \
	CHECK(d, connect)                                                                                              \
	CHECK(d, disconnect)                                                                                           \
	CHECK(d, prepare)                                                                                              \
	CHECK(d, unprepare)                                                                                            \
	CHECK(d, execute)                                                                                              \
	CHECK(d, query)                                                                                                \
	CHECK(d, in_transaction)                                                                                       \
	CHECK(d, rollback)                                                                                             \
	CHECK(d, cancel)                                                                                               \
	CHECK(d, load_begin)                                                                                           \
	CHECK(d, load_row)                                                                                             \
	CHECK(d, load_end)                                                                                             \
	CHECK(d, load_abort)

#define CHECK_HOOK(d, hook)                                                                                            \
	if (!xt_driver_##d.hook)                                                                                       \
		return #d ": " #hook;

const char *xt_driver_check(void)
{
	HOOKS(CHECK_HOOK, sqlite)
#ifdef HAVE_PGSQL
	HOOKS(CHECK_HOOK, pgsql)
#endif
	HOOKS(CHECK_HOOK, null)
	return NULL;
}

const char *xt_class_name(enum xt_class class)
{
	static const char *const names[XT_CLASSES] = {
		[XT_OK] = "ok",
		[XT_BUSY] = "busy",
		[XT_BUSY_SNAPSHOT] = "busy_snapshot",
		[XT_SERIALIZATION] = "serialization",
		[XT_DEADLOCK] = "deadlock",
		[XT_UNIQUE] = "unique",
		[XT_OTHER] = "other",
		[XT_LOST] = "lost",
		[XT_CANCELLED] = "cancelled",
	};

	return (unsigned)class < XT_CLASSES ? names[class] : "unknown";
}
