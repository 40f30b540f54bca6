/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * From the words of the command line to a plan.
 */
#include "ab/ab.h"

#include "clock/ready.h"

#include <stdio.h>
#include <string.h>

static int bad_arm(const char *text, size_t len, const char *why, struct xt_err *err)
{
	return xt_err_usage(err, "arm '%.*s': %s (see xtime list implementations)", (int)len, text, why);
}

static int add_arm(struct xt_ab_plan *plan, const char *text, size_t len, struct xt_err *err)
{
	struct xt_ab_arm *a = &plan->arm[plan->arms];
	struct xt_ready ready;
	enum xt_arm_bad bad;

	if (plan->arms == XT_AB_MAX_ARMS)
		return xt_err_usage(err, "too many arms: at most %d are allowed", XT_AB_MAX_ARMS);
	if (len >= sizeof(a->name))
		return xt_err_usage(err, "arm '%.40s...': its name is too long", text);
	bad = xt_arm_parse(text, len, &a->arm, a->plugin, sizeof(a->plugin));
	if (bad != XT_ARM_OK)
		return bad_arm(text, len, xt_arm_bad_text(bad), err);
	ready = (struct xt_ready){&a->arm, plan->swap, a->plugin, sizeof(a->plugin), ""};
	if (xt_arm_ready(&ready))
		return bad_arm(text, len, ready.reason, err);
	memcpy(a->name, text, len);
	a->name[len] = '\0';
	xt_arm_format(&a->arm, a->plugin, a->spec, sizeof(a->spec));
	for (unsigned i = 0; i < plan->arms; i++)
		if (!strcmp(plan->arm[i].spec, a->spec))
			return xt_err_usage(err,
			                    "arm '%s' is given twice: the control runs the first arm again by itself",
			                    a->name);
	plan->arms++;
	return 0;
}

/* "A,B,C": a comma separates, so a plugin's path may not hold one. */
static int add_list(struct xt_ab_plan *plan, const char *list, struct xt_err *err)
{
	for (const char *p = list;;) {
		size_t len = strcspn(p, ",");

		if (!len)
			return xt_err_usage(err, "'%s': an arm is missing: a list is A,B,C...", list);
		if (add_arm(plan, p, len, err))
			return -1;
		if (!p[len])
			return 0;
		p += len + 1;
	}
}

/* The base with each of so many ns added. */
static int add_doses(struct xt_ab_plan *plan, const char *base, const char *list, struct xt_err *err)
{
	char name[300], number[32];
	int64_t ns, last = -1;

	for (const char *p = list;;) {
		size_t len = strcspn(p, ",");

		snprintf(number, sizeof(number), "%.*s", (int)len, p);
		if (xt_num_count(number, 0, 1000000000, &ns, err))
			return xt_err_context(err, "--add-ns=%s", list);
		if (ns <= last)
			return xt_err_usage(err, "--add-ns=%s: the numbers must rise: the first arm is the base", list);
		last = ns;
		snprintf(name, sizeof(name), "%.200s+%lldns", base, (long long)ns);
		if (add_arm(plan, name, strlen(name), err))
			return -1;
		if (!p[len])
			break;
		p += len + 1;
	}
	plan->dose = true;
	return plan->arms < 2 ? xt_err_usage(err, "--add-ns=%s: two numbers at least are needed", list) : 0;
}

static int parse_swap(const char *text, unsigned *out, struct xt_err *err)
{
	size_t bad;

	if (xt_swap_parse(text, strlen(text), out, &bad))
		return xt_err_usage(
			err,
			"--swap: '%s' is not a function that can be swapped: time, gettimeofday, clock_gettime and "
			"monotonic are allowed, separated by commas",
			text + bad);
	return 0;
}

int xt_ab_plan_parse(const struct xt_ab_words *words, const struct xt_ab_words *defaults, struct xt_ab_plan *out,
                     struct xt_err *err)
{
	const char *a = words->a ? words->a : defaults->a, *b = words->b ? words->b : defaults->b;

	memset(out, 0, sizeof(*out));
	if (parse_swap(words->swap ? words->swap : defaults->swap, &out->swap, err))
		return -1;
	if (words->add_ns) {
		if (words->arms || words->b)
			return xt_err_usage(
				err, "--add-ns and --arms or --b exclude each other: the arms are --a with time added");
		return add_doses(out, a, words->add_ns, err);
	}
	if (words->arms) {
		if (words->a || words->b)
			return xt_err_usage(err, "--arms and --a or --b exclude each other");
		if (add_list(out, words->arms, err))
			return -1;
	} else if (add_arm(out, a, strlen(a), err) || add_arm(out, b, strlen(b), err)) {
		return -1;
	}
	if (out->arms < 2)
		return xt_err_usage(err, "--arms: one arm alone cannot be compared: give two or more");
	return 0;
}

bool xt_ab_plan_uses(const struct xt_ab_plan *plan, enum xt_source_id source)
{
	for (unsigned i = 0; i < plan->arms; i++)
		if (plan->arm[i].arm.source == source)
			return true;
	return false;
}

size_t xt_ab_plan_plugins(const struct xt_ab_plan *plan, const char *plugins[XT_AB_MAX_ARMS + 1])
{
	size_t count = 0;

	for (unsigned i = 0; i < plan->arms; i++)
		if (plan->arm[i].arm.source == XT_SOURCE_PLUGIN)
			plugins[count++] = plan->arm[i].plugin;
	plugins[count] = NULL;
	return count;
}

int xt_ab_plan_apply(const struct xt_ab_plan *plan, struct xt_page *page, struct xt_err *err)
{
	for (unsigned i = 0; i <= plan->arms; i++) {
		const struct xt_ab_arm *a = &plan->arm[i < plan->arms ? i : 0];

		if (xt_page_set_arm(page, i, &a->arm, a->plugin))
			return xt_err_failed(err, "cannot set arm '%s' in the control page: %m", a->name);
	}
	xt_page_set_swap(page, plan->swap);
	return 0;
}

bool xt_ab_plan_enters_kernel(const struct xt_ab_plan *plan)
{
	for (unsigned a = 0; a < plan->arms; a++) {
		enum xt_source_id source = plan->arm[a].arm.source;

		if (source == XT_SOURCE_SYSCALL_GETTIMEOFDAY || source == XT_SOURCE_SYSCALL_REALTIME ||
		    source == XT_SOURCE_SYSCALL_TIME || source == XT_SOURCE_SYSCALL_COARSE)
			return true;
	}
	return false;
}
