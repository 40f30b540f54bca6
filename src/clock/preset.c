/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Published costs of a hi-res clock read per kernel clock source. A kernel-wide constant here would be a lie on any one
 * machine: these are what the named reports measured, and every output that uses them says "emulated" and the figure.
 */
#include "clock/preset.h"

#include <string.h>

const struct xt_preset xt_presets[] = {
	{"tsc", 0, false, "native: nothing is stretched"},
	{"hpet", 565, true, "clockperf's README: x86, gettimeofday 23 ns with tsc, 565 ns with hpet"},
	{"xen", 596, false, "redis issue 10604: EC2 m4, clock_gettime"},
	{"acpi_pm", 723, true, "PostgreSQL documentation of pg_test_timing: 36 ns with tsc, 723 ns with acpi_pm"},
	{NULL, 0, false, NULL},
};

const struct xt_preset *xt_preset_find(const char *name, size_t len)
{
	for (const struct xt_preset *preset = xt_presets; preset->name; preset++)
		if (strlen(preset->name) == len && !memcmp(preset->name, name, len))
			return preset;
	return NULL;
}
