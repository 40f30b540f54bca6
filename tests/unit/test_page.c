/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * shim/page: making, handing over, flipping and reading the control page; and claiming blocks (shim/count).
 */
#include "clock/env.h"
#include "shim/count.h"
#include "shim/page.h"
#include "shim/page_layout.h"

#include <errno.h>
#include <fcntl.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>

static void test_page_in_memory(void **state)
{
	struct xt_page *page, *again;
	char env[64];
	int fd;

	(void)state;
	assert_int_equal(xt_page_create(&page, &fd, NULL), 0);
	assert_true(fd >= 100);
	assert_int_equal(fcntl(fd, F_GETFD) & FD_CLOEXEC, 0);
	assert_int_equal(xt_page_owner(page), getpid());
	assert_int_equal(xt_page_attached(page), 0);
	assert_int_equal(xt_page_swap(page), XT_SWAP_TIME);
	assert_true(xt_page_env_format(fd, env, sizeof(env)) > 5);
	assert_int_equal(xt_page_env_fd(env), fd);
	assert_int_equal(xt_page_map_fd(&again, fd), 0);
	xt_page_flip(page, 12345, 3);
	assert_int_equal(xt_word_slice(*xt_page_word(again)), 12345);
	assert_int_equal(xt_word_arm(*xt_page_word(again)), 3);
	/* It cannot be made smaller under a mapping. */
	assert_int_equal(ftruncate(fd, 0), -1);
	xt_page_unmap(again);
	xt_page_unmap(page);
	close(fd);
	assert_int_equal(xt_page_env_fd(env), -1);
}

static void test_page_env_is_checked(void **state)
{
	static const char *const bad[] = {"",           "fd",       "fd:100",    "fd:100:",   "fd::1",
	                                  "fd:-1:1",    "fd:3:1",   "fd:100:1x", "file:/etc", "fd:99999999999:1",
	                                  "fd:100:1:2", "fd: 100:1"};
	char env[64];
	int fd;

	(void)state;
	assert_int_equal(xt_page_env_fd(NULL), -1);
	for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); i++)
		if (xt_page_env_fd(bad[i]) != -1)
			fail_msg("'%s' was accepted", bad[i]);
	/* The right number, another file behind it. */
	fd = fcntl(STDERR_FILENO, F_DUPFD, 100);
	snprintf(env, sizeof(env), "fd:%d:1", fd);
	assert_int_equal(xt_page_env_fd(env), -1);
	close(fd);
}

static void test_page_of_another_version(void **state)
{
	struct xt_page *page, *again;
	uint32_t version = XT_PAGE_VERSION + 1;
	uint64_t magic = 1;
	int fd;

	(void)state;
	assert_int_equal(xt_page_create(&page, &fd, NULL), 0);
	assert_int_equal(pwrite(fd, &version, sizeof(version), 8), sizeof(version));
	assert_int_equal(xt_page_map_fd(&again, fd), -1);
	assert_int_equal(errno, EPROTO);
	assert_int_equal(pwrite(fd, &magic, sizeof(magic), 0), sizeof(magic));
	assert_int_equal(xt_page_map_fd(&again, fd), -1);
	assert_int_equal(errno, EINVAL);
	xt_page_unmap(page);
	close(fd);
	fd = open("/dev/null", O_RDWR);
	assert_int_equal(xt_page_map_fd(&again, fd), -1);
	close(fd);
	assert_int_equal(xt_page_map_fd(&again, fd), -1);
	assert_int_equal(errno, EBADF);
}

static void test_page_in_a_file(void **state)
{
	char folder[] = "/tmp/xt-page-XXXXXX", path[64];
	struct xt_page *page, *again;
	struct stat st;
	int fd, other;

	(void)state;
	assert_non_null(mkdtemp(folder));
	snprintf(path, sizeof(path), "%s/page", folder);
	assert_int_equal(xt_page_create(&page, &fd, path), 0);
	assert_int_equal(stat(path, &st), 0);
	assert_int_equal(st.st_mode & 0777, 0600);
	assert_int_equal(xt_page_create(&again, &other, path), -1);
	assert_int_equal(errno, EEXIST);
	assert_int_equal(xt_page_map_file(&again, &other, path), 0);
	xt_page_set_swap(page, XT_SWAP_GETTIMEOFDAY);
	assert_int_equal(xt_page_swap(again), XT_SWAP_GETTIMEOFDAY);
	xt_page_unmap(again);
	xt_page_unmap(page);
	close(fd);
	close(other);
	unlink(path);
	assert_int_equal(xt_page_map_file(&again, &other, path), -1);
	assert_int_equal(errno, ENOENT);
	rmdir(folder);
}

static void test_arms_and_swap_make_routes(void **state)
{
	const struct xt_arm coarse = {.source = XT_SOURCE_COARSE}, bad = {.source = XT_SOURCES};
	const struct xt_arm plugin = {.source = XT_SOURCE_PLUGIN}, constant = {.source = XT_SOURCE_CONSTANT};
	struct xt_page *page;
	int fd;

	(void)state;
	assert_int_equal(xt_page_create(&page, &fd, NULL), 0);
	assert_int_equal(xt_page_set_arm(page, 2, &coarse, NULL), 0);
	assert_int_equal(page->route[XT_FN_TIME][2], XT_SOURCE_COARSE);
	assert_int_equal(page->route[XT_FN_GETTIMEOFDAY][2], XT_SOURCE_LIBC);
	xt_page_set_swap(page, XT_SWAP_GETTIMEOFDAY);
	assert_int_equal(page->route[XT_FN_TIME][2], XT_SOURCE_LIBC);
	assert_int_equal(page->route[XT_FN_GETTIMEOFDAY][2], XT_SOURCE_COARSE);
	assert_int_equal(xt_page_set_arm(page, XT_MAX_ARMS, &coarse, NULL), -1);
	assert_int_equal(xt_page_set_arm(page, 0, &bad, NULL), -1);
	assert_int_equal(xt_page_set_arm(page, 0, &plugin, NULL), -1);
	assert_int_equal(xt_page_set_arm(page, 0, &plugin, "/a.so:f"), 0);
	assert_int_equal(xt_page_set_arm(page, 1, &plugin, "/b.so"), 0);
	assert_int_equal(xt_page_set_arm(page, 3, &plugin, "/a.so:f"), 0);
	assert_int_equal(page->arms[0].plugin, page->arms[3].plugin);
	assert_int_not_equal(page->arms[0].plugin, page->arms[1].plugin);
	assert_int_equal(xt_page_set_arm(page, 4, &constant, NULL), 0);
	assert_int_equal(page->state.constant, 0);
	xt_page_flip(page, 1, 4);
	assert_true(page->state.constant >> 30 > 1500000000);
	xt_page_unmap(page);
	close(fd);
}

static pid_t in_child(struct xt_page *page, unsigned calls)
{
	pid_t pid = fork();

	if (!pid) {
		struct xt_block *block = xt_count_claim(page);

		if (block)
			atomic_fetch_add(&block->calls[1][XT_FN_TIME], calls);
		_exit(!block);
	}
	return pid;
}

static void test_counts_outlive_their_owner(void **state)
{
	struct xt_page_row *rows;
	struct xt_page *page;
	size_t count;
	int fd, status;
	pid_t pid;

	(void)state;
	assert_int_equal(xt_page_create(&page, &fd, NULL), 0);
	pid = in_child(page, 7);
	assert_int_equal(waitpid(pid, &status, 0), pid);
	assert_int_equal(status, 0);
	assert_int_equal(xt_page_snapshot(page, &rows, &count), 0);
	assert_int_equal(count, 3);
	assert_int_equal(rows[0].pid, pid);
	assert_int_equal(rows[0].tid, pid);
	assert_string_equal(rows[0].comm, "test_page");
	assert_int_equal(rows[0].calls[XT_FN_TIME][1], 7);
	assert_int_equal(rows[0].calls[XT_FN_TIME][0], 0);
	free(rows);
	xt_page_unmap(page);
	close(fd);
}

/* Once every block is taken, those of the dead are used again and their counts kept. */
static void test_blocks_of_the_dead_are_taken_over(void **state)
{
	struct xt_page_row *rows;
	struct xt_page *page;
	struct xt_block *blocks;
	uint64_t total = 0;
	size_t count;
	int fd, status;
	pid_t dead;

	(void)state;
	assert_int_equal(xt_page_create(&page, &fd, NULL), 0);
	dead = in_child(page, 5);
	assert_int_equal(waitpid(dead, &status, 0), dead);
	/* The other blocks belong to somebody who lives. */
	blocks = xt_page_blocks(page);
	for (unsigned i = 1; i < XT_PAGE_BLOCKS; i++)
		atomic_store(&blocks[i].owner, (uint64_t)getppid() << 32 | (uint32_t)getppid());
	atomic_store(&page->next, XT_PAGE_BLOCKS);
	assert_ptr_equal(xt_count_claim(page), &blocks[0]);
	assert_int_equal(atomic_load(&blocks[0].owner), (uint64_t)getpid() << 32 | (uint32_t)getpid());
	assert_int_equal(atomic_load(&blocks[0].calls[1][XT_FN_TIME]), 0);
	assert_int_equal(atomic_load(&page->retired.calls[1][XT_FN_TIME]), 5);
	/* All owners live: none is free. */
	atomic_store(&blocks[0].owner, (uint64_t)getppid() << 32 | (uint32_t)getppid());
	assert_null(xt_count_claim(page));
	assert_int_equal(xt_page_snapshot(page, &rows, &count), 0);
	for (size_t i = 0; i < count; i++)
		total += rows[i].calls[XT_FN_TIME][1];
	assert_int_equal(total, 5);
	free(rows);
	xt_page_unmap(page);
	close(fd);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_page_in_memory),
		cmocka_unit_test(test_page_env_is_checked),
		cmocka_unit_test(test_page_of_another_version),
		cmocka_unit_test(test_page_in_a_file),
		cmocka_unit_test(test_arms_and_swap_make_routes),
		cmocka_unit_test(test_counts_outlive_their_owner),
		cmocka_unit_test(test_blocks_of_the_dead_are_taken_over),
	};

	xt_clock_init(NULL);
	return cmocka_run_group_tests(tests, NULL, NULL);
}
