/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Reports against committed tables, pictures' figures against their record, and records that lack things: a report says
 * '-' or refuses, and never falls over.
 */
#include "base/buf.h"
#include "record/record.h"
#include "report/grid.h"
#include "report/plot.h"
#include "report/references.h"
#include "report/report.h"
#include "report/view.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#define DATA XT_TOP_SRCDIR "/tests/data/report/"

static const char *const fixtures[] = {"ab-two", "ab-three",       "ab-void", "ab-dose",
                                       "clocks", "reproduce-2007", "run",     "coherence"};
enum { FIXTURES = sizeof(fixtures) / sizeof(*fixtures) };

static json_t *load(const char *name)
{
	char path[512];
	struct xt_err err = {0};
	json_t *record;

	snprintf(path, sizeof(path), DATA "%s.json", name);
	record = xt_record_load(path, &err);
	if (!record)
		fail_msg("%s", err.text);
	return record;
}

/* What a format writes, to be freed. */
static char *written(const json_t *record, int (*write)(const json_t *, FILE *, struct xt_err *))
{
	struct xt_err err = {0};
	char *text = NULL;
	size_t len = 0;
	FILE *out = open_memstream(&text, &len);

	if (write(record, out, &err))
		fail_msg("%s", err.text);
	fclose(out);
	return text;
}

static void check_golden(const char *name, const char *ending, int (*write)(const json_t *, FILE *, struct xt_err *))
{
	struct xt_buf golden = {0};
	json_t *record = load(name);
	char *text = written(record, write);
	char path[512];

	snprintf(path, sizeof(path), DATA "%s.%s", name, ending);
	if (xt_buf_read_file(&golden, path, 1 << 20))
		fail_msg("%s: %m", path);
	assert_string_equal(text, golden.data);
	xt_buf_free(&golden);
	json_decref(record);
	free(text);
}

static void test_golden_tables(void **state)
{
	(void)state;
	for (size_t i = 0; i < FIXTURES; i++)
		check_golden(fixtures[i], "txt", xt_report_table);
}

static void test_golden_csv(void **state)
{
	(void)state;
	for (size_t i = 0; i < FIXTURES; i++)
		check_golden(fixtures[i], "csv", xt_report_csv);
}

/* A record in memory and the same one read back give the same bytes. */
static void test_saved_is_shown(void **state)
{
	(void)state;
	for (size_t i = 0; i < FIXTURES; i++) {
		json_t *record = load(fixtures[i]);
		char *text = xt_record_text(record);
		json_t *back = json_loads(text, 0, NULL);
		char *a = written(record, xt_report_table), *b = written(back, xt_report_table);

		assert_string_equal(a, b);
		free(a);
		free(b);
		free(text);
		json_decref(back);
		json_decref(record);
	}
}

/* The rows of data block `name` in a script; each is place, value, low, high. Returns how many. */
static size_t block(const char *script, const char *name, double row[][4])
{
	char head[64];
	const char *p;
	size_t n = 0;

	snprintf(head, sizeof(head), "$%s << EOD\n", name);
	p = strstr(script, head);
	if (!p)
		fail_msg("no data block %s", name);
	for (p += strlen(head); strncmp(p, "EOD", 3) != 0; p = strchr(p, '\n') + 1, n++)
		assert_int_equal(sscanf(p, "%lf %lf %lf %lf", &row[n][0], &row[n][1], &row[n][2], &row[n][3]), 4);
	return n;
}

static void test_plot_values(void **state)
{
	json_t *record = load("reproduce-2007");
	const json_t *inner = json_array_get(json_object_get(record, "records"), 0);
	struct xt_buf script = {0};
	struct xt_err err = {0};
	double tps[2][8][4], gain[2][8][4], predicted[8][4], published[8][4];

	(void)state;
	assert_int_equal(xt_plot_script(record, XT_PICTURE_SVG, &script, &err), 0);
	assert_int_equal(block(script.data, "tps0", tps[0]), 5);
	assert_int_equal(block(script.data, "tps1", tps[1]), 5);
	assert_int_equal(block(script.data, "gain0", gain[0]), 5);
	assert_int_equal(block(script.data, "gain1", gain[1]), 5);
	assert_int_equal(block(script.data, "predicted0", predicted), 5);
	assert_int_equal(block(script.data, "published0", published), 5);
	assert_non_null(strstr(script.data, "'June 2007, published'"));
	assert_non_null(strstr(script.data, "'Oct 2007 intel, published'"));
	for (size_t i = 0; i < 5; i++) {
		const json_t *point = json_array_get(json_object_get(inner, "points"), i);
		const json_t *arms = json_object_get(point, "arms");
		const json_t *c = json_array_get(json_object_get(point, "comparisons"), 0);
		const json_t *control = json_array_get(json_object_get(point, "comparisons"), 1);
		double a = json_real_value(json_object_get(json_array_get(arms, 0), "tps"));
		double lo = json_real_value(json_array_get(json_object_get(c, "ci95"), 0));
		double hi = json_real_value(json_array_get(json_object_get(c, "ci95"), 1));

		assert_true(tps[0][i][0] == (double)i + 1);
		assert_true(tps[0][i][1] == a && tps[0][i][2] == a && tps[0][i][3] == a);
		assert_true(tps[1][i][1] == json_real_value(json_object_get(json_array_get(arms, 1), "tps")));
		assert_true(fabs(tps[1][i][2] / (lo * a) - 1) < 1e-11);
		assert_true(fabs(tps[1][i][3] / (hi * a) - 1) < 1e-11);
		assert_true(gain[0][i][1] == json_real_value(json_object_get(c, "ratio")));
		assert_true(gain[0][i][2] == lo && gain[0][i][3] == hi);
		assert_true(gain[1][i][1] == json_real_value(json_object_get(control, "ratio")));
		assert_true(predicted[i][1] == json_real_value(json_object_get(c, "predicted_ratio")));
		assert_true(published[i][1] ==
		            json_real_value(json_object_get(xt_references_find(point, "2007-06"), "ratio")));
	}
	xt_buf_free(&script);
	json_decref(record);
}

/* Names from a record never reach gnuplot as anything but text. */
static void test_plot_quoting(void **state)
{
	struct xt_buf out = {0};

	(void)state;
	xt_plot_quote(&out, "a'b`touch x`\n\"c\" \\ caf\xc3\xa9", 80);
	assert_string_equal(out.data, "'a''b touch x  \"c\" \\ caf\xc3\xa9'");
	xt_buf_reset(&out);
	xt_plot_quote(&out, "\xc3\xa9\xc3\xa9\xc3\xa9", 2);
	assert_string_equal(out.data, "'\xc3\xa9\xc3\xa9...'");
	xt_buf_free(&out);
}

static void test_gnuplot(void **state)
{
	struct xt_buf image = {0};
	struct xt_err err = {0};
	struct xt_buf script = {0};
	char old[4096];

	(void)state;
	/* What the child's environment holds, as gnuplot itself sees it. */
	setenv("XTIME_PAGE", "fd:100:1", 1);
	setenv("LD_PRELOAD", "", 1);
	if (xt_gnuplot_run("set print '-'\nprint system('env')\n", &image, &err) == 1) {
		unsetenv("XTIME_PAGE");
		print_message("gnuplot is not there: skipped\n");
		skip();
	}
	unsetenv("XTIME_PAGE");
	unsetenv("LD_PRELOAD");
	assert_non_null(strstr(image.data, "LC_ALL=C.UTF-8"));
	assert_null(strstr(image.data, "XTIME_PAGE"));
	assert_null(strstr(image.data, "LD_PRELOAD"));
	xt_buf_reset(&image);
	assert_int_equal(xt_gnuplot_run("plot nonsense(\n", &image, &err), -1);
	assert_non_null(strstr(err.text, "gnuplot failed"));
	xt_buf_reset(&image);
	for (size_t i = 0; i < FIXTURES; i++) {
		json_t *record = load(fixtures[i]);

		if (xt_report_drawable(record)) {
			xt_buf_reset(&script);
			assert_int_equal(xt_plot_script(record, XT_PICTURE_SVG, &script, &err), 0);
			xt_buf_reset(&image);
			if (xt_gnuplot_run(script.data, &image, &err))
				fail_msg("%s: %s", fixtures[i], err.text);
			assert_int_equal(strncmp(image.data, "<?xml", 5), 0);
			assert_non_null(strstr(image.data, "</svg>"));
		}
		json_decref(record);
	}
	snprintf(old, sizeof(old), "%s", getenv("PATH"));
	setenv("PATH", "/nowhere", 1);
	assert_int_equal(xt_gnuplot_run("plot x\n", &image, &err), 1);
	setenv("PATH", old, 1);
	xt_buf_free(&image);
	xt_buf_free(&script);
}

/* Every field of every object taken away, then set to null, then to a string: all formats end, none crashes. */
static void all_formats(const json_t *record)
{
	struct xt_buf script = {0};
	struct xt_err err = {0};
	char *text = NULL;
	size_t len = 0;
	FILE *out = open_memstream(&text, &len);

	xt_report_table(record, out, &err);
	xt_report_csv(record, out, &err);
	xt_report_html(record, out, &err);
	xt_plot_script(record, XT_PICTURE_PNG, &script, &err);
	fclose(out);
	/* printf's own words for what is no number must not get through. */
	assert_null(strstr(text, "nan"));
	assert_null(strstr(text, "inf,"));
	assert_null(strstr(text, "inf]"));
	if (script.data) {
		assert_null(strstr(script.data, " nan"));
		assert_null(strstr(script.data, "[inf"));
	}
	free(text);
	xt_buf_free(&script);
}

static void maim(const json_t *record, json_t *value)
{
	json_t *names = json_array();
	json_t *member;
	const char *key;
	size_t i;

	json_array_foreach(value, i, member) maim(record, member);
	/* Taking a field out and putting it back moves it to the end, so the names are noted first. */
	json_object_foreach(value, key, member) json_array_append_new(names, json_string(key));
	json_array_foreach(names, i, member)
	{
		json_t *kept;

		key = json_string_value(member);
		kept = json_incref(json_object_get(value, key));
		maim(record, kept);
		json_object_set_new(value, key, json_null());
		all_formats(record);
		json_object_set_new(value, key, json_string("no number"));
		all_formats(record);
		json_object_del(value, key);
		all_formats(record);
		json_object_set_new(value, key, kept);
	}
	json_decref(names);
}

static void test_broken_records(void **state)
{
	char *path = strdup(getenv("PATH"));

	(void)state;
	setenv("PATH", "/nowhere", 1); /* a picture for each of thousands of pages would take minutes */
	for (size_t i = 0; i < FIXTURES; i++) {
		json_t *record = load(fixtures[i]);
		json_t *points = json_object_get(record, "points");

		if (json_array_size(points) > 1) /* one point is as good as five, and faster */
			while (json_array_size(points) > 1)
				json_array_remove(points, 1);
		if (json_array_size(json_object_get(record, "records")))
			json_array_clear(json_object_get(record, "records"));
		maim(record, record);
		json_decref(record);
	}
	setenv("PATH", path, 1);
	free(path);
}

/* The page holds the record as it is, whatever texts are in it, and nothing that runs or is fetched. */
static void test_html(void **state)
{
	static const char begin[] = "<script id=\"record\" type=\"application/json\">";
	json_t *record = load("reproduce-2007");
	json_t *claim = json_array_get(json_object_get(record, "claims"), 0);
	const char *at;
	char *page, *end;
	json_t *back;

	(void)state;
	json_object_set_new(claim, "reason", json_string("</script><script>alert('\xc3\xa9')</script> & \"<b>\""));
	page = written(record, xt_report_html);
	at = strstr(page, begin);
	assert_non_null(at);
	assert_null(strstr(page, "alert('\xc3\xa9')</script>"));
	assert_non_null(
		strstr(page, "&lt;/script&gt;&lt;script&gt;alert('\xc3\xa9')&lt;/script&gt; &amp; &quot;&lt;b&gt;"));
	at += strlen(begin);
	end = strstr(at, "</script>");
	assert_non_null(end);
	assert_null(strstr(end + 1, "<script"));
	*end = '\0';
	back = json_loads(at, 0, NULL);
	assert_true(json_equal(back, record));
	assert_null(strstr(page, "src="));
	assert_null(strstr(page, "@import"));
	assert_non_null(strstr(page, "+6.5 [+6.1, +6.9]"));
	assert_non_null(strstr(page, "667, 738: +10.5 %"));
	json_decref(back);
	json_decref(record);
	free(page);
}

static void test_nothing_to_show(void **state)
{
	json_t *record = load("ab-two");
	struct xt_buf script = {0};
	struct xt_err err = {0};
	char *text;

	(void)state;
	json_array_clear(json_object_get(record, "points"));
	text = written(record, xt_report_table);
	assert_non_null(strstr(text, "no point was measured"));
	free(text);
	assert_false(xt_report_drawable(record));
	assert_int_equal(xt_plot_script(record, XT_PICTURE_SVG, &script, &err), -1);
	assert_int_equal(err.kind, XT_ERR_USAGE);
	assert_non_null(strstr(err.text, "no points"));
	json_decref(record);
	record = load("clocks");
	assert_int_equal(xt_plot_script(record, XT_PICTURE_SVG, &script, &err), -1);
	assert_non_null(strstr(err.text, "xtime.clocks/1"));
	json_decref(record);
	record = json_pack("{s:s}", "schema", "other/1");
	assert_int_equal(xt_report_table(record, stdout, &err), -1);
	assert_non_null(strstr(err.text, "other/1"));
	json_decref(record);
	xt_buf_free(&script);
}

static void test_full_disk(void **state)
{
	json_t *record = load("ab-two");
	struct xt_err err = {0};
	FILE *out = fopen("/dev/full", "w");

	(void)state;
	assert_non_null(out);
	assert_int_equal(xt_report_table(record, out, &err), -1);
	assert_int_equal(err.kind, XT_ERR_FAILED);
	assert_non_null(strstr(err.text, "No space left"));
	assert_int_equal(xt_report_csv(record, out, &err), -1);
	fclose(out);
	json_decref(record);
}

/* More arms than letters of the table's second column would need: fifteen, and long names. */
static void test_many_arms(void **state)
{
	json_t *record = load("ab-three");
	json_t *point = json_array_get(json_object_get(record, "points"), 0);
	struct xt_buf script = {0};
	struct xt_err err = {0};
	char *text;

	(void)state;
	for (int i = 0; i < 12; i++) {
		char name[512];
		json_t *arm = json_deep_copy(json_array_get(json_object_get(record, "arms"), 1));
		json_t *mine = json_deep_copy(json_array_get(json_object_get(point, "arms"), 1));
		json_t *c = json_deep_copy(json_array_get(json_object_get(point, "comparisons"), 0));

		snprintf(name, sizeof(name), "plugin:/very/long/%0300d.so:f%d", i, i);
		json_object_set_new(arm, "name", json_string(name));
		json_object_set_new(mine, "name", json_string(name));
		json_object_set_new(c, "arm", json_string(name));
		json_array_insert_new(json_object_get(record, "arms"), 3, arm);
		json_array_append_new(json_object_get(point, "arms"), mine);
		json_array_append_new(json_object_get(point, "comparisons"), c);
	}
	text = written(record, xt_report_table);
	assert_non_null(strstr(text, "\n      1  O "));
	free(text);
	assert_int_equal(xt_plot_script(record, XT_PICTURE_SVG, &script, &err), 0);
	xt_buf_free(&script);
	json_decref(record);
}

static void test_grid(void **state)
{
	struct xt_grid grid = {.left = 2};
	char *text = NULL;
	size_t len = 0;
	FILE *out = open_memstream(&text, &len);

	(void)state;
	xt_grid_cell(&grid, "n");
	xt_grid_cell(&grid, "caf\xc3\xa9");
	xt_grid_end_row(&grid);
	xt_grid_cell(&grid, "100");
	xt_grid_cell(&grid, "a\tb");
	xt_grid_cell(&grid, "%s", "");
	xt_grid_end_row(&grid);
	xt_grid_print(&grid, out);
	xt_grid_free(&grid);
	xt_grid_wrap(out, "* ", "  one two\n three ");
	xt_grid_wrap(out, "  ", "");
	xt_grid_note(out, "  ", "%0*d %0*d %%", 60, 1, 36, 2);
	fclose(out);
	assert_string_equal(text, "  n  caf\xc3\xa9\n100  a b\n* one two three\n  \n"
	                          "  000000000000000000000000000000000000000000000000000000000001\n"
	                          "  000000000000000000000000000000000002 %\n");
	free(text);
}

static void test_formats(void **state)
{
	(void)state;
	for (const struct xt_report_format *format = xt_report_formats; format->name; format++) {
		assert_ptr_equal(xt_report_format_find(format->name), format);
		assert_true(format->write || format->single); /* a picture is a file of its own */
	}
	assert_null(xt_report_format_find("nothing"));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_golden_tables),  cmocka_unit_test(test_golden_csv),
		cmocka_unit_test(test_saved_is_shown), cmocka_unit_test(test_plot_values),
		cmocka_unit_test(test_plot_quoting),   cmocka_unit_test(test_gnuplot),
		cmocka_unit_test(test_broken_records), cmocka_unit_test(test_nothing_to_show),
		cmocka_unit_test(test_full_disk),      cmocka_unit_test(test_html),
		cmocka_unit_test(test_many_arms),      cmocka_unit_test(test_grid),
		cmocka_unit_test(test_formats),
	};

	return cmocka_run_group_tests_name("report", tests, NULL, NULL);
}
