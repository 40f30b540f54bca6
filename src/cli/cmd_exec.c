/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * xtime exec: any program under the shim. Without --count the program takes this process over, so that pid, signals
 * and exit status are its own; with it we stay as its parent and report what was counted.
 */
#include "config.h"

#include "base/log.h"
#include "cli/cmd_exec.h"
#include "cli/commands.h"
#include "cli/exec_child.h"
#include "cli/exec_counts.h"
#include "cli/exec_program.h"
#include "cli/self.h"
#include "clock/ready.h"
#include "record/record.h"
#include "shim/page.h"
#include "shim/ticker.h"

#include <errno.h>
#include <inttypes.h>
#include <limits.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

struct options {
	const char *impl;
	const char *swap;
	const char *count; /* NULL: do not; "": a table */
	const char *page;
	bool require_shim;
};

static const struct xt_arg args[] = {
	{.name = "impl",
         .type = XT_ARG_TEXT,
         .offset = offsetof(struct options, impl),
         .def = "libc",
         .values = "ARM",
         .help = "SOURCE[@CLOCKSOURCE][+ADDEDns] that answers the swapped functions"},
	{.name = "swap",
         .type = XT_ARG_TEXT,
         .offset = offsetof(struct options, swap),
         .def = "time",
         .values = "LIST",
         .help = "functions to replace: time, gettimeofday, clock_gettime, monotonic"},
	{.name = "count",
         .type = XT_ARG_OPTIONAL_TEXT,
         .offset = offsetof(struct options, count),
         .values = "FILE",
         .help = "count calls per process: a table on stderr, or JSON in FILE"},
	{.name = "page",
         .type = XT_ARG_TEXT,
         .offset = offsetof(struct options, page),
         .values = "FILE",
         .help = "make FILE the control page, for ab --page=FILE to flip"},
	{.name = "require-shim",
         .type = XT_ARG_FLAG,
         .offset = offsetof(struct options, require_shim),
         .help = "refuse to run a program in which the shim cannot act"},
};

const struct xt_arg_table xt_exec_table = {"exec options", args, sizeof(args) / sizeof(args[0])};

/* Everything that is known before the program runs. */
struct job {
	struct options options;
	struct xt_arm arm;
	unsigned swap;
	char plugin[PATH_MAX];
	char arm_text[PATH_MAX + 64];
	char swap_text[64];
	char shim[PATH_MAX];
	char program[PATH_MAX];
	char **argv;
	struct xt_page *page;
	int page_fd;
};

static int read_arm(struct job *job, struct xt_err *err)
{
	const char *impl = job->options.impl, *swap = job->options.swap;
	struct xt_ready ready;
	enum xt_arm_bad bad = xt_arm_parse(impl, strlen(impl), &job->arm, job->plugin, sizeof(job->plugin));
	size_t at = 0;

	if (bad)
		return xt_err_usage(err, "--impl=%s %s", impl, xt_arm_bad_text(bad));
	if (xt_swap_parse(swap, strlen(swap), &job->swap, &at))
		return xt_err_usage(err,
		                    "--swap=%s: '%.*s' is no function that can be swapped; allowed: time, "
		                    "gettimeofday, clock_gettime, monotonic",
		                    swap, (int)strcspn(swap + at, ","), swap + at);
	ready = (struct xt_ready){&job->arm, job->swap, job->plugin, sizeof(job->plugin), ""};
	if (xt_arm_ready(&ready))
		return xt_err_usage(err, "--impl=%s %s", impl, ready.reason);
	xt_arm_format(&job->arm, job->plugin, job->arm_text, sizeof(job->arm_text));
	xt_swap_format(job->swap, job->swap_text, sizeof(job->swap_text));
	return 0;
}

/* 0, 1 (--require-shim), or 126 or 127. */
static int check_program(struct job *job, struct xt_err *err)
{
	int status = xt_exec_find(job->argv[0], job->program, sizeof(job->program), err);
	const char *obstacle;

	if (status) {
		xt_log_error("%s", err->text);
		return status;
	}
	obstacle = xt_exec_obstacle(job->program);
	if (obstacle && job->options.require_shim) {
		xt_log_error("%s %s: the shim cannot act in it", job->program, obstacle);
		return 1;
	}
	if (obstacle)
		xt_log_warning("%s %s: the shim is not active in it, its clock stays as it is", job->program, obstacle);
	if (job->arm.source == XT_SOURCE_CONSTANT)
		xt_log_warning("--impl=constant is a frozen clock: a program that waits for it to move never ends");
	return 0;
}

/* A limit of file sizes is an error; the program is to meet it as if it were alone. */
static int create_page(struct job *job)
{
	void (*old)(int) = signal(SIGXFSZ, SIG_IGN);
	int rc = xt_page_create(&job->page, &job->page_fd, job->options.page), reason = errno;

	signal(SIGXFSZ, old);
	errno = reason;
	return rc;
}

static int make_page(struct job *job, struct xt_err *err)
{
	const char *path = job->options.page;

	if (create_page(job)) {
		if (path)
			return xt_err_usage(err, "--page=%s: cannot make the file: %s", path, strerror(errno));
		return xt_err_failed(err, "cannot make the control page: %s", strerror(errno));
	}
	/* A page in a file is whoever's opens it; nobody's restart may take it for its own. */
	if (path)
		xt_page_set_owner(job->page, 0);
	xt_page_set_swap(job->page, job->swap);
	if (xt_page_set_arm(job->page, 0, &job->arm, job->plugin))
		return xt_err_usage(err, "--impl=%s: %s", job->options.impl, strerror(errno));
	xt_page_flip(job->page, 0, 0);
	return 0;
}

static int set_environment(const struct job *job, struct xt_err *err)
{
	char *preload = xt_self_preload(job->shim), text[64] = "";
	int bad;

	if (job->page)
		xt_page_env_format(job->page_fd, text, sizeof(text));
	bad = !preload || setenv("LD_PRELOAD", preload, 1) || setenv("XTIME_IMPL", job->arm_text, 1) ||
	      setenv("XTIME_SWAP", job->swap_text, 1) ||
	      (job->page ? setenv("XTIME_PAGE", text, 1) : unsetenv("XTIME_PAGE"));
	free(preload);
	return bad ? xt_err_failed(err, "out of memory") : 0;
}

static int could_not_start(const struct job *job, int reason)
{
	xt_log_error("cannot run '%s': %s", job->program, strerror(reason));
	return reason == ENOENT ? XT_EXEC_NOT_FOUND : XT_EXEC_CANNOT;
}

/* The arm for people: what is emulated is said to be. */
static void describe_arm(const struct job *job, char *buf, size_t cap)
{
	const struct xt_arm *arm = &job->arm;
	int len = snprintf(buf, cap, "%s", job->arm_text);

	if (len < 0 || (size_t)len >= cap)
		return;
	if (arm->ns)
		snprintf(buf + len, cap - (size_t)len, " (emulated: %" PRIu64 " ns a hi-res read)", arm->ns);
	else if (arm->added_ns)
		snprintf(buf + len, cap - (size_t)len, " (emulated: %" PRIu64 " ns added)", arm->added_ns);
	else if (arm->source == XT_SOURCE_CACHED)
		snprintf(buf + len, cap - (size_t)len, " (at most %" PRIu64 " ms old)",
		         xt_ticker_staleness_ns() / 1000000);
}

static int report(const struct job *job, const struct xt_exec_end *end, struct xt_err *err)
{
	struct xt_exec_counts counts;
	char arm[PATH_MAX + 128];
	int ret = 0;

	signal(SIGXFSZ, SIG_IGN); /* the program has ended */
	describe_arm(job, arm, sizeof(arm));
	if (xt_exec_counts_read(job->page, job->program, end->pid, &counts, err))
		return -1;
	if (!counts.known)
		xt_log_warning("the shim did not load in any process: no call was counted");
	if (*job->options.count)
		ret = xt_exec_counts_save(&counts, job->arm.source == XT_SOURCE_CACHED, job->options.count, err);
	else
		xt_exec_counts_print(&counts, arm, stderr);
	xt_exec_counts_free(&counts);
	return ret;
}

static int run_as_child(struct job *job, struct xt_err *err)
{
	struct xt_ticker *ticker = NULL;
	struct xt_exec_end end;
	int status;

	if (job->arm.source == XT_SOURCE_CACHED && xt_ticker_start(&ticker, job->page))
		return xt_err_failed(err, "cannot start the ticker of cached: %s", strerror(errno));
	status = xt_exec_child(job->program, job->argv, &end, err);
	xt_ticker_stop(ticker);
	if (status)
		return -1;
	if (end.exec_errno)
		return could_not_start(job, end.exec_errno);
	if (job->options.count && report(job, &end, err)) {
		xt_log_error("%s", err->text);
		if (WIFEXITED(end.status) && !WEXITSTATUS(end.status))
			return 1;
	}
	status = xt_exec_end_alike(&end);
	if (!status && job->options.require_shim && !xt_page_attached(job->page)) {
		xt_log_error("--require-shim: the shim did not load");
		return 1;
	}
	return status;
}

static int run(struct job *job, struct xt_err *err)
{
	bool stay = job->options.count || job->arm.source == XT_SOURCE_CACHED;
	int status = check_program(job, err);

	if (status)
		return status;
	if (job->options.count && *job->options.count && xt_record_check_path(job->options.count, err))
		return xt_err_context(err, "--count");
	if ((stay || job->options.page) && make_page(job, err))
		return -1;
	if (set_environment(job, err)) {
		status = -1;
	} else if (stay) {
		status = run_as_child(job, err);
	} else {
		execvp(job->program, job->argv);
		status = could_not_start(job, errno);
	}
	if (job->options.page && (status < 0 || status == XT_EXEC_CANNOT || status == XT_EXEC_NOT_FOUND) && !stay)
		unlink(job->options.page);
	return status;
}

int xt_cmd_exec(int argc, char **argv, struct xt_err *err)
{
	struct job job = {.page_fd = -1};
	struct xt_arg_set set = {&xt_exec_table, &job.options, 0};
	struct xt_arg_rest *rest = calloc(1, sizeof(*rest));
	int bad, behind;
	bool help;

	if (!rest)
		return xt_err_failed(err, "out of memory");
	bad = xt_args_parse(argc, argv, &set, 1, rest, err);
	if (!bad && rest->words && !rest->help)
		bad = xt_err_usage(err, "'%s': the program goes behind --, as in xtime exec --impl=coarse -- date",
		                   rest->word[0]);
	behind = rest->dashdash;
	help = rest->help;
	free(rest);
	if (bad)
		return -1;
	if (help) {
		xt_cli_command_help(xt_cli_find("exec"), stdout);
		return 0;
	}
	if (!behind || behind >= argc)
		return xt_err_usage(err, "which program? As in: xtime exec --impl=coarse -- date");
	job.argv = argv + behind;
	if (read_arm(&job, err) || xt_self_find_shim(job.shim, sizeof(job.shim), err))
		return -1;
	return run(&job, err);
}
