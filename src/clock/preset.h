/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The emulated clock sources that have a name: published costs of one hi-res read, as data. Where the figures come
 * from stands beside each row in preset.c.
 */
#ifndef XT_CLOCK_PRESET_H
#define XT_CLOCK_PRESET_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct xt_preset {
	const char *name;
	uint64_t ns;     /* 0: native speed, nothing is stretched */
	bool serialised; /* one device for all CPUs: reads queue up */
	const char *origin;
};

/* In the order of `xtime list clocksources`; the array ends with a row whose name is NULL. */
extern const struct xt_preset xt_presets[];

/* By name of len bytes, or NULL. */
const struct xt_preset *xt_preset_find(const char *name, size_t len);

#endif
