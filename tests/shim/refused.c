/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Reads the clock 100 times by each function while a filter answers every such system call with an error: refused
 * [EPERM|ENOSYS]. Values must be right and errno untouched. CLOCK_MONOTONIC's coarse twin stays allowed: the test's own
 * ruler.
 */
#include <errno.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <time.h>
#include <unistd.h>

#ifndef SYS_time
#define SYS_time SYS_gettimeofday
#endif

static long long offset;

static long long ns(clockid_t id)
{
	struct timespec t = {0, 0};

	syscall(SYS_clock_gettime, id, &t);
	return t.tv_sec * 1000000000LL + t.tv_nsec;
}

static int wrong(long sec)
{
	long now = (long)((ns(CLOCK_MONOTONIC_COARSE) + offset) / 1000000000);

	return sec < now - 1 || sec > now + 1;
}

static int install(int error)
{
	struct sock_filter code[] = {
		BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, nr)),
		BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_time, 4, 0),
		BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_gettimeofday, 3, 0),
		BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_clock_gettime, 0, 3),
		BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, args[0])),
		BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, CLOCK_MONOTONIC_COARSE, 1, 0),
		BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | (unsigned)error),
		BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
	};
	struct sock_fprog program = {sizeof(code) / sizeof(code[0]), code};

	return prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) || prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program);
}

int main(int argc, char **argv)
{
	struct timeval tv = {0, 0};
	struct timespec t = {0, 0};
	int bad = 0;

	offset = ns(CLOCK_REALTIME) - ns(CLOCK_MONOTONIC_COARSE);
	if (install(argc > 1 && !strcmp(argv[1], "ENOSYS") ? ENOSYS : EPERM))
		return 77;
	errno = 77;
	for (int i = 0; i < 100; i++) {
		bad |= wrong(time(NULL));
		bad |= gettimeofday(&tv, NULL) || wrong(tv.tv_sec);
		bad |= clock_gettime(CLOCK_REALTIME, &t) || wrong(t.tv_sec);
	}
	if (errno != 77)
		printf("errno became %d\n", errno);
	return bad || errno != 77;
}
