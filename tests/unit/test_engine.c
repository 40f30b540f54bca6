/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The engine on the null driver: gate, quotas, credits, retries, failures, statement cache.
 */
#include "base/mono.h"
#include "engine/engine.h"
#include "engine/gate.h"
#include "engine/stmts.h"

#include <pthread.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

struct bench {
	struct xt_engine engine;
	struct xt_driver_config config;
	struct xt_totals totals;
	struct xt_err err;
};

static struct xt_program *compile(const char *text)
{
	struct xt_program *program = xt_program_new(&(struct xt_compile_options){0});
	struct xt_err err;

	assert_non_null(program);
	if (xt_program_add_text(program, "test.sql", text, strlen(text), &err))
		fail_msg("%s", err.text);
	return program;
}

static void setup(struct bench *b, const char *text, unsigned threads, const char *fail)
{
	memset(b, 0, sizeof(*b));
	b->engine.program = compile(text);
	b->engine.driver = xt_driver_find("null");
	b->engine.seed = 42;
	b->engine.max_tries = 1;
	b->engine.connect_timeout_ns = 10000000000u;
	b->engine.grace_ns = 1000000000;
	b->config.threads = threads;
	b->config.null.fail = fail;
	assert_int_equal(b->engine.driver->open(&b->engine.db, &b->config, &b->err), 0);
	assert_int_equal(xt_totals_init(&b->totals, 1, &b->err), 0);
}

static void teardown(struct bench *b)
{
	xt_totals_free(&b->totals);
	b->engine.driver->close(b->engine.db);
	xt_program_free((struct xt_program *)b->engine.program);
}

static void test_events_are_exact(void **state)
{
	const struct xt_visit visit = {.threads = 3, .events = 1000};
	struct bench b;

	(void)state;
	setup(&b, "SELECT 1;\nUPDATE t SET a=1;\nCOMMIT;\n", 3, NULL);
	assert_int_equal(xt_engine_visit(&b.engine, &visit, &b.totals, &b.err), 0);
	assert_int_equal(b.totals.transactions, 1000);
	assert_int_equal(b.totals.statements, 3000);
	assert_int_equal(b.totals.credited, 3000);
	assert_int_equal(b.totals.queries[XT_SQL_READ], 1000);
	assert_int_equal(b.totals.queries[XT_SQL_WRITE], 1000);
	assert_int_equal(b.totals.queries[XT_SQL_OTHER], 1000);
	assert_int_equal(b.totals.latency[0]->count, 1000);
	assert_true(b.totals.events_done);
	assert_int_equal(b.totals.tid_count, 3);
	teardown(&b);
}

static void test_fewer_events_than_threads(void **state)
{
	const struct xt_visit visit = {.threads = 4, .events = 1};
	struct bench b;

	(void)state;
	setup(&b, "SELECT 1;\n", 4, NULL);
	assert_int_equal(xt_engine_visit(&b.engine, &visit, &b.totals, &b.err), 0);
	assert_int_equal(b.totals.transactions, 1);
	assert_true(xt_hist_quantile(b.totals.latency[0], 0.5) == (double)b.totals.latency[0]->min);
	teardown(&b);
}

/* A transaction without statements is credited as one. */
static void test_empty_transactions(void **state)
{
	const struct xt_visit visit = {.threads = 2, .events = 500};
	struct bench b;

	(void)state;
	setup(&b, "\\section run\n", 2, NULL);
	assert_int_equal(xt_engine_visit(&b.engine, &visit, &b.totals, &b.err), 0);
	assert_int_equal(b.totals.transactions, 500);
	assert_int_equal(b.totals.statements, 0);
	assert_int_equal(b.totals.credited, 500);
	teardown(&b);
}

static void test_control_flow(void **state)
{
	const struct xt_visit visit = {.threads = 1, .events = 10};
	struct bench b;

	(void)state;
	setup(&b,
	      "\\set n 3\n\\repeat :n\n\\if :n > 2\nSELECT :n;\n\\else\nUPDATE t SET a=1;\n\\endif\n\\repeat "
	      "0\nCOMMIT;\n"
	      "\\endrepeat\n\\time 4\n\\endrepeat\n",
	      1, NULL);
	assert_int_equal(xt_engine_visit(&b.engine, &visit, &b.totals, &b.err), 0);
	assert_int_equal(b.totals.queries[XT_SQL_READ], 30);
	assert_int_equal(b.totals.queries[XT_SQL_WRITE], 0);
	assert_int_equal(b.totals.clock_calls, 120);
	teardown(&b);
}

/* A worker that cannot connect ends the run with its own words, whoever else stands at the gate. */
static void test_connect_failure(void **state)
{
	const struct xt_visit visit = {.threads = 4, .time_ns = 60000000000u};
	struct bench b;
	uint64_t begin = xt_mono_ns();

	(void)state;
	setup(&b, "SELECT 1;\n", 4, "connect:3");
	assert_int_equal(xt_engine_visit(&b.engine, &visit, &b.totals, &b.err), -1);
	assert_non_null(strstr(b.err.text, "client 3"));
	assert_true(xt_mono_ns() - begin < 10000000000u);
	teardown(&b);
}

static void test_statement_failure_names_the_line(void **state)
{
	const struct xt_visit visit = {.threads = 2, .time_ns = 60000000000u};
	struct bench b;

	(void)state;
	setup(&b, "SELECT 1;\nSELECT 2;\n", 2, "exec:100");
	assert_int_equal(xt_engine_visit(&b.engine, &visit, &b.totals, &b.err), -1);
	assert_non_null(strstr(b.err.text, "test.sql:2:1"));
	teardown(&b);
}

static void test_runtime_error_names_the_line(void **state)
{
	const struct xt_visit visit = {.threads = 1, .events = 5};
	struct bench b;

	(void)state;
	setup(&b, "\\set a 0\n\\set b 1 / :a\nSELECT 1;\n", 1, NULL);
	assert_int_equal(xt_engine_visit(&b.engine, &visit, &b.totals, &b.err), -1);
	assert_non_null(strstr(b.err.text, "test.sql:2:1"));
	assert_non_null(strstr(b.err.text, "division by zero"));
	teardown(&b);
}

static void test_interrupt_ends_a_run(void **state)
{
	const struct xt_visit visit = {.threads = 2, .time_ns = 60000000000u};
	atomic_int flag = 1;
	struct bench b;
	uint64_t begin = xt_mono_ns();

	(void)state;
	setup(&b, "SELECT 1;\n\\sleep 1 ms\n", 2, NULL);
	b.engine.interrupted = &flag;
	assert_int_equal(xt_engine_visit(&b.engine, &visit, &b.totals, &b.err), 0);
	assert_true(b.totals.interrupted);
	assert_true(xt_mono_ns() - begin < 10000000000u);
	teardown(&b);
}

/* Slices are whole blocks; each arm has one slice in each; what is credited is what the workers ran. */
static void test_slices(void **state)
{
	struct xt_page *page;
	int fd;
	struct xt_rng schedule;
	struct xt_slicing slicing = {.arms = 3, .slice_ns = 2000000, .schedule = &schedule};
	const struct xt_visit visit = {.threads = 3, .time_ns = 300000000, .slicing = &slicing};
	struct bench b;
	uint64_t sum = 0;

	(void)state;
	assert_int_equal(xt_page_create(&page, &fd, NULL), 0);
	xt_rng_init(&schedule, 1, 0, XT_RNG_SCHEDULE);
	slicing.page = page;
	setup(&b, "SELECT 1;\nSELECT 2;\n", 3, NULL);
	xt_totals_free(&b.totals);
	assert_int_equal(xt_totals_init(&b.totals, 3, &b.err), 0);
	assert_int_equal(xt_engine_visit(&b.engine, &visit, &b.totals, &b.err), 0);
	assert_true(slicing.slices.n >= 3 && slicing.slices.n % 3 == 0);
	for (size_t i = 0; i < slicing.slices.n; i += 3) {
		unsigned seen = 0;

		for (size_t k = i; k < i + 3; k++) {
			const struct xt_slice *s = &slicing.slices.v[k];

			seen |= 1u << s->arm;
			assert_true(s->end_ns > s->begin_ns);
			if (k + 1 < slicing.slices.n)
				assert_true(s->end_ns == slicing.slices.v[k + 1].begin_ns);
			sum += s->statements;
		}
		assert_int_equal(seen, 7);
	}
	/* Workers count whole transactions, slices statements: they differ by the edges alone. */
	assert_true(llabs((long long)sum - (long long)b.totals.credited) <= 3 * 2 * 2);
	free(slicing.slices.v);
	teardown(&b);
	xt_page_unmap(page);
}

static void test_same_schedule_for_a_seed(void **state)
{
	struct xt_rng a, b;

	(void)state;
	xt_rng_init(&a, 7, 0, XT_RNG_SCHEDULE);
	xt_rng_init(&b, 7, 0, XT_RNG_SCHEDULE);
	for (int i = 0; i < 100; i++)
		assert_int_equal(xt_rng_range(&a, 0, 14), xt_rng_range(&b, 0, 14));
}

static void *fail_soon(void *arg)
{
	xt_gate_fail(arg);
	return NULL;
}

static void test_gate(void **state)
{
	struct xt_gate gate;
	pthread_t thread;

	(void)state;
	assert_int_equal(xt_gate_init(&gate, 2), 0);
	assert_false(xt_gate_wait_until(&gate, xt_mono_ns() + 1000000)); /* nobody else comes */
	xt_gate_destroy(&gate);
	assert_int_equal(xt_gate_init(&gate, 2), 0);
	assert_int_equal(pthread_create(&thread, NULL, fail_soon, &gate), 0);
	assert_false(xt_gate_wait(&gate));
	pthread_join(thread, NULL);
	xt_gate_destroy(&gate);
	assert_int_equal(xt_gate_init(&gate, 1), 0);
	assert_true(xt_gate_wait(&gate));
	assert_true(xt_gate_wait(&gate));
	xt_gate_destroy(&gate);
}

/* More texts than the cache holds: each is prepared, none is mixed up, the run ends cleanly. */
static void test_many_texts(void **state)
{
	const struct xt_visit visit = {.threads = 1, .events = 3000};
	struct bench b;

	(void)state;
	setup(&b, "\\option n 0\n\\section run\n\\set n :n + 1\nSELECT c FROM t:{n} WHERE id=:n;\n", 1, NULL);
	assert_int_equal(xt_engine_visit(&b.engine, &visit, &b.totals, &b.err), 0);
	assert_int_equal(b.totals.statements, 3000);
	teardown(&b);
}

struct seen {
	uint64_t transactions, statements, warm, calls;
};

static void see(void *ctx, const struct xt_interval *interval)
{
	struct seen *seen = ctx;

	seen->calls++;
	if (interval->warmup) {
		seen->warm += interval->transactions;
		return;
	}
	seen->transactions += interval->transactions;
	for (int i = 0; i < 3; i++)
		seen->statements += interval->queries[i];
}

static void test_intervals_sum_to_the_totals(void **state)
{
	struct seen seen = {0};
	const struct xt_visit visit = {
		.threads = 4,
		.warmup_ns = 50000000,
		.time_ns = 230000000,
		.measure = {.interval_ns = 20000000, .interval = see, .ctx = &seen, .commands = true},
	};
	struct bench b;

	(void)state;
	setup(&b, "SELECT 1;\nSELECT 2;\n", 4, NULL);
	assert_int_equal(xt_engine_visit(&b.engine, &visit, &b.totals, &b.err), 0);
	assert_int_equal(seen.transactions, b.totals.transactions);
	assert_int_equal(seen.statements, b.totals.statements);
	assert_true(seen.warm > 0 && seen.calls >= 2);
	assert_int_equal(b.totals.command_count, 2);
	assert_true(b.totals.commands[0].latency.count > 0);
	teardown(&b);
}

static void test_open_loop(void **state)
{
	struct seen seen = {0};
	struct xt_visit visit = {
		.threads = 2,
		.warmup_ns = 50000000,
		.time_ns = 300000000,
		.pace = {.rate_per_s = 1000, .regular = true},
		.measure = {.interval_ns = 50000000, .interval = see, .ctx = &seen},
	};
	struct bench b;

	(void)state;
	setup(&b, "SELECT 1;\n", 2, NULL);
	assert_int_equal(xt_engine_visit(&b.engine, &visit, &b.totals, &b.err), 0);
	/* Equal gaps: the intended starts are known to one per worker, however late the machine was. */
	assert_in_range(b.totals.started + b.totals.backlog, (uint64_t)(b.totals.seconds * 1000) - 3,
	                (uint64_t)(b.totals.seconds * 1000) + 3);
	assert_int_equal(seen.transactions, b.totals.transactions);
	assert_int_equal(b.totals.service->count, b.totals.transactions);
	assert_true(b.totals.service->max <= b.totals.latency[0]->max);
	teardown(&b);
}

static void test_each_worker_has_its_limit(void **state)
{
	const struct xt_visit visit = {.threads = 3, .pace = {.transactions = 7, .reconnect = 2}};
	struct bench b;

	(void)state;
	setup(&b, "SELECT 1;\n", 3, NULL);
	assert_int_equal(xt_engine_visit(&b.engine, &visit, &b.totals, &b.err), 0);
	assert_int_equal(b.totals.transactions, 21);
	assert_true(b.totals.transactions_done);
	assert_int_equal(b.totals.reconnects, 9);
	assert_int_equal(b.totals.connects, 12);
	teardown(&b);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_events_are_exact),
		cmocka_unit_test(test_fewer_events_than_threads),
		cmocka_unit_test(test_empty_transactions),
		cmocka_unit_test(test_control_flow),
		cmocka_unit_test(test_connect_failure),
		cmocka_unit_test(test_statement_failure_names_the_line),
		cmocka_unit_test(test_runtime_error_names_the_line),
		cmocka_unit_test(test_interrupt_ends_a_run),
		cmocka_unit_test(test_slices),
		cmocka_unit_test(test_same_schedule_for_a_seed),
		cmocka_unit_test(test_gate),
		cmocka_unit_test(test_many_texts),
		cmocka_unit_test(test_intervals_sum_to_the_totals),
		cmocka_unit_test(test_open_loop),
		cmocka_unit_test(test_each_worker_has_its_limit),
	};

	xt_mono_init();
	return cmocka_run_group_tests(tests, NULL, NULL);
}
