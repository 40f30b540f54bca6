/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The measurements around file stamps.
 */
#include "lab/stamps.h"

#include "base/mono.h"
#include "base/vdso.h"
#include "lab/coherence.h"
#include "lab/rows.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <linux/magic.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/statfs.h>
#include <sys/syscall.h>
#include <unistd.h>

static const struct {
	long magic;
	const char *name;
	bool local;
} filesystems[] = {
	{TMPFS_MAGIC, "tmpfs", true},     {EXT4_SUPER_MAGIC, "ext4", true},
	{XFS_SUPER_MAGIC, "xfs", true},   {BTRFS_SUPER_MAGIC, "btrfs", true},
	{F2FS_SUPER_MAGIC, "f2fs", true}, {OVERLAYFS_SUPER_MAGIC, "overlayfs", true},
	{NFS_SUPER_MAGIC, "nfs", false},  {V9FS_MAGIC, "9p", false},
	{0x65735546, "fuse", false},      {0x2fc12fc1, "zfs", true},
};

static void name_filesystem(int fd, struct xt_stamps *out)
{
	struct statfs fs;

	snprintf(out->filesystem, sizeof(out->filesystem), "unknown");
	if (fstatfs(fd, &fs))
		return;
	for (size_t i = 0; i < sizeof(filesystems) / sizeof(filesystems[0]); i++)
		if ((unsigned long)fs.f_type == (unsigned long)filesystems[i].magic) {
			snprintf(out->filesystem, sizeof(out->filesystem), "%s", filesystems[i].name);
			out->local = filesystems[i].local;
		}
}

/* An unnamed file; where the file system cannot make one, a named one whose name is taken away at once. */
static int make_file(const char *folder, struct xt_err *err)
{
	char path[PATH_MAX];
	int fd;

	if (!folder) {
		fd = xt_tmpfs_file();
		return fd >= 0 ? fd : xt_err_failed(err, "no tmpfs to write to: %s", strerror(errno));
	}
	fd = open(folder, O_TMPFILE | O_RDWR | O_CLOEXEC, 0600);
	if (fd >= 0)
		return fd;
	if (snprintf(path, sizeof(path), "%s/xtime-stamps-XXXXXX", folder) >= (int)sizeof(path))
		return xt_err_usage(err, "%s: the path is too long", folder);
	fd = mkostemp(path, O_CLOEXEC);
	if (fd < 0)
		return xt_err_usage(err, "%s: cannot make a file there: %s", folder, strerror(errno));
	unlink(path);
	return fd;
}

static int time_calls(int fd, uint64_t duration_ns, uint64_t seed, struct xt_stamps *out, struct xt_err *err)
{
	const struct xt_call calls[] = {
		{.name = "pwrite", .path = XT_PATH_NONE, .batch = xt_batch_pwrite, .fd = fd, .available = true},
		{.name = "fstat", .path = XT_PATH_NONE, .batch = xt_batch_fstat, .fd = fd, .available = true},
		{.name = "both", .path = XT_PATH_NONE, .batch = xt_batch_pwrite_fstat, .fd = fd, .available = true},
	};
	struct xt_bench_setup setup = {.duration_ns = duration_ns, .threads = 1, .seed = seed};
	struct xt_timing timing[3];

	if (xt_bench_run(calls, 3, &setup, timing, err))
		return -1;
	out->pwrite = timing[0];
	out->fstat = timing[1];
	out->both = timing[2];
	out->surcharge_ns = out->both.ns - out->pwrite.ns - out->fstat.ns;
	out->surcharge_percent = 100 * out->surcharge_ns / out->pwrite.ns;
	return 0;
}

static uint64_t read_coarse(void)
{
	struct timespec ts = {0, 0};

	syscall(SYS_clock_gettime, CLOCK_REALTIME_COARSE, &ts);
	return (uint64_t)ts.tv_sec * 1000000000u + (uint64_t)ts.tv_nsec;
}

/* Fine reading, write, stat, again and again: what stamps come of it. */
static int watch_stamps(int fd, uint64_t duration_ns, struct xt_stamps *out, struct xt_err *err)
{
	uint64_t start = xt_mono_ns(), last = 0, elapsed;
	uint64_t tick = xt_coarse_tick_ns();
	struct stat st;

	do {
		uint64_t coarse = read_coarse(), before = xt_wall_ns(), stamp;

		if (pwrite(fd, "x", 1, 0) != 1 || fstat(fd, &st))
			return xt_err_failed(err, "cannot write one byte: %s", strerror(errno));
		stamp = (uint64_t)st.st_mtim.tv_sec * 1000000000u + (uint64_t)st.st_mtim.tv_nsec;
		out->writes++;
		if (stamp < last)
			out->backward++;
		if (stamp + tick < coarse)
			out->wrong++;
		if (stamp != last)
			out->distinct++;
		last = stamp;
		if (stamp < before) {
			out->older++;
			if (before - stamp > out->max_lag_ns)
				out->max_lag_ns = before - stamp;
		}
		elapsed = xt_mono_ns() - start;
	} while (elapsed < duration_ns);
	out->ticks = tick ? (double)elapsed / (double)tick : NAN;
	return 0;
}

bool xt_stamps_multigrain(const struct xt_stamps *stamps)
{
	return (double)stamps->distinct > 2 * stamps->ticks + 2;
}

int xt_stamps_measure(const char *folder, uint64_t duration_ns, uint64_t seed, struct xt_stamps *out,
                      struct xt_err *err)
{
	int fd = make_file(folder, err);
	int rc;

	*out = (struct xt_stamps){0};
	if (fd < 0)
		return -1;
	name_filesystem(fd, out);
	rc = watch_stamps(fd, duration_ns / 4, out, err) || time_calls(fd, duration_ns / 4 * 3, seed, out, err);
	close(fd);
	return rc ? -1 : 0;
}

unsigned xt_trailing_zeros(long nsec)
{
	unsigned zeros = 0;

	if (!nsec)
		return 9;
	for (; nsec % 10 == 0; nsec /= 10)
		zeros++;
	return zeros;
}

static int compare(const void *a, const void *b)
{
	double x = *(const double *)a, y = *(const double *)b;

	return (x > y) - (x < y);
}

double xt_coarse_rate(double *step_ns, size_t n)
{
	double sum = 0;
	size_t used = 0;

	if (n < 3)
		return NAN;
	qsort(step_ns, n, sizeof(*step_ns), compare);
	while (used < n && step_ns[used] <= 1.5 * step_ns[0])
		sum += step_ns[used++];
	return 1e9 * (double)used / sum;
}

void xt_coarse_watch(uint64_t duration_ns, struct xt_coarse_steps *out)
{
	enum { MAX_STEPS = 4096 };
	int (*read_clock)(clockid_t, struct timespec *);
	uint64_t start = xt_mono_ns(), before = 0;
	double step[MAX_STEPS];
	struct xt_vdso vdso;
	size_t n = 0;

	xt_vdso_lookup(&vdso);
	read_clock = vdso.clock_gettime ? vdso.clock_gettime : clock_gettime;
	*out = (struct xt_coarse_steps){.hz = 1e9 / (double)xt_coarse_tick_ns(), .min_zeros = 9};
	while (xt_mono_ns() - start < duration_ns && n < MAX_STEPS) {
		uint64_t fine = xt_wall_ns(), coarse;
		struct timespec ts = {0, 0};

		read_clock(CLOCK_REALTIME_COARSE, &ts);
		coarse = (uint64_t)ts.tv_sec * 1000000000u + (uint64_t)ts.tv_nsec;
		if (fine > coarse && fine - coarse > out->max_lag_ns)
			out->max_lag_ns = fine - coarse;
		if (coarse == before)
			continue;
		if (xt_trailing_zeros(ts.tv_nsec) < out->min_zeros)
			out->min_zeros = xt_trailing_zeros(ts.tv_nsec);
		if (before && coarse > before)
			step[n++] = (double)(coarse - before);
		before = coarse;
	}
	out->steps = (unsigned)n;
	out->per_second = xt_coarse_rate(step, n);
}
