/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Puts the rows together, has them timed, and counts their system calls.
 */
#include "lab/clocks.h"

#include "base/align.h"
#include "base/mono.h"
#include "clock/env.h"
#include "clock/ready.h"
#include "clock/source.h"
#include "lab/libc.h"
#include "lab/probe.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

/* The sources of this program's own copy of src/clock read libc itself, not what a preload puts before it. */
static void init_sources(void)
{
	static const char *const names[3] = {"time", "gettimeofday", "clock_gettime"};
	struct xt_clock_libc libc;
	void *found[3];

	for (int i = 0; i < 3; i++)
		found[i] = xt_libc_symbol(names[i]);
	memcpy(&libc.time, &found[0], sizeof(found[0]));
	memcpy(&libc.gettimeofday, &found[1], sizeof(found[1]));
	memcpy(&libc.clock_gettime, &found[2], sizeof(found[2]));
	xt_clock_init(&libc);
}

static int add_sources(struct xt_clocks *clocks, struct xt_err *err)
{
	struct xt_clock_state *state = clocks->state = xt_aligned_calloc(1, sizeof(*clocks->state));
	uint64_t now = xt_wall_ns();

	if (!state)
		return xt_err_failed(err, "out of memory");
	/* As a flip to `constant` sets it. */
	atomic_store(&state->constant, xt_stamp_pack((int64_t)(now / 1000000000u), (long)(now % 1000000000u)));
	clocks->refresher = xt_refresher_start(state);
	for (unsigned id = 0; id < XT_SOURCES; id++) {
		if (id == XT_SOURCE_PLUGIN || !xt_source_available(id))
			continue;
		clocks->arms[id] = (struct xt_arm){.source = id};
		/* The counter may be unfit, a clock of its own without need to be here. */
		if (xt_arm_ready(&(struct xt_ready){.arm = &clocks->arms[id], .swap = XT_SWAP_TIME}))
			continue;
		if (xt_rows_arm(&clocks->calls, xt_sources[id].name, &clocks->arms[id], state, err))
			return -1;
	}
	return 0;
}

bool xt_clocks_refused(void)
{
	struct timespec ts;

	return syscall(SYS_clock_gettime, CLOCK_REALTIME, &ts) && (errno == EPERM || errno == ENOSYS);
}

int xt_clocks_rows(const struct xt_clocks_setup *setup, int fd, struct xt_clocks *out, struct xt_err *err)
{
	init_sources();
	*out = (struct xt_clocks){
		.threads = setup->bench.threads,
		.counter_hz = xt_counter_hz(),
		.refused = xt_clocks_refused(),
		.wrong = setup->wrong,
	};
	if (xt_rows_clocks(&out->calls, err) || (setup->sources && add_sources(out, err)))
		return -1;
	if (setup->arm && xt_rows_linked(&out->calls, setup->arm_text, setup->arm, setup->swap, err))
		return -1;
	return xt_rows_yardsticks(&out->calls, fd, out->counter_hz, err);
}

static void call_once(void *arg)
{
	const struct xt_call *call = arg;

	call->batch(call, 1);
}

static void count_entries(struct xt_clocks *clocks)
{
	enum { CALLS = 100 };

	for (size_t i = 0; i < clocks->calls.n; i++) {
		struct xt_call *call = &clocks->calls.v[i];

		clocks->entries[i] = NAN;
		if (call->available && (call->path == XT_PATH_VDSO || call->path == XT_PATH_LIBC))
			clocks->entries[i] = xt_lab_count_syscalls(call_once, call, CALLS);
	}
}

const struct xt_call *xt_clocks_find(const struct xt_clocks *clocks, const char *name, enum xt_path path,
                                     const char *source)
{
	for (size_t i = 0; i < clocks->calls.n; i++) {
		const struct xt_call *call = &clocks->calls.v[i];

		if (call->path == path && !strcmp(call->name, name) && !strcmp(call->source, source))
			return call;
	}
	return NULL;
}

static int measure(const struct xt_clocks_setup *setup, struct xt_clocks *out, struct xt_err *err)
{
	const struct xt_call *empty;

	out->timing = calloc(out->calls.n, sizeof(*out->timing));
	out->entries = calloc(out->calls.n, sizeof(*out->entries));
	if (!out->timing || !out->entries)
		return xt_err_failed(err, "out of memory");
	count_entries(out);
	if (xt_bench_run(out->calls.v, out->calls.n, &setup->bench, out->timing, err))
		return -1;
	empty = xt_clocks_find(out, "empty", XT_PATH_NONE, "");
	out->empty_ns = empty ? out->timing[empty - out->calls.v].ns : NAN;
	return 0;
}

int xt_clocks_measure(const struct xt_clocks_setup *setup, struct xt_clocks *out, struct xt_err *err)
{
	int fd = xt_tmpfs_file();
	int rc;

	rc = xt_clocks_rows(setup, fd, out, err) || measure(setup, out, err);
	if (fd >= 0)
		close(fd);
	return rc ? -1 : 0;
}

void xt_clocks_free(struct xt_clocks *clocks)
{
	free(clocks->calls.v);
	free(clocks->timing);
	free(clocks->entries);
	xt_refresher_stop(clocks->refresher);
	free(clocks->state);
	*clocks = (struct xt_clocks){0};
}
