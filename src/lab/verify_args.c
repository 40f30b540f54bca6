/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The argument checks: a matrix of odd arguments, each tried in a child process of its own, and what each path may do
 * with them. A system call answers EFAULT or EINVAL; vDSO and libc run in user space and may also be ended by SIGSEGV;
 * nobody may write where nothing may be written, or hang.
 */
#include "lab/verify.h"

#include "lab/reap.h"

#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

/* What a child's end can say, as a set. */
enum outcome {
	OK = 1,
	FAULT = 2,    /* EFAULT */
	INVALID = 4,  /* EINVAL */
	DIED = 8,     /* SIGSEGV or SIGBUS */
	REFUSED = 16, /* EPERM or ENOSYS: a seccomp filter */
	OTHER = 32,
	HUNG = 64,
};

#define PATIENCE_NS UINT64_C(5000000000)

enum pointer { VALID, NONE, UNALIGNED, UNMAPPED, NO_ACCESS, READ_ONLY, POINTERS };

static const char *const pointer_names[POINTERS] = {
	"a valid pointer",     "NULL", "an unaligned pointer", "an unmapped pointer", "a pointer without access",
	"a read-only pointer",
};

/* The pages that pointers lead to. */
struct pages {
	char *unmapped, *no_access, *read_only, *valid;
	size_t size;
};

static int make_pages(struct pages *p, struct xt_err *err)
{
	char *at;

	p->size = (size_t)sysconf(_SC_PAGESIZE);
	at = mmap(NULL, 4 * p->size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	if (at == MAP_FAILED)
		return xt_err_failed(err, "cannot map four pages: %s", strerror(errno));
	p->valid = at;
	p->read_only = at + p->size;
	p->no_access = at + 2 * p->size;
	p->unmapped = at + 3 * p->size;
	if (mprotect(p->read_only, p->size, PROT_READ) || mprotect(p->no_access, p->size, PROT_NONE))
		return xt_err_failed(err, "cannot protect pages: %s", strerror(errno));
	return 0;
}

static void *pointer_of(const struct pages *p, enum pointer which)
{
	switch (which) {
	case VALID:
		return p->valid;
	case UNALIGNED:
		return p->valid + 3;
	case UNMAPPED:
		return p->unmapped;
	case NO_ACCESS:
		return p->no_access;
	case READ_ONLY:
		return p->read_only;
	default:
		return NULL;
	}
}

enum kind { KIND_GETTIME, KIND_GETRES, KIND_GETTIMEOFDAY, KIND_TIME, KIND_GETCPU, KIND_OTHER };

static enum kind kind_of(const struct xt_call *call)
{
	if (!strncmp(call->name, "clock-gettime", 13))
		return KIND_GETTIME;
	if (!strncmp(call->name, "clock-getres", 12))
		return KIND_GETRES;
	if (!strcmp(call->name, "gettimeofday"))
		return KIND_GETTIMEOFDAY;
	if (!strcmp(call->name, "time"))
		return KIND_TIME;
	return strcmp(call->name, "getcpu") ? KIND_OTHER : KIND_GETCPU;
}

/* One try: pointers by argument, and the clock id where there is one. */
struct attempt {
	enum pointer first, second; /* second: gettimeofday's zone, getcpu's node */
	clockid_t id;
	bool bad_id;
};

static long by_syscall(enum kind kind, clockid_t id, void *a, void *b)
{
	switch (kind) {
	case KIND_GETTIME:
		return syscall(SYS_clock_gettime, id, a);
	case KIND_GETRES:
		return syscall(SYS_clock_getres, id, a);
	case KIND_GETTIMEOFDAY:
		return syscall(SYS_gettimeofday, a, b);
	case KIND_GETCPU:
		return syscall(SYS_getcpu, a, b, NULL);
	default:
#ifdef SYS_time
		return syscall(SYS_time, a);
#else
		return -1;
#endif
	}
}

static long by_function(const struct xt_call *call, enum kind kind, clockid_t id, void *a, void *b)
{

	switch (kind) {
	case KIND_GETTIME:
		return call->op ? call->fn.op_clock(id, a, call->arm, call->state) : call->fn.clock(id, a);
	case KIND_GETRES:
		return call->fn.clock(id, a);
	case KIND_GETTIMEOFDAY:
		return call->op ? call->fn.op_gettimeofday(a, b, call->arm, call->state) : call->fn.gettimeofday(a, b);
	case KIND_GETCPU:
		return call->path == XT_PATH_VDSO ? call->fn.getcpu_vdso(a, b, NULL) : call->fn.getcpu_libc(a, b);
	default:
		return (long)(call->op ? call->fn.op_time(a, call->arm, call->state) : call->fn.time(a));
	}
}

/* In the child: the call, and its outcome as exit status. The vDSO answers -errno, the others -1 and errno. */
static void try_in_child(const struct xt_call *call, const struct attempt *attempt, const struct pages *pages)
{
	struct rlimit none = {0, 0};
	enum kind kind = kind_of(call);
	void *a = pointer_of(pages, attempt->first), *b = pointer_of(pages, attempt->second);
	long rc;

	setrlimit(RLIMIT_CORE, &none);
	prctl(PR_SET_PDEATHSIG, SIGKILL);
	signal(SIGSEGV, SIG_DFL);
	signal(SIGBUS, SIG_DFL);
	munmap(pages->unmapped, pages->size);
	errno = 0;
	rc = call->path == XT_PATH_SYSCALL ? by_syscall(kind, attempt->id, a, b)
	                                   : by_function(call, kind, attempt->id, a, b);
	if (rc == -1 && errno)
		rc = -errno;
	if (rc == -EFAULT)
		_exit(FAULT);
	if (rc == -EINVAL)
		_exit(INVALID);
	if (rc == -EPERM || rc == -ENOSYS)
		_exit(REFUSED);
	_exit(rc == 0 || (kind == KIND_TIME && rc > 0) ? OK : OTHER);
}

static enum outcome try_once(const struct xt_call *call, const struct attempt *attempt, const struct pages *pages)
{
	int status;
	pid_t pid = fork();

	if (!pid)
		try_in_child(call, attempt, pages);
	if (pid < 0)
		return OTHER;
	if (!xt_reap(pid, PATIENCE_NS, &status))
		return HUNG;
	if (WIFSIGNALED(status))
		return WTERMSIG(status) == SIGSEGV || WTERMSIG(status) == SIGBUS ? DIED : OTHER;
	return (enum outcome)WEXITSTATUS(status);
}

/* What may come of a pointer: NULL is an answer of its own to several calls. */
static unsigned allowed_of(const struct xt_call *call, enum kind kind, const struct attempt *attempt)
{
	unsigned bad = call->path == XT_PATH_SYSCALL ? FAULT : FAULT | DIED;
	bool first_bad = attempt->first >= UNMAPPED, second_bad = attempt->second >= UNMAPPED;

	if (attempt->bad_id)
		return INVALID | REFUSED;
	if (first_bad || second_bad)
		/* libc's gettimeofday() may fill the zone itself, or leave it to the kernel. */
		return bad;
	if (attempt->first == NONE && kind == KIND_GETTIME)
		return bad;
	/* glibc's gettimeofday() writes to tv without a look at it. */
	if (attempt->first == NONE && kind == KIND_GETTIMEOFDAY && call->path != XT_PATH_SYSCALL)
		return OK | bad;
	return OK;
}

static const char *outcome_name(enum outcome outcome)
{
	switch (outcome) {
	case OK:
		return "success";
	case FAULT:
		return "EFAULT";
	case INVALID:
		return "EINVAL";
	case DIED:
		return "death by SIGSEGV";
	case REFUSED:
		return "EPERM or ENOSYS";
	case HUNG:
		return "does not come back";
	case OTHER:
		break;
	}
	return "something else";
}

static void judge(const struct xt_call *call, const struct attempt *attempt, const struct pages *pages,
                  struct xt_check *check)
{
	enum kind kind = kind_of(call);
	unsigned allowed = allowed_of(call, kind, attempt);
	enum outcome outcome = try_once(call, attempt, pages);

	check->tried++;
	check->hung = check->hung || outcome == HUNG;
	if (outcome & allowed)
		return;
	if (check->failures++)
		return;
	if (attempt->bad_id)
		snprintf(check->detail, sizeof(check->detail), "clock id %d: %s, not EINVAL", (int)attempt->id,
		         outcome_name(outcome));
	else if (kind == KIND_GETTIMEOFDAY || kind == KIND_GETCPU)
		snprintf(check->detail, sizeof(check->detail), "%s and %s: %s", pointer_names[attempt->first],
		         pointer_names[attempt->second], outcome_name(outcome));
	else
		snprintf(check->detail, sizeof(check->detail), "%s: %s", pointer_names[attempt->first],
		         outcome_name(outcome));
}

int xt_verify_arguments(const struct xt_call *call, struct xt_checks *out, struct xt_err *err)
{
	static const clockid_t bad_ids[] = {9999, 12, 31};
	enum kind kind = kind_of(call);
	bool two = kind == KIND_GETTIMEOFDAY || kind == KIND_GETCPU;
	struct xt_check *check;
	struct pages pages;

	if (kind == KIND_OTHER)
		return 0;
	if (make_pages(&pages, err))
		return -1;
	check = xt_checks_add(out, call, "arguments");
	for (int first = 0; check && first < POINTERS; first++)
		for (int second = 0; second < (two ? POINTERS : 1); second++) {
			struct attempt attempt = {(enum pointer)first, (enum pointer)second, call->id, false};

			if (!check->hung)
				judge(call, &attempt, &pages, check);
		}
	/* A source's clock op is only ever called with an id that it has. */
	for (size_t i = 0; check && !call->op && i < sizeof(bad_ids) / sizeof(bad_ids[0]); i++) {
		struct attempt attempt = {VALID, VALID, bad_ids[i], true};

		if (kind == KIND_GETTIME || kind == KIND_GETRES)
			judge(call, &attempt, &pages, check);
	}
	munmap(pages.valid, 4 * pages.size);
	return check ? 0 : xt_err_failed(err, "out of memory");
}
