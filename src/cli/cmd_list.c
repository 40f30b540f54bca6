/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * xtime list: the registries, printed.
 */
#include "cli/commands.h"
#include "cli/workloads.h"
#include "clock/env.h"
#include "clock/preset.h"
#include "clock/source.h"
#include "driver/driver.h"

#include "shim/ticker.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

static void print_workload(void *ctx, const char *name, const char *summary)
{
	(void)ctx;
	printf("  %-24s %s\n", name, summary);
}

static int list_workloads(struct xt_err *err)
{
	puts("workloads:");
	return xt_workload_each(print_workload, NULL, err);
}

static int list_implementations(struct xt_err *err)
{
	/* What is there is known once the vDSO has been looked up; nothing is read here. */
	static const struct xt_clock_libc unused;

	(void)err;
	xt_clock_init(&unused);
	puts("implementations of time():");
	for (unsigned i = 0; i < XT_SOURCES; i++) {
		if (!xt_sources[i].name)
			continue;
		printf("  %-24s %s", xt_sources[i].name, xt_sources[i].summary);
		if (i == XT_SOURCE_CACHED)
			printf(" (at most %" PRIu64 " ms old here)", xt_ticker_staleness_ns() / 1000000);
		printf("%s\n", xt_source_available(i) ? "" : " (n/a here: falls back to the kernel entry)");
	}
	return 0;
}

static int list_drivers(struct xt_err *err)
{
	(void)err;
	puts("drivers:");
	for (size_t i = 0; xt_drivers[i]; i++)
		printf("  %-24s %s\n", xt_drivers[i]->name, xt_drivers[i]->summary);
	if (!xt_driver_find("pgsql"))
		printf("  %-24s %s\n", "pgsql", "not built in (configured --without-pgsql)");
	return 0;
}

static int list_clocksources(struct xt_err *err)
{
	(void)err;
	puts("clock sources that can be emulated (ARM@CLOCKSOURCE, or ARM@NUMBERns):");
	for (size_t i = 0; xt_presets[i].name; i++)
		printf("  %-24s %4llu ns%s, %s\n", xt_presets[i].name, (unsigned long long)xt_presets[i].ns,
		       xt_presets[i].serialised ? ", serialised across CPUs" : "", xt_presets[i].origin);
	return 0;
}

static const struct {
	const char *name;
	int (*list)(struct xt_err *err);
} lists[] = {
	{"workloads", list_workloads},
	{"implementations", list_implementations},
	{"drivers", list_drivers},
	{"clocksources", list_clocksources},
};

int xt_cmd_list(int argc, char **argv, struct xt_err *err)
{
	bool found = argc < 2;

	if (argc > 2)
		return xt_err_usage(err, "list takes one word: workloads, implementations, drivers or clocksources");
	for (size_t i = 0; i < sizeof(lists) / sizeof(*lists); i++)
		if (argc < 2 || !strcmp(argv[1], lists[i].name)) {
			found = true;
			if (lists[i].list(err))
				return -1;
		}
	if (!found)
		return xt_err_usage(err, "'%s' cannot be listed: workloads, implementations, drivers or clocksources",
		                    argv[1]);
	return 0;
}
