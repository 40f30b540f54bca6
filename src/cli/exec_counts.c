/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Rows of the page, one per thread, summed by process. A process that was killed has left its counts behind; a process
 * in which the shim never loaded has unknown counts, which are never shown as 0.
 */
#include "cli/exec_counts.h"

#include "cli/lab.h"
#include "record/record.h"

#include <inttypes.h>
#include <jansson.h>
#include <stdlib.h>
#include <string.h>

static const char *const names[XT_FUNCTIONS] = {"time",         "gettimeofday", "clock_gettime",
                                                "timespec_get", "ftime",        "monotonic"};

static struct xt_exec_process *find(struct xt_exec_counts *counts, pid_t pid)
{
	for (size_t i = 0; i < counts->count; i++)
		if (counts->processes[i].pid == pid)
			return &counts->processes[i];
	counts->processes[counts->count] = (struct xt_exec_process){.pid = pid};
	return &counts->processes[counts->count++];
}

static void add_row(struct xt_exec_counts *counts, const struct xt_page_row *row)
{
	struct xt_exec_process *process = row->pid ? find(counts, row->pid) : NULL;

	/* A main thread's name is the process's; after an exec the last one counts. */
	if (process && (row->tid == row->pid || !process->comm[0]))
		memcpy(process->comm, row->comm, sizeof(process->comm));
	for (unsigned fn = 0; fn < XT_FUNCTIONS; fn++) {
		uint64_t calls = 0;

		for (unsigned arm = 0; arm < XT_MAX_ARMS; arm++)
			calls += row->calls[fn][arm];
		counts->total[fn] += calls;
		if (process)
			process->calls[fn] += calls;
	}
}

int xt_exec_counts_read(const struct xt_page *page, const char *program, pid_t pid, struct xt_exec_counts *out,
                        struct xt_err *err)
{
	const char *base = strrchr(program, '/');
	struct xt_page_row *rows;
	size_t count;

	memset(out, 0, sizeof(*out));
	if (xt_page_snapshot(page, &rows, &count))
		return xt_err_failed(err, "out of memory");
	out->processes = calloc(count + 1, sizeof(*out->processes));
	if (!out->processes) {
		free(rows);
		return xt_err_failed(err, "out of memory");
	}
	out->known = xt_page_attached(page) > 0;
	out->fallbacks = xt_page_fallbacks(page);
	for (size_t i = 0; i < count; i++)
		add_row(out, &rows[i]);
	free(rows);
	if (!out->known)
		snprintf(find(out, pid)->comm, sizeof(out->processes[0].comm), "%.15s", base ? base + 1 : program);
	return 0;
}

void xt_exec_counts_free(struct xt_exec_counts *counts)
{
	free(counts->processes);
	counts->processes = NULL;
}

static void print_row(const struct xt_exec_counts *counts, const uint64_t *calls, FILE *out)
{
	for (unsigned fn = 0; fn < XT_FUNCTIONS; fn++) {
		if (counts->known)
			fprintf(out, " %13" PRIu64, calls[fn]);
		else
			fprintf(out, " %13s", "unknown");
	}
	fputc('\n', out);
}

void xt_exec_counts_print(const struct xt_exec_counts *counts, const char *arm, FILE *out)
{
	fprintf(out, "xtime: calls under %s\n%8s %-16s", arm, "pid", "process");
	for (unsigned fn = 0; fn < XT_FUNCTIONS; fn++)
		fprintf(out, " %13s", names[fn]);
	fputc('\n', out);
	for (size_t i = 0; i < counts->count; i++) {
		fprintf(out, "%8ld %-16s", (long)counts->processes[i].pid, counts->processes[i].comm);
		print_row(counts, counts->processes[i].calls, out);
	}
	fprintf(out, "%8s %-16s", "", "total");
	print_row(counts, counts->total, out);
	if (counts->fallbacks)
		fprintf(out, "%" PRIu64 " system calls were refused (EPERM or ENOSYS) and answered by libc\n",
		        counts->fallbacks);
}

static json_t *calls_json(const struct xt_exec_counts *counts, const uint64_t *calls)
{
	json_t *object;

	if (!counts->known)
		return json_null();
	object = json_object();
	for (unsigned fn = 0; fn < XT_FUNCTIONS; fn++)
		json_object_set_new(object, names[fn], json_integer((json_int_t)calls[fn]));
	return object;
}

int xt_exec_counts_save(const struct xt_exec_counts *counts, bool cached, const char *path, struct xt_err *err)
{
	json_t *root = json_object(), *processes = json_array();
	int ret;

	json_object_set_new(root, "schema", json_string("xtime.counts/1"));
	for (size_t i = 0; i < counts->count; i++) {
		const struct xt_exec_process *process = &counts->processes[i];
		json_t *row = json_object();
		json_t *comm = json_string(process->comm);

		json_object_set_new(row, "pid", json_integer(process->pid));
		/* A name need not be UTF-8. */
		json_object_set_new(row, "comm", comm ? comm : json_null());
		json_object_set_new(row, "calls", calls_json(counts, process->calls));
		json_array_append_new(processes, row);
	}
	json_object_set_new(root, "processes", processes);
	json_object_set_new(root, "total", calls_json(counts, counts->total));
	if (cached)
		xt_lab_note_staleness(root);
	json_object_set_new(root, "fallbacks", json_integer((json_int_t)counts->fallbacks));
	ret = xt_record_save(root, path, err);
	json_decref(root);
	return ret;
}
