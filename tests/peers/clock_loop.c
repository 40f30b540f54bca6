/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The four lines of the 2018 mail from a plain loop that shares no code with xtime: `clocks --format=lkml2018` is held
 * against it. ns per call, loop included, median of short loops in turn over SECONDS (first argument, default 1).
 */
#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif
#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

enum { LOOPS = 4096, CALLS = 2000 };

static int (*vdso)(clockid_t, struct timespec *);

static double now_ns(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC_RAW, &t);
	return (double)t.tv_sec * 1e9 + (double)t.tv_nsec;
}

static double loop(int by_syscall, clockid_t id)
{
	struct timespec t;
	double start = now_ns();

	for (int i = 0; i < CALLS; i++) {
		if (by_syscall)
			syscall(SYS_clock_gettime, id, &t);
		else
			vdso(id, &t);
		__asm__ volatile("" ::: "memory");
	}
	return (now_ns() - start) / CALLS;
}

static int compare(const void *a, const void *b)
{
	double x = *(const double *)a, y = *(const double *)b;

	return (x > y) - (x < y);
}

int main(int argc, char **argv)
{
	static const char *const heads[4] = {"vdso hires:  ", "vdso coarse: ", "sysc hires:  ", "sysc coarse: "};
	void *image = dlopen("linux-vdso.so.1", RTLD_LAZY | RTLD_NOLOAD);
	void *entry = image ? dlsym(image, "__vdso_clock_gettime") : NULL;
	static double ns[4][LOOPS];
	double end = now_ns() + (argc > 1 ? atof(argv[1]) : 1) * 1e9;
	int loops = 0;

	if (!entry)
		return 77;
	*(void **)&vdso = entry;
	for (; loops < LOOPS && (loops < 25 || now_ns() < end); loops++)
		for (int row = 0; row < 4; row++)
			ns[row][loops] = loop(row / 2, row % 2 ? CLOCK_REALTIME_COARSE : CLOCK_REALTIME);
	for (int row = 0; row < 4; row++) {
		qsort(ns[row], (size_t)loops, sizeof(double), compare);
		printf("%s   %7.2fns\n", heads[row], ns[row][loops / 2]);
	}
	return 0;
}
