/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The probes. Children are forked, never threads: they may die of a signal, and a seccomp filter cannot be taken off.
 */
#include "lab/probe.h"

#include "base/mono.h"
#include "base/vdso.h"
#include "lab/libc.h"

#include <errno.h>
#include <inttypes.h>
#include <link.h>
#include <math.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

/* First [vvar...] mapping of this process, and whether all of them are without write permission. */
static int find_vvar(struct xt_vvar *out, volatile char **at, struct xt_err *err)
{
	char line[512];
	FILE *maps = fopen("/proc/self/maps", "re");

	if (!maps)
		return xt_err_failed(err, "/proc/self/maps: %s", strerror(errno));
	out->readonly = true;
	while (fgets(line, sizeof(line), maps)) {
		uintptr_t start;
		char perms[8];

		if (!strstr(line, "[vvar") || sscanf(line, "%" SCNxPTR "-%*x %7s", &start, perms) != 2)
			continue;
		if (!out->found)
			*at = (volatile char *)start; /* NOLINT: an address by contract */
		out->found = true;
		if (strchr(perms, 'w'))
			out->readonly = false;
	}
	fclose(maps);
	out->readonly = out->readonly && out->found;
	return 0;
}

/* In a child: death by signal shall be plain and leave no core file. */
static void expect_death(void)
{
	struct rlimit none = {0, 0};

	setrlimit(RLIMIT_CORE, &none);
	prctl(PR_SET_DUMPABLE, 0);
	signal(SIGSEGV, SIG_DFL);
	signal(SIGBUS, SIG_DFL);
}

int xt_lab_vvar(struct xt_vvar *out, struct xt_err *err)
{
	volatile char *at = NULL;
	int status = 0;
	pid_t pid;

	*out = (struct xt_vvar){0};
	if (find_vvar(out, &at, err))
		return -1;
	if (!out->found)
		return 0;
	pid = fork();
	if (pid < 0)
		return xt_err_failed(err, "cannot start a process: %s", strerror(errno));
	if (!pid) {
		expect_death();
		*at = 1;
		_exit(0);
	}
	while (waitpid(pid, &status, 0) < 0)
		if (errno != EINTR)
			return xt_err_failed(err, "cannot wait for a process: %s", strerror(errno));
	out->killed = WIFSIGNALED(status) && WTERMSIG(status) == SIGSEGV;
	return 0;
}

struct find_image {
	uintptr_t address;
	bool libc, vdso;
};

static int match_image(struct dl_phdr_info *info, size_t size, void *arg)
{
	struct find_image *find = arg;

	(void)size;
	for (int i = 0; i < info->dlpi_phnum; i++) {
		uintptr_t start = info->dlpi_addr + info->dlpi_phdr[i].p_vaddr;

		if (info->dlpi_phdr[i].p_type != PT_LOAD || find->address < start ||
		    find->address - start >= info->dlpi_phdr[i].p_memsz)
			continue;
		find->libc = strstr(info->dlpi_name, "libc.so") || strstr(info->dlpi_name, "/libc-");
		find->vdso = strstr(info->dlpi_name, "vdso") || strstr(info->dlpi_name, "linux-gate");
		return 1;
	}
	return 0;
}

static enum xt_leads_to leads_to(void *entry)
{
	struct find_image find = {.address = (uintptr_t)entry};

	if (entry == xt_vdso_symbol("__vdso_time") || entry == xt_vdso_symbol("__kernel_time"))
		return XT_LEADS_VDSO_TIME;
	dl_iterate_phdr(match_image, &find);
	if (find.vdso)
		return XT_LEADS_VDSO;
	return find.libc ? XT_LEADS_LIBC : XT_LEADS_ELSEWHERE;
}

/* Reads the fine clock, then entry, from before a boundary of the second until after it. */
static void watch_boundary(time_t (*entry)(time_t *), struct xt_libc_time *out)
{
	enum { BEFORE_NS = 2000000, AFTER_NS = 30000000 };
	uint64_t second = 1000000000u, wall = xt_wall_ns();
	uint64_t boundary = (wall / second + 1) * second;

	if (boundary - wall > BEFORE_NS)
		xt_mono_sleep_until(xt_mono_ns() + (boundary - wall) - BEFORE_NS);
	do {
		uint64_t claimed;

		wall = xt_wall_ns();
		claimed = ((uint64_t)entry(NULL) + 1) * second;
		if (wall >= claimed && wall - claimed > out->max_lag_ns)
			out->max_lag_ns = wall - claimed;
	} while (wall < boundary + AFTER_NS);
	out->boundaries++;
}

struct plain_time {
	time_t (*entry)(time_t *);
};

static void call_time(void *arg)
{
	volatile time_t sink = ((struct plain_time *)arg)->entry(NULL);

	(void)sink;
}

int xt_lab_libc_time(unsigned boundaries, struct xt_libc_time *out, struct xt_err *err)
{
	struct plain_time plain;
	void *entry = xt_libc_symbol("time");

	*out = (struct xt_libc_time){0};
	if (!entry)
		return xt_err_failed(err, "libc.so.6 has no time() to look at");
	memcpy(&plain.entry, &entry, sizeof(entry));
	out->leads_to = leads_to(entry);
	out->syscalls_per_call = xt_lab_count_syscalls(call_time, &plain, 1000);
	while (out->boundaries < boundaries && !out->max_lag_ns)
		watch_boundary(plain.entry, out);
	if (out->boundaries)
		out->second = out->max_lag_ns ? XT_SECOND_COARSE : XT_SECOND_FINE;
	return 0;
}
