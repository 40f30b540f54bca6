/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Records: what the head holds, passwords, files that are whole or not there, and broken input.
 */
#include "record/host.h"
#include "record/record.h"
#include "record/schema.h"
#include "record/strike.h"

#include <dirent.h>
#include <fcntl.h>
#include <locale.h>
#include <math.h>
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>

static char folder[64];

static int make_folder(void **state)
{
	(void)state;
	strcpy(folder, "/tmp/xtime-test-XXXXXX");
	return mkdtemp(folder) ? 0 : -1;
}

static int remove_folder(void **state)
{
	char command[128];

	(void)state;
	snprintf(command, sizeof(command), "rm -rf '%s'", folder);
	return system(command);
}

static const char *in_folder(const char *name)
{
	static char path[256];

	snprintf(path, sizeof(path), "%s/%s", folder, name);
	return path;
}

static int files_in_folder(void)
{
	DIR *dir = opendir(folder);
	int n = 0;

	assert_non_null(dir);
	for (struct dirent *entry; (entry = readdir(dir));)
		n += strcmp(entry->d_name, ".") && strcmp(entry->d_name, "..");
	closedir(dir);
	return n;
}

static void put(const char *path, const char *text)
{
	FILE *out = fopen(path, "w");

	assert_non_null(out);
	fputs(text, out);
	fclose(out);
}

static void test_head(void **state)
{
	char *argv[] = {"xtime", "ab", "--pgsql-password=secret", NULL};
	json_t *record = xt_record_new(XT_SCHEMA_AB, 3, argv, 42);
	json_t *host;
	const char *started;
	char name[256];

	(void)state;
	assert_non_null(record);
	assert_string_equal(json_string_value(json_object_get(record, "schema")), "xtime.ab/1");
	started = json_string_value(json_object_get(record, "started"));
	assert_int_equal(strlen(started), strlen("2007-06-25T00:00:00Z"));
	assert_true(started[10] == 'T' && started[19] == 'Z' && started[0] == '2');
	assert_int_equal(json_integer_value(json_object_get(record, "seed")), 42);
	assert_true(json_is_false(json_object_get(record, "interrupted")));
	assert_string_equal(json_string_value(json_array_get(json_object_get(record, "argv"), 2)),
	                    "--pgsql-password=***");
	host = json_object_get(record, "host");
	assert_true(json_is_string(json_object_get(host, "kernel")));
	assert_true(json_string_length(json_object_get(host, "cpu")) > 0);
	assert_int_equal(json_integer_value(json_object_get(host, "cpus")), xt_host_cpus());
	assert_true(json_is_array(json_object_get(host, "clocksources")));
	assert_true(json_integer_value(json_object_get(host, "coarse_resolution_ns")) > 0);
	assert_true(json_is_string(json_object_get(host, "virtualization")));
	assert_true(json_is_boolean(json_object_get(host, "traced")));
	/* No host name anywhere. */
	if (!gethostname(name, sizeof(name)) && strlen(name) > 3) {
		char *text = xt_record_text(record);

		assert_null(strstr(text, name));
		free(text);
	}
	json_decref(record);
}

static void test_passwords(void **state)
{
	static const char *const row[][2] = {
		{"--pgsql-password=s3cret", "--pgsql-password=***"},
		{"--pgsql_password=s3cret", "--pgsql_password=***"},
		{"--pgsql-password-file=x", "--pgsql-password-file=x"},
		{"host=/tmp password=s3cret dbname=x", "host=/tmp password=*** dbname=x"},
		{"password = 's3 \\' cret' dbname=x", "password = *** dbname=x"},
		{"password=s\\ 3 dbname=x", "password=*** dbname=x"},
		{"sslpassword=s3cret", "sslpassword=***"},
		{"PASSWORD=s3cret", "PASSWORD=***"},
		{"password='s3cret", "password=***"},
		{"--pgsql-conninfo=password=s3cret", "--pgsql-conninfo=password=***"},
		{"postgresql://u:s3cret@host:5432/db", "postgresql://u:***@host:5432/db"},
		{"postgres://u:s3@cret@host/db", "postgres://u:***@host/db"},
		{"postgresql://host:5432/db@x", "postgresql://host:5432/db@x"},
		{"postgresql://u@host:5432/db", "postgresql://u@host:5432/db"},
		{"postgresql://host/db?user=u&password=s3cret&port=1",
	         "postgresql://host/db?user=u&password=***&port=1"},
		{"--db=postgresql://u:s3cret@h/a", "--db=postgresql://u:***@h/a"},
		{"no password here", "no password here"},
		{"--threads=1-5", "--threads=1-5"},
		{"", ""},
		{"caf\xc3\xa9 \xe9 \xff", "caf\xc3\xa9 ? ?"},
	};

	(void)state;
	for (size_t i = 0; i < sizeof(row) / sizeof(*row); i++) {
		char *argv[] = {(char *)row[i][0], NULL};
		json_t *list = xt_strike_passwords(1, argv);

		assert_string_equal(json_string_value(json_array_get(list, 0)), row[i][1]);
		json_decref(list);
	}
	char *argv[] = {"run", "--pgsql-password", "s3cret", "--threads=1", NULL};
	json_t *list = xt_strike_passwords(4, argv);

	assert_string_equal(json_string_value(json_array_get(list, 2)), "***");
	assert_string_equal(json_string_value(json_array_get(list, 3)), "--threads=1");
	json_decref(list);
}

static void test_numbers(void **state)
{
	json_t *object = json_object();
	json_t *back;
	char *text;

	(void)state;
	assert_true(json_is_null(xt_json_number(NAN)));
	assert_true(json_is_null(xt_json_number(INFINITY)));
	json_object_set_new(object, "third", xt_json_number(1.0 / 3));
	json_object_set_new(object, "tenth", xt_json_number(0.1));
	json_object_set_new(object, "big", xt_json_number(1234567890123456.0));
	json_object_set_new(object, "tps", xt_json_number(7205.5));
	/* A comma as the decimal point, where such a locale is installed. */
	if (!setlocale(LC_ALL, "de_DE.UTF-8"))
		setlocale(LC_ALL, "fr_FR.UTF-8");
	text = xt_record_text(object);
	setlocale(LC_ALL, "C");
	assert_non_null(strstr(text, "\"tenth\": 0.1,"));
	assert_non_null(strstr(text, "\"third\": 0.333333333333,"));
	assert_non_null(strstr(text, "\"tps\": 7205.5"));
	assert_int_equal(text[strlen(text) - 1], '\n');
	back = json_loads(text, 0, NULL);
	assert_true(json_equal(back, object)); /* what is read is what was kept */
	json_decref(back);
	json_decref(object);
	free(text);
}

static void test_save(void **state)
{
	json_t *record = json_pack("{s:s}", "schema", "x");
	struct xt_err err = {0};
	char path[256], link[256];
	struct stat st;
	json_t *back;

	(void)state;
	strcpy(path, in_folder("a.json"));
	assert_int_equal(xt_record_save(record, path, &err), 0);
	assert_int_equal(chmod(path, 0640), 0);
	json_object_set_new(record, "more", json_integer(1));
	assert_int_equal(xt_record_save(record, path, &err), 0);
	assert_int_equal(stat(path, &st), 0);
	assert_int_equal(st.st_mode & 0777, 0640);
	back = json_load_file(path, 0, NULL);
	assert_true(json_equal(back, record));
	json_decref(back);
	assert_int_equal(files_in_folder(), 1);

	/* Through a link the file it leads to is replaced, not the link. */
	strcpy(link, in_folder("link.json"));
	assert_int_equal(symlink("a.json", link), 0);
	json_object_set_new(record, "more", json_integer(2));
	assert_int_equal(xt_record_save(record, link, &err), 0);
	assert_int_equal(lstat(link, &st), 0);
	assert_true(S_ISLNK(st.st_mode));
	back = json_load_file(path, 0, NULL);
	assert_int_equal(json_integer_value(json_object_get(back, "more")), 2);
	json_decref(back);

	/* A new folder is made, one level; no more than one. */
	assert_int_equal(xt_record_save(record, in_folder("new/a.json"), &err), 0);
	assert_int_equal(xt_record_save(record, in_folder("x/y/a.json"), &err), -1);
	assert_non_null(strstr(err.text, "x/y/a.json: cannot be written: No such file"));
	assert_int_equal(err.kind, XT_ERR_FAILED);
	assert_int_equal(xt_record_save(record, folder, &err), -1);
	assert_int_equal(xt_record_save(record, "/dev/null", &err), 0);
	assert_int_equal(stat("/dev/null", &st), 0);
	assert_true(S_ISCHR(st.st_mode));
	json_decref(record);
}

/* Out of space in the middle: the old file whole, no temporary name left. The limit on file size stands in for the
 * disk, in a child since it cannot be raised again. */
static void test_save_full_disk(void **state)
{
	json_t *record = json_pack("{s:s}", "schema", "x");
	struct xt_err err = {0};
	char path[256];
	int status, files;
	json_t *back;
	pid_t pid;

	(void)state;
	strcpy(path, in_folder("full.json"));
	assert_int_equal(xt_record_save(record, path, &err), 0);
	files = files_in_folder();
	pid = fork();
	if (pid == 0) {
		struct rlimit limit = {100, 100};

		signal(SIGXFSZ, SIG_IGN);
		setrlimit(RLIMIT_FSIZE, &limit);
		for (int i = 0; i < 100; i++) {
			char key[16];

			snprintf(key, sizeof(key), "k%d", i);
			json_object_set_new(record, key, json_integer(i));
		}
		_exit(xt_record_save(record, path, &err) == -1 && strstr(err.text, "File too large") ? 0 : 1);
	}
	assert_int_equal(waitpid(pid, &status, 0), pid);
	assert_int_equal(status, 0);
	assert_int_equal(files_in_folder(), files);
	back = json_load_file(path, 0, NULL);
	assert_true(json_equal(back, record));
	json_decref(back);
	json_decref(record);
	unlink(path);
}

static void test_path(void **state)
{
	char path[512], again[512], output[128];
	struct xt_err err = {0};

	(void)state;
	assert_int_equal(xt_record_path(path, sizeof(path), "x.json", "ab", "oltp_time"), 0);
	assert_string_equal(path, "x.json");
	assert_int_equal(xt_record_path(path, sizeof(path), "not-there/", "ab", "oltp_time"), 0);
	assert_int_equal(strncmp(path, "not-there/ab-oltp_time-2", 24), 0);
	assert_string_equal(path + strlen(path) - 6, "Z.json");
	assert_int_equal(xt_record_path(path, sizeof(path), folder, "ab", "dir/my script.sql"), 0);
	snprintf(output, sizeof(output), "%s/ab-my-script-2", folder);
	assert_int_equal(strncmp(path, output, strlen(output)), 0);
	put(path, "{}");
	assert_int_equal(xt_record_path(again, sizeof(again), folder, "ab", "dir/my script.sql"), 0);
	assert_string_not_equal(path, again);
	unlink(path);
	assert_int_equal(xt_record_path(path, sizeof(path), folder, "clocks", NULL), 0);
	snprintf(output, sizeof(output), "%s/clocks-2", folder);
	assert_int_equal(strncmp(path, output, strlen(output)), 0);
	assert_int_equal(xt_record_path(path, 10, folder, "clocks", NULL), -1);

	assert_int_equal(xt_record_check_path(in_folder("x.json"), &err), 0);
	assert_int_equal(xt_record_check_path(in_folder("new-one/x.json"), &err), 0);
	assert_int_equal(xt_record_check_path(in_folder("no/no/x.json"), &err), -1);
	assert_int_equal(err.kind, XT_ERR_USAGE);
	assert_non_null(strstr(err.text, "no/no/x.json"));
	assert_int_equal(xt_record_check_path("", &err), -1);
	assert_int_equal(xt_record_check_path(folder, &err), -1);
}

static json_t *load_text(const char *text, struct xt_err *err)
{
	put(in_folder("broken.json"), text);
	return xt_record_load(in_folder("broken.json"), err);
}

#define HEAD                                                                                                           \
	"\"version\":\"1\",\"started\":\"x\",\"argv\":[\"xtime\"],\"interrupted\":false,"                              \
	"\"host\":{\"kernel\":\"6\",\"cpu\":\"c\",\"cpus\":2,\"clocksource\":null}"
#define AB_HEAD                                                                                                        \
	"{\"schema\":\"xtime.ab/1\"," HEAD ",\"workload\":{\"name\":\"w\"},\"driver\":{\"name\":\"null\"},"            \
	"\"arms\":[{\"name\":\"a\",\"role\":\"base\"}]"

static void test_load(void **state)
{
	static const char *const row[][2] = {
		{"", "broken.json:1:0: not a JSON record"},
		{"{\"schema\":", "broken.json:1:10: not a JSON record"},
		{"[]", "broken.json: not a record: an object was expected"},
		{"{}", "broken.json: not a record: field schema is missing"},
		{"{\"schema\":1}", "field schema is missing or no string"},
		{"{\"schema\":\"xtime.ab/2\"}", "field schema is 'xtime.ab/2'; known: xtime.run/1, xtime.ab/1"},
		{"{\"schema\":\"xtime.ab/1\"}", "broken.json: field version is missing"},
		{"{\"schema\":\"xtime.ab/1\",\"schema\":\"xtime.ab/1\"}", "duplicate"},
		{AB_HEAD "}", "field points is missing"},
		{AB_HEAD ",\"points\":{}}", "field points must be an array"},
		{AB_HEAD ",\"points\":[1]}", "field points[0] must be an object"},
		{AB_HEAD ",\"points\":[null]}", "field points[0] must be an object"},
		{AB_HEAD ",\"points\":[{}]}", "field points[0].threads is missing"},
		{AB_HEAD ",\"points\":[{\"threads\":\"one\"}]}", "field points[0].threads must be a whole number"},
		{AB_HEAD ",\"points\":[{\"threads\":null}]}", "field points[0].threads must be a whole number"},
		{"{\"schema\":\"xtime.reproduce/1\"," HEAD ",\"which\":\"2007\",\"claims\":[],\"records\":[{}]}",
	         "broken.json: records[0]: not a record: field schema"},
		{"{\"schema\":\"xtime.reproduce/1\"," HEAD
	         ",\"which\":\"2007\",\"claims\":[],\"records\":[{\"schema\":\"xtime.reproduce/1\"}]}",
	         "records[0].schema"},
		{"{\"schema\":\"xtime.reproduce/1\"," HEAD
	         ",\"which\":\"2007\",\"claims\":[{\"id\":5}],\"records\":[]}",
	         "field claims[0].id must be a string"},
	};
	struct xt_err err;
	json_t *record;

	(void)state;
	for (size_t i = 0; i < sizeof(row) / sizeof(*row); i++) {
		err = (struct xt_err){0};
		assert_null(load_text(row[i][0], &err));
		assert_int_equal(err.kind, XT_ERR_USAGE);
		assert_non_null(strstr(err.text, "broken.json"));
		if (!strstr(err.text, row[i][1]))
			fail_msg("'%s' is not in '%s'", row[i][1], err.text);
	}
	assert_null(xt_record_load(in_folder("none.json"), &err));
	assert_non_null(strstr(err.text, "none.json: No such file"));
	assert_null(xt_record_load(folder, &err));
	assert_non_null(strstr(err.text, "is a folder"));
	record = load_text(AB_HEAD ",\"points\":[]}", &err); /* interrupted before the first point */
	assert_non_null(record);
	json_decref(record);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_head), cmocka_unit_test(test_passwords),      cmocka_unit_test(test_numbers),
		cmocka_unit_test(test_save), cmocka_unit_test(test_save_full_disk), cmocka_unit_test(test_path),
		cmocka_unit_test(test_load),
	};

	return cmocka_run_group_tests_name("record", tests, make_folder, remove_folder);
}
