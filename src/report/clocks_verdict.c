/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What a clocks record means, in words: for somebody who asks whether the clock costs anything here.
 */
#include "report/clocks.h"

#include "report/labcells.h"
#include "report/view.h"

#include <math.h>
#include <string.h>

#define REALTIME "clock-gettime-realtime"
#define COARSE   "clock-gettime-realtime-coarse"

/* Reads of the clock per transaction, as counted in running databases. */
static const struct {
	unsigned reads;
	const char *call;    /* that the database makes */
	const char *cheaper; /* what it could make do with, and its path */
	const char *whose;
} transactions[] = {
	{121, "gettimeofday", COARSE, "PostgreSQL oltp_read_write transaction"},
	{120, "time", NULL, "oltp_time transaction, which reads the clock as often as a server does"},
};

static void clocksource(const json_t *host, struct xt_buf *out)
{
	const char *name = xt_view_text(host, "clocksource", NULL);
	const json_t *list = json_object_get(host, "clocksources"), *entry;
	size_t i;

	if (!name) {
		xt_buf_puts(out, "Clock source: unknown, for the kernel does not say (no sysfs).\n");
		return;
	}
	xt_buf_printf(out, "Clock source: %s, as the kernel says in sysfs", name);
	if (json_array_size(list) > 1) {
		xt_buf_puts(out, " (available:");
		json_array_foreach(list, i, entry)
			xt_buf_printf(out, " %s", json_string_value(entry) ? json_string_value(entry) : "?");
		xt_buf_puts(out, ")");
	}
	xt_buf_puts(out, ".\n");
}

static void names(const json_t *record, bool served, struct xt_buf *out)
{
	const json_t *row;
	size_t i;
	bool any = false;

	json_array_foreach(json_object_get(record, "rows"), i, row)
	{
		double entries = xt_view_number(row, "entries_per_call");

		if (strcmp(xt_view_text(row, "path", ""), "vdso") || isnan(entries) || (entries < 0.5) != served)
			continue;
		xt_buf_printf(out, "%s%s", any ? ", " : "", xt_view_text(row, "call", ""));
		any = true;
	}
	if (!any)
		xt_buf_puts(out, "nothing");
}

static void served(const json_t *record, struct xt_buf *out)
{
	double hires = xt_view_number(xt_clocks_row(record, REALTIME, "vdso", NULL), "entries_per_call");
	const json_t *available = json_object_get(xt_clocks_row(record, REALTIME, "vdso", NULL), "available");

	if (!json_is_true(available)) {
		xt_buf_puts(out, "vDSO: no entry for the clock here; every read enters the kernel.\n");
		return;
	}
	if (isnan(hires)) {
		xt_buf_puts(out,
		            "vDSO: there are entries, but system calls cannot be counted here (no seccomp), so whether "
		            "they enter the kernel is not known.\n");
		return;
	}
	xt_buf_printf(out, "vDSO: the fine clock is %sserved in user space, by counted system calls. Served: ",
	              hires < 0.5 ? "" : "NOT ");
	names(record, true, out);
	xt_buf_puts(out, ". Entering the kernel: ");
	names(record, false, out);
	xt_buf_puts(out, ".\n");
}

static void print_time(struct xt_buf *out, double ns)
{
	if (ns < 1e3)
		xt_buf_printf(out, "%.3g ns", ns);
	else if (ns < 1e6)
		xt_buf_printf(out, "%.3g us", ns / 1e3);
	else
		xt_buf_printf(out, "%.3g ms", ns / 1e6);
}

static void costs(const json_t *record, struct xt_buf *out)
{
	static const struct {
		const char *call, *path, *what;
	} reads[] = {
		{REALTIME, "libc", "the fine clock costs "},
		{COARSE, "libc", "of the coarse clock "},
		{REALTIME, "syscall", "of the fine clock by system call "},
	};

	bool any = false;

	for (size_t i = 0; i < sizeof(reads) / sizeof(reads[0]); i++) {
		double ns = xt_clocks_ns(record, reads[i].call, reads[i].path, NULL);

		if (isnan(ns))
			continue;
		xt_buf_puts(out, any ? ", " : "A read of ");
		xt_buf_puts(out, reads[i].what);
		print_time(out, ns);
		any = true;
	}
	if (any)
		xt_buf_puts(out, ".\n");
}

static void meaning(const json_t *record, struct xt_buf *out)
{
	for (size_t i = 0; i < sizeof(transactions) / sizeof(transactions[0]); i++) {
		double ns = xt_clocks_ns(record, transactions[i].call, "libc", NULL);
		double cheaper = NAN;

		if (isnan(ns))
			continue;
		xt_buf_printf(out, "%u reads x %.3g ns = ", transactions[i].reads, ns);
		print_time(out, transactions[i].reads * ns);
		xt_buf_printf(out, " of each %s", transactions[i].whose);
		if (transactions[i].cheaper)
			cheaper = xt_clocks_ns(record, transactions[i].cheaper, "libc", NULL);
		if (!isnan(cheaper)) {
			xt_buf_puts(out, "; with the coarse clock ");
			print_time(out, transactions[i].reads * cheaper);
		}
		xt_buf_puts(out, ".\n");
	}
}

static void stamps(const json_t *record, struct xt_buf *out)
{
	const json_t *row;
	size_t i;

	json_array_foreach(json_object_get(record, "file_stamps"), i, row)
	{
		const char *filesystem = xt_view_text(row, "filesystem", "");

		if (json_is_true(json_object_get(row, "multigrain")))
			xt_buf_printf(out,
			              "File stamps on %s: multigrain. A write after a stat takes the fine clock, which "
			              "adds %.0f ns to a write of %.0f ns (%+.1f %%).\n",
			              filesystem, xt_labcell_sum(row, "surcharge_ns"),
			              xt_labcell_sum(json_object_get(row, "pwrite"), "ns"),
			              xt_labcell_sum(row, "surcharge_percent"));
		else
			xt_buf_printf(out,
			              "File stamps on %s: from the coarse clock alone (%.0f different mtimes in %.0f "
			              "writes, %.0f ticks).\n",
			              filesystem, xt_labcell_sum(row, "distinct_mtimes"), xt_labcell_sum(row, "writes"),
			              xt_labcell_sum(row, "ticks"));
	}
}

/* Rows that are no clock, however fast. */
static void wrong(const json_t *record, struct xt_buf *out)
{
	const json_t *rows = json_object_get(record, "rows"), *row;
	size_t i;

	json_array_foreach(rows, i, row)
	{
		const char *why = xt_view_text(row, "wrong", ""), *source = xt_view_text(row, "source", "");
		double backward = xt_view_number(row, "backward_steps");

		if (!*why && !(backward > 0))
			continue;
		xt_buf_printf(out, "WRONG: %s by %s%s%s", xt_view_text(row, "call", ""), xt_view_text(row, "path", ""),
		              *source ? " " : "", source);
		if (*why)
			xt_buf_printf(out, " %s.\n", why);
		else
			xt_buf_printf(out, " went backwards %.0f times.\n", backward);
	}
}

void xt_report_clocks_verdict(const json_t *record, struct xt_buf *out)
{
	const json_t *host = json_object_get(record, "host");

	clocksource(host, out);
	served(record, out);
	costs(record, out);
	meaning(record, out);
	stamps(record, out);
	wrong(record, out);
	if (json_is_true(json_object_get(record, "refused")))
		xt_buf_puts(out,
		            "System calls for the clock are refused here (a seccomp filter): what falls back to them "
		            "is answered by libc.\n");
	if (json_is_true(json_object_get(host, "traced")))
		xt_buf_puts(out,
		            "A tracer is attached to this process: system calls cost what the tracer makes of them.\n");
}
