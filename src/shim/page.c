/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The harness's side of the control page: making it, handing it over, flipping it and reading its counts. The shim's
 * side is count.c. No dependency on base, so that nothing of the harness slips into what both sides share.
 */
#include "config.h"

#include "shim/page.h"

#include "clock/raw.h"
#include "shim/page_layout.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

enum { FIRST_FD = 100 }; /* out of the way of programs that expect their files at low numbers */

static int map(struct xt_page **out, int fd)
{
	void *at = mmap(NULL, sizeof(struct xt_page_file), PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);

	if (at == MAP_FAILED)
		return -1;
	*out = at;
	return 0;
}

static void fail(int fd, const char *path)
{
	int kept = errno;

	if (fd >= 0)
		close(fd);
	if (path)
		unlink(path);
	errno = kept;
}

/* Above FIRST_FD and without close-on-exec: programs under test inherit it. */
static int raise_fd(int low)
{
	int fd = fcntl(low, F_DUPFD, FIRST_FD);

	if (fd < 0 && errno == EINVAL)
		errno = EMFILE; /* what it means here: the limit is lower than that */
	fail(low, NULL);
	return fd;
}

static void fill(struct xt_page *page)
{
	page->version = XT_PAGE_VERSION;
	page->size = sizeof(struct xt_page_file);
	atomic_store(&page->owner, (uint32_t)getpid());
	atomic_store(&page->swap, XT_SWAP_TIME);
	for (unsigned i = 0; i < XT_MAX_ARMS; i++)
		xt_page_set_arm(page, i, &(struct xt_arm){.source = XT_SOURCE_LIBC}, NULL);
	xt_page_flip(page, 0, 0);
	page->magic = XT_PAGE_MAGIC;
}

int xt_page_create(struct xt_page **out, int *fd, const char *path)
{
	int low, high;

	*out = NULL;
	*fd = -1;
	low = path ? open(path, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0600)
	           : memfd_create("xtime-page", MFD_CLOEXEC | MFD_ALLOW_SEALING);
	if (low < 0)
		return -1;
	if (ftruncate(low, sizeof(struct xt_page_file))) {
		fail(low, path);
		return -1;
	}
	/* A page that cannot shrink cannot raise SIGBUS in a host. */
	if (!path)
		fcntl(low, F_ADD_SEALS, F_SEAL_SHRINK | F_SEAL_GROW);
	high = raise_fd(low);
	if (high < 0 || map(out, high)) {
		fail(high, path);
		return -1;
	}
	fill(*out);
	*fd = high;
	return 0;
}

int xt_page_map_fd(struct xt_page **out, int fd)
{
	struct stat st;

	*out = NULL;
	if (fstat(fd, &st))
		return -1;
	if (!S_ISREG(st.st_mode) || st.st_size < (off_t)sizeof(uint64_t[2])) {
		errno = EINVAL;
		return -1;
	}
	/* Magic and version first: a page of another version may have another size. */
	struct {
		uint64_t magic;
		uint32_t version, size;
	} head;
	if (pread(fd, &head, sizeof(head), 0) != (ssize_t)sizeof(head) || head.magic != XT_PAGE_MAGIC) {
		errno = EINVAL;
		return -1;
	}
	if (head.version != XT_PAGE_VERSION || head.size != sizeof(struct xt_page_file) ||
	    st.st_size != (off_t)sizeof(struct xt_page_file)) {
		errno = EPROTO;
		return -1;
	}
	return map(out, fd);
}

int xt_page_map_file(struct xt_page **out, int *fd, const char *path)
{
	int low = open(path, O_RDWR | O_CLOEXEC), high;

	*out = NULL;
	*fd = -1;
	if (low < 0)
		return -1;
	high = raise_fd(low);
	if (high < 0)
		return -1;
	if (xt_page_map_fd(out, high)) {
		fail(high, NULL);
		return -1;
	}
	*fd = high;
	return 0;
}

void xt_page_unmap(struct xt_page *page)
{
	if (page)
		munmap(page, sizeof(struct xt_page_file));
}

/* Digits up to end_char (or the end of the text for NUL); advances *text past it. -1 when there are none. */
static int64_t read_number(const char **text, char end_char)
{
	const char *at = *text;
	uint64_t value = 0;

	if (*at < '0' || *at > '9')
		return -1;
	for (; *at >= '0' && *at <= '9'; at++) {
		if (value > (INT64_MAX - 9) / 10)
			return -1;
		value = value * 10 + (uint64_t)(*at - '0');
	}
	if (*at != end_char)
		return -1;
	*text = at + (end_char != '\0');
	return (int64_t)value;
}

int xt_page_env_fd(const char *text)
{
	struct stat st;
	int64_t fd, inode;

	if (!text || strncmp(text, "fd:", 3))
		return -1;
	text += 3;
	fd = read_number(&text, ':');
	inode = fd < 0 ? -1 : read_number(&text, '\0');
	if (fd < FIRST_FD || fd > INT32_MAX || inode < 0)
		return -1;
	if (fstat((int)fd, &st) || st.st_ino != (ino_t)inode)
		return -1;
	return (int)fd;
}

size_t xt_page_env_format(int fd, char *buf, size_t cap)
{
	struct stat st;
	int len;

	if (!cap)
		return 0;
	buf[0] = '\0';
	if (fstat(fd, &st))
		return 0;
	len = snprintf(buf, cap, "fd:%d:%llu", fd, (unsigned long long)st.st_ino);
	return len < 0 ? 0 : (size_t)len < cap ? (size_t)len : cap - 1;
}

pid_t xt_page_owner(const struct xt_page *page)
{
	return (pid_t)atomic_load(&page->owner);
}

void xt_page_set_owner(struct xt_page *page, pid_t pid)
{
	atomic_store(&page->owner, (uint32_t)pid);
}

uint32_t xt_page_attached(const struct xt_page *page)
{
	return atomic_load(&page->attached);
}

const _Atomic uint64_t *xt_page_word(const struct xt_page *page)
{
	return &page->word;
}

void xt_page_flip(struct xt_page *page, uint64_t slice, unsigned arm)
{
	arm %= XT_MAX_ARMS;
	if (page->arms[arm].source == XT_SOURCE_CONSTANT) {
		struct timespec now = {0, 0};

		xt_raw2(SYS_clock_gettime, CLOCK_REALTIME, (long)&now);
		atomic_store_explicit(&page->state.constant, xt_stamp_pack(now.tv_sec, now.tv_nsec),
		                      memory_order_relaxed);
	}
	atomic_store_explicit(&page->word, slice << 8 | arm, memory_order_release);
}

static void route(struct xt_page *page, unsigned index)
{
	unsigned swap = atomic_load(&page->swap);

	for (unsigned fn = 0; fn < XT_FUNCTIONS; fn++)
		atomic_store_explicit(&page->route[fn][index], (uint8_t)xt_route_of(&page->arms[index], swap, fn),
		                      memory_order_release);
}

/* The slot that holds this text, or a free one filled with it; -1 when all are taken. */
static int plugin_slot(struct xt_page *page, const char *plugin)
{
	size_t len = strlen(plugin);

	if (!len || len >= XT_PAGE_PLUGIN_LEN) {
		errno = ENAMETOOLONG;
		return -1;
	}
	for (int i = 0; i < XT_PAGE_PLUGINS; i++) {
		if (!strcmp(page->plugins[i], plugin))
			return i;
		if (!page->plugins[i][0]) {
			memcpy(page->plugins[i], plugin, len + 1);
			return i;
		}
	}
	errno = ENOSPC;
	return -1;
}

int xt_page_set_arm(struct xt_page *page, unsigned index, const struct xt_arm *arm, const char *plugin)
{
	struct xt_arm copy = *arm;

	if (index >= XT_MAX_ARMS || arm->source >= XT_SOURCES) {
		errno = EINVAL;
		return -1;
	}
	if (arm->source == XT_SOURCE_PLUGIN) {
		int slot = plugin ? plugin_slot(page, plugin) : -1;

		if (slot < 0)
			return -1;
		copy.plugin = (uint32_t)slot;
	}
	page->arms[index] = copy;
	route(page, index);
	return 0;
}

void xt_page_set_swap(struct xt_page *page, unsigned swap)
{
	atomic_store(&page->swap, swap);
	for (unsigned i = 0; i < XT_MAX_ARMS; i++)
		route(page, i);
}

unsigned xt_page_swap(const struct xt_page *page)
{
	return atomic_load(&page->swap);
}

bool xt_page_serves(const struct xt_page *page, unsigned index, enum xt_function function)
{
	return index < XT_MAX_ARMS && !xt_arm_fits(&page->arms[index], xt_function_swap(function));
}

const char *xt_page_plugin(const struct xt_page *page, unsigned slot)
{
	return slot < XT_PAGE_PLUGINS && page->plugins[slot][0] ? page->plugins[slot] : NULL;
}

static void copy_row(struct xt_page_row *row, const struct xt_block *block, uint64_t owner)
{
	row->pid = (pid_t)(owner >> 32);
	row->tid = (pid_t)(owner & UINT32_MAX);
	memcpy(row->comm, block->comm, sizeof(row->comm));
	row->comm[sizeof(row->comm) - 1] = '\0';
	for (unsigned arm = 0; arm < XT_MAX_ARMS; arm++)
		for (unsigned fn = 0; fn < XT_FUNCTIONS; fn++)
			row->calls[fn][arm] = atomic_load_explicit(&block->calls[arm][fn], memory_order_relaxed);
}

int xt_page_snapshot(const struct xt_page *page, struct xt_page_row **rows, size_t *count)
{
	const struct xt_block *blocks = ((const struct xt_page_file *)(const void *)page)->blocks;
	uint32_t used = atomic_load(&page->next);
	size_t n = 0;

	if (used > XT_PAGE_BLOCKS)
		used = XT_PAGE_BLOCKS;
	*count = 0;
	*rows = calloc(used + 2u, sizeof(**rows));
	if (!*rows)
		return -1;
	for (uint32_t i = 0; i < used; i++) {
		uint64_t owner = atomic_load_explicit(&blocks[i].owner, memory_order_acquire);

		if (owner && owner != XT_BLOCK_BUSY)
			copy_row(&(*rows)[n++], &blocks[i], owner);
	}
	copy_row(&(*rows)[n++], &page->retired, 0);
	copy_row(&(*rows)[n++], &page->overflow, 0);
	*count = n;
	return 0;
}

uint64_t xt_page_fallbacks(const struct xt_page *page)
{
	return atomic_load_explicit(&page->state.fallbacks, memory_order_relaxed);
}
