/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Text of arms and swap sets. Runs in the shim's constructor too, so it stays away from stdio, malloc and locales.
 */
#include "clock/arm.h"

#include "clock/preset.h"
#include "clock/source.h"

#include <string.h>

enum { MAX_NS = 1000000000 }; /* one second per read: beyond that a host only looks hung */

enum { MAX_PLUGIN = 500 }; /* of what the control page holds */

static const char plugin_prefix[] = "plugin:";

static const struct {
	const char *name;
	unsigned bit;
} swaps[] = {
	{"time", XT_SWAP_TIME},
	{"gettimeofday", XT_SWAP_GETTIMEOFDAY},
	{"clock_gettime", XT_SWAP_CLOCK_GETTIME},
	{"monotonic", XT_SWAP_MONOTONIC},
};

enum { SWAPS = sizeof(swaps) / sizeof(swaps[0]) };

/* "<digits>ns" at the start of text; *used is its length. */
static enum xt_arm_bad read_ns(const char *text, size_t len, uint64_t *out, size_t *used)
{
	uint64_t value = 0;
	size_t i = 0;

	for (; i < len && text[i] >= '0' && text[i] <= '9'; i++) {
		value = value * 10 + (uint64_t)(text[i] - '0');
		if (value > MAX_NS)
			return XT_ARM_BAD_NUMBER;
	}
	if (i == 0 || len - i < 2 || text[i] != 'n' || text[i + 1] != 's')
		return XT_ARM_BAD_NUMBER;
	*out = value;
	*used = i + 2;
	return XT_ARM_OK;
}

/* What stands after '@', the whole of it. */
static enum xt_arm_bad read_clocksource(const char *text, size_t len, struct xt_arm *out)
{
	const struct xt_preset *preset;
	enum xt_arm_bad bad;
	size_t used = 0;

	if (len && text[0] >= '0' && text[0] <= '9') {
		bad = read_ns(text, len, &out->ns, &used);
		if (bad)
			return bad;
		return used == len ? XT_ARM_OK : XT_ARM_TRAILING;
	}
	preset = xt_preset_find(text, len);
	if (!preset || len >= sizeof(out->clocksource))
		return XT_ARM_UNKNOWN_CLOCKSOURCE;
	memcpy(out->clocksource, preset->name, len);
	out->ns = preset->ns;
	out->serialised = preset->serialised;
	return XT_ARM_OK;
}

static const char *last_of(const char *text, size_t len, char c)
{
	while (len--)
		if (text[len] == c)
			return text + len;
	return NULL;
}

static const char *first_of(const char *text, size_t len, char c)
{
	return len ? memchr(text, c, len) : NULL;
}

/* A plugin's path may hold '@' and '+': only a suffix that is one in full is taken off, from the right. */
static enum xt_arm_bad parse_plugin(const char *text, size_t len, struct xt_arm *out, char *plugin, size_t cap)
{
	const char *at;
	size_t used = 0, rest;
	uint64_t ns;
	struct xt_arm trial = {0};

	out->source = XT_SOURCE_PLUGIN;
	at = last_of(text, len, '+');
	if (at) {
		rest = (size_t)(text + len - at) - 1;
		if (!read_ns(at + 1, rest, &ns, &used) && used == rest) {
			out->added_ns = ns;
			len = (size_t)(at - text);
		}
	}
	at = last_of(text, len, '@');
	if (at && !read_clocksource(at + 1, (size_t)(text + len - at) - 1, &trial)) {
		out->ns = trial.ns;
		out->serialised = trial.serialised;
		memcpy(out->clocksource, trial.clocksource, sizeof(out->clocksource));
		len = (size_t)(at - text);
	}
	if (!len || text[0] == ':' || text[len - 1] == ':' || first_of(text, len, ',') || first_of(text, len, '\0'))
		return XT_ARM_BAD_PLUGIN;
	if (plugin) {
		if (len >= cap || len > MAX_PLUGIN)
			return XT_ARM_BAD_PLUGIN;
		memcpy(plugin, text, len);
		plugin[len] = '\0';
	}
	return XT_ARM_OK;
}

enum xt_arm_bad xt_arm_parse(const char *text, size_t len, struct xt_arm *out, char *plugin, size_t cap)
{
	enum { PREFIX = sizeof(plugin_prefix) - 1 };
	const char *at, *plus;
	enum xt_arm_bad bad;
	size_t used = 0, rest, name;
	int source;

	memset(out, 0, sizeof(*out));
	if (plugin && cap)
		plugin[0] = '\0';
	if (len >= PREFIX && !memcmp(text, plugin_prefix, PREFIX))
		return parse_plugin(text + PREFIX, len - PREFIX, out, plugin, cap);
	plus = first_of(text, len, '+');
	rest = plus ? (size_t)(plus - text) : len;
	at = first_of(text, rest, '@');
	name = at ? (size_t)(at - text) : rest;
	source = xt_source_find(text, name);
	if (source < 0 || source == XT_SOURCE_PLUGIN)
		return XT_ARM_UNKNOWN_SOURCE;
	out->source = (uint32_t)source;
	if (at) {
		bad = read_clocksource(at + 1, rest - name - 1, out);
		if (bad)
			return bad;
		if (!xt_sources[source].hi_res)
			return XT_ARM_NOT_HI_RES;
	}
	if (!plus)
		return XT_ARM_OK;
	rest = len - rest - 1;
	bad = read_ns(plus + 1, rest, &out->added_ns, &used);
	if (bad)
		return bad;
	return used == rest ? XT_ARM_OK : XT_ARM_TRAILING;
}

enum xt_arm_bad xt_arm_fits(const struct xt_arm *arm, unsigned swap)
{
	if (arm->source >= XT_SOURCES)
		return XT_ARM_UNKNOWN_SOURCE;
	if (arm->source == XT_SOURCE_CONSTANT && (swap & XT_SWAP_MONOTONIC))
		return XT_ARM_FROZEN_MONOTONIC;
	return swap & ~xt_sources[arm->source].serves ? XT_ARM_WHOLE_SECONDS : XT_ARM_OK;
}

struct out {
	char *buf;
	size_t cap, len;
};

static void put(struct out *out, const char *text)
{
	for (; *text; text++)
		if (out->len + 1 < out->cap)
			out->buf[out->len++] = *text;
}

static void put_ns(struct out *out, char before, uint64_t ns)
{
	char digits[24];
	size_t i = sizeof(digits);

	digits[--i] = '\0';
	digits[--i] = 's';
	digits[--i] = 'n';
	do
		digits[--i] = (char)('0' + ns % 10);
	while (ns /= 10);
	digits[--i] = before;
	put(out, digits + i);
}

size_t xt_arm_format(const struct xt_arm *arm, const char *plugin, char *buf, size_t cap)
{
	struct out out = {buf, cap, 0};

	if (!cap)
		return 0;
	if (arm->source == XT_SOURCE_PLUGIN) {
		put(&out, plugin_prefix);
		put(&out, plugin ? plugin : "");
	} else {
		put(&out, arm->source < XT_SOURCES ? xt_sources[arm->source].name : "?");
	}
	if (arm->clocksource[0]) {
		put(&out, "@");
		put(&out, arm->clocksource);
	} else if (arm->ns) {
		put_ns(&out, '@', arm->ns);
	}
	if (arm->added_ns)
		put_ns(&out, '+', arm->added_ns);
	buf[out.len] = '\0';
	return out.len;
}

const char *xt_arm_bad_text(enum xt_arm_bad bad)
{
	switch (bad) {
	case XT_ARM_OK:
		return "is fine";
	case XT_ARM_UNKNOWN_SOURCE:
		return "is no known implementation; allowed: SOURCE[@CLOCKSOURCE][+ADDEDns], with SOURCE one of libc, "
		       "gettimeofday, realtime, coarse, vdso-time, syscall-gettimeofday, syscall-realtime, "
		       "syscall-time, syscall-coarse, coherent, cached, tsc, constant, plugin:FILE.so[:SYMBOL]";
	case XT_ARM_UNKNOWN_CLOCKSOURCE:
		return "names no known clock source; allowed after '@': tsc, hpet, xen, acpi_pm, or a number like "
		       "1000ns";
	case XT_ARM_BAD_NUMBER:
		return "has a bad number; allowed: 0ns to 1000000000ns";
	case XT_ARM_TRAILING:
		return "has text after its end; allowed: SOURCE[@CLOCKSOURCE][+ADDEDns]";
	case XT_ARM_WHOLE_SECONDS:
		return "gives whole seconds only and cannot stand in for gettimeofday, clock_gettime or monotonic; "
		       "allowed with it: --swap=time";
	case XT_ARM_FROZEN_MONOTONIC:
		return "would freeze CLOCK_MONOTONIC and hang its host; not allowed with monotonic in --swap";
	case XT_ARM_NOT_HI_RES:
		return "never consults the clock source, so '@' has nothing to stretch; +ADDEDns is allowed";
	case XT_ARM_BAD_PLUGIN:
		return "is no good plugin; allowed: plugin:FILE.so[:SYMBOL], a path without a comma, at most 500 bytes";
	}
	return "is bad";
}

int xt_swap_parse(const char *text, size_t len, unsigned *out, size_t *bad)
{
	unsigned bits = 0;
	size_t start = 0;

	for (;;) {
		const char *comma = first_of(text + start, len - start, ',');
		size_t word = comma ? (size_t)(comma - text) - start : len - start;
		unsigned bit = 0;

		for (size_t i = 0; i < SWAPS; i++)
			if (strlen(swaps[i].name) == word && !memcmp(swaps[i].name, text + start, word))
				bit = swaps[i].bit;
		if (!bit) {
			if (bad)
				*bad = start;
			return -1;
		}
		bits |= bit;
		if (!comma)
			break;
		start += word + 1;
	}
	*out = bits;
	return 0;
}

size_t xt_swap_format(unsigned swap, char *buf, size_t cap)
{
	struct out out = {buf, cap, 0};

	if (!cap)
		return 0;
	for (size_t i = 0; i < SWAPS; i++) {
		if (!(swap & swaps[i].bit))
			continue;
		if (out.len)
			put(&out, ",");
		put(&out, swaps[i].name);
	}
	buf[out.len] = '\0';
	return out.len;
}
