/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Restarts itself under the shim, flips between arms and checks what lab/cost says of them and what the page counted.
 * Prints the figures, for people.
 */
#include "base/mono.h"
#include "cli/self.h"
#include "lab/cost.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

static const char *const arms[] = {"vdso-time",           "coherent",      "gettimeofday",
                                   "gettimeofday@5000ns", "coarse+3000ns", "syscall-time"};

enum { ARMS = sizeof(arms) / sizeof(arms[0]) };

static int failures;

static void check(int good, const char *what)
{
	if (good)
		return;
	printf("FAILED: %s\n", what);
	failures++;
}

static uint64_t counted(struct xt_page *page, enum xt_function function, unsigned arm)
{
	struct xt_page_row *rows;
	uint64_t sum = 0;
	size_t count;

	if (xt_page_snapshot(page, &rows, &count))
		return 0;
	for (size_t i = 0; i < count; i++)
		if (rows[i].pid == getpid())
			sum += rows[i].calls[function][arm];
	free(rows);
	return sum;
}

static void check_flips(struct xt_page *page)
{
	for (unsigned arm = 0; arm < ARMS; arm++) {
		uint64_t before = counted(page, XT_FN_TIME, arm);

		xt_page_flip(page, arm + 1, arm);
		for (int i = 0; i < 1000; i++)
			time(NULL);
		xt_page_flip(page, 0, 0);
		check(counted(page, XT_FN_TIME, arm) == before + 1000, "1,000 calls counted as 1,000");
	}
}

int main(void)
{
	static char name[] = "cost_probe";
	char *argv[] = {name, NULL};
	struct xt_cost cost[ARMS];
	struct xt_err err = {0};
	struct xt_page *page = xt_self_page(&err);

	if (!page) {
		if (!err.kind)
			xt_self_restart(argv, &err);
		printf("%s\n", err.text);
		return 99;
	}
	xt_mono_init();
	check(xt_page_attached(page) == 1, "one process attached");
	check(xt_self_page_fd() >= 100, "the page's descriptor is known");
	xt_self_clean_environment();
	check(!getenv("XTIME_PAGE"), "XTIME_PAGE is gone");
	check(!getenv("LD_PRELOAD") || !strstr(getenv("LD_PRELOAD"), "libxtime"), "LD_PRELOAD is clean");
	for (unsigned i = 0; i < ARMS; i++) {
		struct xt_arm arm;

		check(!xt_arm_parse(arms[i], strlen(arms[i]), &arm, NULL, 0), arms[i]);
		xt_page_set_arm(page, i, &arm, NULL);
	}
	check_flips(page);
	xt_cost_measure(page, ARMS, 42, 300000000, cost);
	for (unsigned i = 0; i < ARMS; i++)
		printf("%-20s time %8.2f ns\n", arms[i], cost[i].ns[XT_FN_TIME]);
	check(isnan(cost[0].ns[XT_FN_GETTIMEOFDAY]), "no figure for what is not swapped");
	check(cost[0].ns[XT_FN_TIME] > 0 && cost[0].ns[XT_FN_TIME] < cost[2].ns[XT_FN_TIME], "vdso-time is cheaper");
	check(cost[3].ns[XT_FN_TIME] > 4500 && cost[3].ns[XT_FN_TIME] < 50000, "5000 ns in total");
	check(cost[4].ns[XT_FN_TIME] > 2900 && cost[4].ns[XT_FN_TIME] < 30000, "3000 ns added");
	check(xt_page_word(page)[0] == 0, "the word is back at slice 0, arm 0");
	xt_page_set_swap(page, XT_SWAP_TIME | XT_SWAP_GETTIMEOFDAY | XT_SWAP_CLOCK_GETTIME | XT_SWAP_MONOTONIC);
	xt_cost_measure(page, 4, 42, 50000000, cost);
	check(isnan(cost[0].ns[XT_FN_GETTIMEOFDAY]), "vdso-time cannot serve gettimeofday");
	check(cost[2].ns[XT_FN_GETTIMEOFDAY] > 0 && cost[2].ns[XT_FN_MONOTONIC] > 0, "all swapped functions");
	check(cost[3].ns[XT_FN_CLOCK_GETTIME] > 4500, "5000 ns for clock_gettime too");
	return failures != 0;
}
