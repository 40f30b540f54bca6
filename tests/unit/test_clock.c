/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * clock: texts of arms and swap sets, routes, what the sources read, emulation.
 */
#include "clock/arm.h"
#include "clock/cycles.h"
#include "clock/emulate.h"
#include "clock/env.h"
#include "clock/preset.h"
#include "clock/source.h"

#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include <cmocka.h>

static enum xt_arm_bad parse(const char *text, struct xt_arm *arm, char *plugin)
{
	return xt_arm_parse(text, strlen(text), arm, plugin, 512);
}

static void test_arms_round_trip(void **state)
{
	static const char *const texts[] = {
		"libc",
		"gettimeofday",
		"coarse+7ns",
		"gettimeofday@hpet",
		"gettimeofday@hpet+400ns",
		"realtime@1000ns",
		"syscall-realtime@tsc",
		"syscall-gettimeofday@acpi_pm+1000000000ns",
		"coherent@xen",
		"plugin:/a/b.so",
		"plugin:/a@b/c+d.so:my_time@hpet+3ns",
		"plugin:./x+5.so@7ns",
	};

	(void)state;
	for (size_t i = 0; i < sizeof(texts) / sizeof(texts[0]); i++) {
		struct xt_arm arm;
		char plugin[512], back[600];

		if (parse(texts[i], &arm, plugin))
			fail_msg("'%s' was refused", texts[i]);
		assert_int_equal(xt_arm_format(&arm, plugin, back, sizeof(back)), strlen(texts[i]));
		assert_string_equal(back, texts[i]);
	}
}

static void test_arms_content(void **state)
{
	struct xt_arm arm;
	char plugin[512];

	(void)state;
	assert_int_equal(parse("gettimeofday@hpet+400ns", &arm, plugin), XT_ARM_OK);
	assert_int_equal(arm.source, XT_SOURCE_GETTIMEOFDAY);
	assert_int_equal(arm.ns, 565);
	assert_int_equal(arm.added_ns, 400);
	assert_int_equal(arm.serialised, 1);
	assert_string_equal(arm.clocksource, "hpet");
	assert_int_equal(parse("gettimeofday@565ns", &arm, plugin), XT_ARM_OK);
	assert_int_equal(arm.serialised, 0);
	assert_int_equal(arm.ns, 565);
	assert_string_equal(arm.clocksource, "");
	assert_int_equal(parse("gettimeofday@xen", &arm, plugin), XT_ARM_OK);
	assert_int_equal(arm.ns, 596);
	assert_int_equal(arm.serialised, 0);
	assert_int_equal(parse("plugin:/a@b/c+d.so:my_time@hpet+3ns", &arm, plugin), XT_ARM_OK);
	assert_string_equal(plugin, "/a@b/c+d.so:my_time");
	assert_int_equal(arm.ns, 565);
	assert_int_equal(arm.added_ns, 3);
	/* Only so many bytes count. */
	assert_int_equal(xt_arm_parse("libc,coarse", 4, &arm, NULL, 0), XT_ARM_OK);
	assert_int_equal(arm.source, XT_SOURCE_LIBC);
}

static void test_arms_refused(void **state)
{
	static const struct {
		const char *text;
		enum xt_arm_bad bad;
	} rows[] = {
		{"", XT_ARM_UNKNOWN_SOURCE},
		{"@hpet", XT_ARM_UNKNOWN_SOURCE},
		{"libcx", XT_ARM_UNKNOWN_SOURCE},
		{"Libc", XT_ARM_UNKNOWN_SOURCE},
		{"libc ", XT_ARM_UNKNOWN_SOURCE},
		{"plugin", XT_ARM_UNKNOWN_SOURCE},
		{"gettimeofday@", XT_ARM_UNKNOWN_CLOCKSOURCE},
		{"gettimeofday@HPET", XT_ARM_UNKNOWN_CLOCKSOURCE},
		{"gettimeofday@hpet@xen", XT_ARM_UNKNOWN_CLOCKSOURCE},
		{"gettimeofday@100", XT_ARM_BAD_NUMBER},
		{"gettimeofday@100us", XT_ARM_BAD_NUMBER},
		{"gettimeofday@1000000001ns", XT_ARM_BAD_NUMBER},
		{"gettimeofday@99999999999999999999ns", XT_ARM_BAD_NUMBER},
		{"gettimeofday@100nsx", XT_ARM_TRAILING},
		{"gettimeofday+", XT_ARM_BAD_NUMBER},
		{"gettimeofday+-5ns", XT_ARM_BAD_NUMBER},
		{"gettimeofday+5", XT_ARM_BAD_NUMBER},
		{"gettimeofday+5ns+5ns", XT_ARM_TRAILING},
		{"gettimeofday+5ns@hpet", XT_ARM_TRAILING},
		{"coarse@hpet", XT_ARM_NOT_HI_RES},
		{"vdso-time@1000ns", XT_ARM_NOT_HI_RES},
		{"constant@hpet", XT_ARM_NOT_HI_RES},
		{"plugin:", XT_ARM_BAD_PLUGIN},
		{"plugin::f", XT_ARM_BAD_PLUGIN},
		{"plugin:a.so:", XT_ARM_BAD_PLUGIN},
		{"plugin:a,b.so", XT_ARM_BAD_PLUGIN},
		{"plugin:@hpet", XT_ARM_BAD_PLUGIN},
	};
	struct xt_arm arm;
	char plugin[512], small[4];

	(void)state;
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++)
		if (parse(rows[i].text, &arm, plugin) != rows[i].bad)
			fail_msg("'%s': not refused as expected", rows[i].text);
	assert_int_equal(xt_arm_parse("plugin:a.so", 11, &arm, small, sizeof(small)), XT_ARM_BAD_PLUGIN);
	for (int bad = XT_ARM_OK; bad <= XT_ARM_BAD_PLUGIN; bad++)
		assert_true(strlen(xt_arm_bad_text((enum xt_arm_bad)bad)) > 5);
}

/* The refusal of an unknown name lists every name there is. */
static void test_texts_name_everything(void **state)
{
	const char *sources = xt_arm_bad_text(XT_ARM_UNKNOWN_SOURCE),
		   *clocks = xt_arm_bad_text(XT_ARM_UNKNOWN_CLOCKSOURCE);

	(void)state;
	for (int i = 0; i < XT_SOURCES; i++)
		if (xt_sources[i].name)
			assert_non_null(strstr(sources, xt_sources[i].name));
	for (const struct xt_preset *preset = xt_presets; preset->name; preset++)
		assert_non_null(strstr(clocks, preset->name));
}

static void test_fits(void **state)
{
	static const unsigned all = XT_SWAP_TIME | XT_SWAP_GETTIMEOFDAY | XT_SWAP_CLOCK_GETTIME;
	struct xt_arm arm;

	(void)state;
	assert_int_equal(xt_arm_parse("vdso-time", 9, &arm, NULL, 0), XT_ARM_OK);
	assert_int_equal(xt_arm_fits(&arm, XT_SWAP_TIME), XT_ARM_OK);
	assert_int_equal(xt_arm_fits(&arm, all), XT_ARM_WHOLE_SECONDS);
	assert_int_equal(xt_arm_fits(&arm, XT_SWAP_MONOTONIC), XT_ARM_WHOLE_SECONDS);
	assert_int_equal(xt_arm_parse("syscall-time", 12, &arm, NULL, 0), XT_ARM_OK);
	assert_int_equal(xt_arm_fits(&arm, XT_SWAP_GETTIMEOFDAY), XT_ARM_WHOLE_SECONDS);
	assert_int_equal(xt_arm_parse("constant", 8, &arm, NULL, 0), XT_ARM_OK);
	assert_int_equal(xt_arm_fits(&arm, all), XT_ARM_OK);
	assert_int_equal(xt_arm_fits(&arm, all | XT_SWAP_MONOTONIC), XT_ARM_FROZEN_MONOTONIC);
	assert_int_equal(xt_arm_parse("coarse", 6, &arm, NULL, 0), XT_ARM_OK);
	assert_int_equal(xt_arm_fits(&arm, all | XT_SWAP_MONOTONIC), XT_ARM_OK);
}

static void test_swap(void **state)
{
	unsigned swap = 0;
	size_t bad = 99;
	char text[64];

	(void)state;
	assert_int_equal(xt_swap_parse("clock_gettime,time", 18, &swap, &bad), 0);
	assert_int_equal(swap, XT_SWAP_TIME | XT_SWAP_CLOCK_GETTIME);
	xt_swap_format(swap, text, sizeof(text));
	assert_string_equal(text, "time,clock_gettime");
	assert_int_equal(xt_swap_parse("monotonic,gettimeofday", 22, &swap, &bad), 0);
	assert_int_equal(swap, XT_SWAP_MONOTONIC | XT_SWAP_GETTIMEOFDAY);
	assert_int_equal(xt_swap_parse("time,foo", 8, &swap, &bad), -1);
	assert_int_equal(bad, 5);
	assert_int_equal(xt_swap_parse("", 0, &swap, &bad), -1);
	assert_int_equal(xt_swap_parse("time,", 5, &swap, &bad), -1);
	assert_int_equal(xt_swap_parse("time gettimeofday", 17, &swap, &bad), -1);
}

static unsigned route(const char *text, unsigned swap, enum xt_function function)
{
	struct xt_arm arm;

	assert_int_equal(xt_arm_parse(text, strlen(text), &arm, NULL, 0), XT_ARM_OK);
	return xt_route_of(&arm, swap, function);
}

static void test_routes(void **state)
{
	enum { E = XT_ROUTE_EMULATED };

	(void)state;
	assert_int_equal(route("coarse", XT_SWAP_TIME, XT_FN_TIME), XT_SOURCE_COARSE);
	assert_int_equal(route("coarse", XT_SWAP_TIME, XT_FN_GETTIMEOFDAY), XT_SOURCE_LIBC);
	assert_int_equal(route("coarse+5ns", XT_SWAP_TIME, XT_FN_TIME), XT_SOURCE_COARSE | E);
	assert_int_equal(route("gettimeofday@hpet", XT_SWAP_TIME, XT_FN_TIME), XT_SOURCE_GETTIMEOFDAY | E);
	assert_int_equal(route("gettimeofday@tsc", XT_SWAP_TIME, XT_FN_TIME), XT_SOURCE_GETTIMEOFDAY);
	/* libc's time() is coarse: a slow clock source does not touch it. */
	assert_int_equal(route("libc@hpet", XT_SWAP_TIME | XT_SWAP_GETTIMEOFDAY, XT_FN_TIME), XT_SOURCE_LIBC);
	assert_int_equal(route("libc@hpet", XT_SWAP_TIME | XT_SWAP_GETTIMEOFDAY, XT_FN_GETTIMEOFDAY),
	                 XT_SOURCE_LIBC | E);
	assert_int_equal(route("coherent", XT_SWAP_TIME, XT_FN_GETTIMEOFDAY), XT_SOURCE_COHERENT);
	assert_int_equal(route("coherent@hpet", XT_SWAP_TIME, XT_FN_CLOCK_GETTIME), XT_SOURCE_COHERENT);
	assert_int_equal(route("coherent", XT_SWAP_GETTIMEOFDAY, XT_FN_TIME), XT_SOURCE_LIBC);
	assert_int_equal(route("coherent", XT_SWAP_TIME, XT_FN_MONOTONIC), XT_SOURCE_LIBC);
	assert_int_equal(route("realtime", XT_SWAP_GETTIMEOFDAY, XT_FN_FTIME), XT_SOURCE_REALTIME);
	assert_int_equal(route("realtime", XT_SWAP_CLOCK_GETTIME, XT_FN_TIMESPEC_GET), XT_SOURCE_REALTIME);
	assert_int_equal(route("realtime", XT_SWAP_CLOCK_GETTIME, XT_FN_MONOTONIC), XT_SOURCE_LIBC);
	assert_int_equal(route("realtime", XT_SWAP_MONOTONIC, XT_FN_MONOTONIC), XT_SOURCE_REALTIME);
	/* What a source cannot serve stays libc's, whatever was asked for. */
	assert_int_equal(route("syscall-time", XT_SWAP_GETTIMEOFDAY, XT_FN_GETTIMEOFDAY), XT_SOURCE_LIBC);
	assert_int_equal(route("constant", XT_SWAP_MONOTONIC, XT_FN_MONOTONIC), XT_SOURCE_LIBC);
	for (unsigned i = 0; i < XT_ROUTES; i++) {
		assert_non_null(xt_route_time(i));
		assert_non_null(xt_route_gettimeofday(i));
		assert_non_null(xt_route_clock_gettime(i));
	}
}

static int64_t wall_ns(clockid_t id)
{
	struct timespec t;

	clock_gettime(id, &t);
	return t.tv_sec * INT64_C(1000000000) + t.tv_nsec;
}

static void check_source(unsigned id, struct xt_clock_state *shared)
{
	const struct xt_arm arm = {.source = id};
	const int64_t slack = 50000000;
	int64_t now = wall_ns(CLOCK_REALTIME), got;
	struct timeval tv = {0, 0};
	struct timezone tz = {77, 77};
	struct timespec t;
	time_t stored = 0, sec;

	sec = xt_sources[id].time(&stored, &arm, shared);
	assert_int_equal(sec, stored);
	assert_true(sec >= now / 1000000000 - 1 && sec <= now / 1000000000 + 1);
	assert_true(xt_sources[id].time(NULL, &arm, shared) >= sec);
	if (!xt_sources[id].gettimeofday)
		return;
	assert_int_equal(xt_sources[id].gettimeofday(&tv, &tz, &arm, shared), 0);
	got = tv.tv_sec * INT64_C(1000000000) + tv.tv_usec * 1000;
	assert_true(llabs(got - now) < slack);
	assert_true(tv.tv_usec >= 0 && tv.tv_usec <= 999999);
	assert_int_equal(tz.tz_minuteswest, 0);
	assert_int_equal(tz.tz_dsttime, 0);
	assert_int_equal(xt_sources[id].gettimeofday(NULL, NULL, &arm, shared), 0);
	assert_int_equal(xt_sources[id].clock_gettime(CLOCK_REALTIME, &t, &arm, shared), 0);
	assert_true(llabs(t.tv_sec * INT64_C(1000000000) + t.tv_nsec - now) < slack);
	assert_int_equal(xt_sources[id].clock_gettime(CLOCK_MONOTONIC, &t, &arm, shared), 0);
	assert_true(llabs(t.tv_sec * INT64_C(1000000000) + t.tv_nsec - wall_ns(CLOCK_MONOTONIC)) < slack);
}

static void test_every_source_tells_the_time(void **state)
{
	(void)state;
	for (unsigned id = 0; id < XT_SOURCES; id++) {
		struct xt_clock_state shared = {0};
		struct timespec now;

		if (!xt_sources[id].name || id == XT_SOURCE_PLUGIN)
			continue;
		clock_gettime(CLOCK_REALTIME, &now);
		atomic_store(&shared.constant, xt_stamp_pack(now.tv_sec, now.tv_nsec));
		errno = 77;
		check_source(id, &shared);
		assert_int_equal(errno, 77);
		assert_int_equal(atomic_load(&shared.fallbacks), 0);
	}
}

static int fake_now_sec, fake_coarse_sec;

static int fake_clock_gettime(clockid_t id, struct timespec *t)
{
	t->tv_sec = id == CLOCK_REALTIME_COARSE ? fake_coarse_sec : fake_now_sec;
	t->tv_nsec = 5;
	return 0;
}

static int fake_gettimeofday(struct timeval *tv, void *tz)
{
	(void)tz;
	tv->tv_sec = fake_now_sec;
	tv->tv_usec = 5;
	return 0;
}

static time_t fake_coarse_time(time_t *out)
{
	(void)out;
	return fake_coarse_sec;
}

/* The rules of coherent, one by one, against clocks that the test sets. */
static void test_coherent_rules(void **state)
{
	struct xt_clock_env kept = xt_clock;
	struct xt_clock_state shared = {0};
	const struct xt_arm arm = {.source = XT_SOURCE_COHERENT};
	struct timeval tv;
	struct timespec t;

	(void)state;
	xt_clock.clock_gettime = fake_clock_gettime;
	xt_clock.gettimeofday = fake_gettimeofday;
	xt_clock.coarse_time = fake_coarse_time;

	/* Nobody has read a hi-res clock: the coarse second. */
	fake_now_sec = 1001;
	fake_coarse_sec = 1000;
	assert_int_equal(xt_coherent_time(NULL, &arm, &shared), 1000);
	assert_int_equal(atomic_load(&shared.sec), 0);
	/* gettimeofday() was seen: never behind it, though the tick still is. */
	assert_int_equal(xt_coherent_gettimeofday(&tv, NULL, &arm, &shared), 0);
	assert_int_equal(atomic_load(&shared.sec), 1001);
	assert_int_equal(xt_coherent_time(NULL, &arm, &shared), 1001);
	/* A tick that is several seconds late is no step back. */
	fake_now_sec = 1005;
	assert_int_equal(xt_coherent_clock_gettime(CLOCK_REALTIME, &t, &arm, &shared), 0);
	assert_int_equal(xt_coherent_time(NULL, &arm, &shared), 1005);
	assert_int_equal(atomic_load(&shared.sec), 1005);
	/* MONOTONIC's seconds raise nothing. */
	fake_now_sec = 9000;
	assert_int_equal(xt_coherent_clock_gettime(CLOCK_MONOTONIC, &t, &arm, &shared), 0);
	assert_int_equal(atomic_load(&shared.sec), 1005);
	/* The clock was stepped back: followed, and remembered. */
	fake_now_sec = 500;
	fake_coarse_sec = 500;
	assert_int_equal(xt_coherent_time(NULL, &arm, &shared), 500);
	assert_int_equal(atomic_load(&shared.sec), 500);
	/* And onwards. */
	fake_coarse_sec = 501;
	assert_int_equal(xt_coherent_time(NULL, &arm, &shared), 501);
	xt_clock = kept;
}

/* The least that reads of the arm cost, in ns: what a loaded machine cannot make smaller. */
static double least_ns(const struct xt_arm *arm, struct xt_clock_state *shared)
{
	double best = 1e18;

	for (int batch = 0; batch < 200; batch++) {
		int64_t start = wall_ns(CLOCK_MONOTONIC);

		for (int i = 0; i < 20; i++)
			xt_emulated_time(NULL, arm, shared);
		if ((double)(wall_ns(CLOCK_MONOTONIC) - start) / 20 < best)
			best = (double)(wall_ns(CLOCK_MONOTONIC) - start) / 20;
	}
	return best;
}

static void test_emulated_reads_take_their_time(void **state)
{
	struct xt_clock_state shared = {0};
	struct xt_arm arm = {.source = XT_SOURCE_GETTIMEOFDAY, .ns = 5000};
	double plain;

	(void)state;
	assert_in_range((uint64_t)least_ns(&arm, &shared), 4500, 6500);
	arm.serialised = 1;
	assert_in_range((uint64_t)least_ns(&arm, &shared), 4500, 6500);
	assert_true(atomic_load(&shared.busy_until) > 0);
	/* A leftover far in the future holds up nobody. */
	atomic_store(&shared.busy_until, xt_cycles() + xt_emulate_cycles(1000000000) * 100);
	assert_in_range((uint64_t)least_ns(&arm, &shared), 4500, 6500);
	/* Added on top of whatever the read costs; @ does not touch a coarse read. */
	arm = (struct xt_arm){.source = XT_SOURCE_COARSE};
	plain = least_ns(&arm, &shared);
	arm = (struct xt_arm){.source = XT_SOURCE_COARSE, .ns = 5000};
	assert_true(least_ns(&arm, &shared) < plain + 500);
	arm = (struct xt_arm){.source = XT_SOURCE_COARSE, .added_ns = 3000};
	assert_in_range((uint64_t)(least_ns(&arm, &shared) - plain), 2700, 4000);
}

/* A device serves a read for all of its time, so that readers in a queue are not served sooner than one alone. */
static void test_serialised_reads_keep_the_device(void **state)
{
	struct xt_clock_state shared = {0};
	struct xt_arm arm = {.source = XT_SOURCE_GETTIMEOFDAY, .ns = 5000, .serialised = 1};
	uint64_t start = xt_cycles(), span = xt_emulate_cycles(5000), slack = span / 1000; /* of another calibration */

	(void)state;
	xt_emulate_finish(start, &arm, &shared, true);
	assert_true(atomic_load(&shared.busy_until) - start + slack >= span);
	/* The next in the queue: after the first, and until it has had as long again. */
	xt_emulate_finish(start, &arm, &shared, true);
	assert_true(atomic_load(&shared.busy_until) - start + slack >= 2 * span);
	assert_true(xt_cycles() - start >= span * 19 / 10);
}

static void test_cycles_follow_the_clock(void **state)
{
	int64_t ns = wall_ns(CLOCK_MONOTONIC);
	uint64_t cycles = xt_cycles(), want;

	(void)state;
	while (wall_ns(CLOCK_MONOTONIC) - ns < 60000000)
		;
	want = xt_emulate_cycles((uint64_t)(wall_ns(CLOCK_MONOTONIC) - ns));
	cycles = xt_cycles() - cycles;
	assert_true(llabs((int64_t)(cycles - want)) < (int64_t)(cycles / 50));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_arms_round_trip),
		cmocka_unit_test(test_arms_content),
		cmocka_unit_test(test_arms_refused),
		cmocka_unit_test(test_texts_name_everything),
		cmocka_unit_test(test_fits),
		cmocka_unit_test(test_swap),
		cmocka_unit_test(test_routes),
		cmocka_unit_test(test_every_source_tells_the_time),
		cmocka_unit_test(test_coherent_rules),
		cmocka_unit_test(test_emulated_reads_take_their_time),
		cmocka_unit_test(test_serialised_reads_keep_the_device),
		cmocka_unit_test(test_cycles_follow_the_clock),
	};

	xt_clock_init(NULL);
	return cmocka_run_group_tests(tests, NULL, NULL);
}
