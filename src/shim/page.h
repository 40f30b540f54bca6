/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The control page: shared memory between the harness and every process under the shim. The harness writes the word,
 * the arm descriptors and the swap set; each thread under the shim writes only its own counter block. Counts are never
 * reset: readers work with differences of two snapshots. All functions here: 0, or -1 with errno set.
 */
#ifndef XT_SHIM_PAGE_H
#define XT_SHIM_PAGE_H

#include "clock/arm.h"

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

struct xt_page; /* layout in shim/page_layout.h, for the shim and page.c alone */

/* The word: slice << 8 | arm. */
static inline unsigned xt_word_arm(uint64_t word)
{
	return word & 0xff;
}

static inline uint64_t xt_word_slice(uint64_t word)
{
	return word >> 8;
}

/* A new page in a memfd (fd >= 100, inherited across exec) owned by this pid, or in a new file (path not NULL, O_EXCL,
 * 0600). */
int xt_page_create(struct xt_page **out, int *fd, const char *path);
/* Maps the page of descriptor fd (checked: size, magic, version; EPROTO when of another version). */
int xt_page_map_fd(struct xt_page **out, int fd);
/* Opens an existing page file. */
int xt_page_map_file(struct xt_page **out, int *fd, const char *path);
void xt_page_unmap(struct xt_page *page);
/* From XTIME_PAGE ("fd:N:INODE"): the descriptor, or -1 when the text is bad or the inode is another's. */
int xt_page_env_fd(const char *text);
/* The value of XTIME_PAGE for fd, into buf; returns the length. */
size_t xt_page_env_format(int fd, char *buf, size_t cap);

pid_t xt_page_owner(const struct xt_page *page);
void xt_page_set_owner(struct xt_page *page, pid_t pid);
/* How many processes' shims have attached so far. */
uint32_t xt_page_attached(const struct xt_page *page);

/* The address of the word, for the workers' relaxed loads on the hot path. */
const _Atomic uint64_t *xt_page_word(const struct xt_page *page);
/* One store flips arm and slice together. Sets the constant to the present time first when the arm is `constant`. */
void xt_page_flip(struct xt_page *page, uint64_t slice, unsigned arm);
int xt_page_set_arm(struct xt_page *page, unsigned index, const struct xt_arm *arm, const char *plugin);
void xt_page_set_swap(struct xt_page *page, unsigned swap);
unsigned xt_page_swap(const struct xt_page *page);
/* Whether the arm's source can stand in for the function (else it is libc's). */
bool xt_page_serves(const struct xt_page *page, unsigned index, enum xt_function function);

/* The text of a plugin's slot, by which processes under the shim open it when they start; NULL: none. */
const char *xt_page_plugin(const struct xt_page *page, unsigned slot);

/* One thread's counts. tid 0 and pid 0: `retired` (owners gone, blocks reused) and the shared overflow block. */
struct xt_page_row {
	pid_t pid, tid;
	char comm[16]; /* the thread's name when it came under the shim */
	uint64_t calls[XT_FUNCTIONS][XT_MAX_ARMS];
};
/* Copies the rows in use into *rows (malloc, caller frees) and their number into *count. */
int xt_page_snapshot(const struct xt_page *page, struct xt_page_row **rows, size_t *count);
/* Raw system calls that answered EPERM or ENOSYS and fell back to libc, over all processes. */
uint64_t xt_page_fallbacks(const struct xt_page *page);

#endif
