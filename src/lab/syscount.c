/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Counts the clock system calls of a function. A child asks the kernel to trap them (seccomp) and counts the traps in
 * its signal handler; the result goes up through a shared page. What the function returns there is of no interest:
 * a trapped call is not carried out.
 */
#include "lab/probe.h"

#include <errno.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <math.h>
#include <signal.h>
#include <stddef.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

struct tally {
	volatile uint64_t traps;
	volatile int done;
};

/* Where the child's handler counts: a handler takes no argument of ours. */
static struct tally *tally;

static void count_trap(int sig)
{
	(void)sig;
	tally->traps++;
}

static int set_trap(void)
{
#define TRAP(nr) BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, (nr), 0, 1), BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_TRAP)
	struct sock_filter code[] = {
		BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, nr)),
#ifdef SYS_time
		TRAP(SYS_time),
#endif
#ifdef SYS_clock_gettime64
		TRAP(SYS_clock_gettime64),
#endif
#ifdef SYS_clock_getres_time64
		TRAP(SYS_clock_getres_time64),
#endif
		TRAP(SYS_gettimeofday),
		TRAP(SYS_clock_gettime),
		TRAP(SYS_clock_getres),
		TRAP(SYS_getcpu),
		BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
	};
#undef TRAP
	struct sock_fprog program = {sizeof(code) / sizeof(code[0]), code};
	struct sigaction on_trap = {.sa_handler = count_trap};

	if (sigaction(SIGSYS, &on_trap, NULL) || prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0))
		return -1;
	return prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program);
}

double xt_lab_count_syscalls(void (*fn)(void *), void *arg, unsigned calls)
{
	struct tally *shared = mmap(NULL, sizeof(*shared), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	double per_call = NAN;
	pid_t pid;

	if (shared == MAP_FAILED)
		return NAN;
	pid = fork();
	if (!pid) {
		tally = shared;
		if (set_trap())
			_exit(1);
		for (unsigned i = 0; i < calls; i++)
			fn(arg);
		shared->done = 1;
		_exit(0);
	}
	if (pid > 0) {
		while (waitpid(pid, NULL, 0) < 0 && errno == EINTR)
			;
		if (shared->done)
			per_call = (double)shared->traps / calls;
	}
	munmap(shared, sizeof(*shared));
	return per_call;
}
