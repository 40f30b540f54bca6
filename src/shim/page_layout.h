/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What the control page looks like: for the shim and page.c alone, everybody else goes through shim/page.h. Fixed-size
 * types only, so that programs of another word size agree; change XT_PAGE_VERSION with any change here.
 */
#ifndef XT_SHIM_PAGE_LAYOUT_H
#define XT_SHIM_PAGE_LAYOUT_H

#include "clock/arm.h"
#include "clock/source.h"

#include <stdatomic.h>
#include <stdint.h>

#define XT_PAGE_MAGIC   UINT64_C(0x656d697478656761) /* "agextime" */
#define XT_PAGE_VERSION 1u

enum {
	XT_PAGE_BLOCKS = 4096,
	XT_PAGE_COLUMNS = 8, /* functions, padded to a cache line per arm */
	XT_PAGE_PLUGINS = 16,
	XT_PAGE_PLUGIN_LEN = 512, /* "FILE.so[:SYMBOL]" with its NUL */
};

_Static_assert((int)XT_FUNCTIONS <= (int)XT_PAGE_COLUMNS, "a row of counts holds every function");
_Static_assert((XT_MAX_ARMS & (XT_MAX_ARMS - 1)) == 0, "the shim masks the word's arm");

typedef _Atomic uint64_t xt_count_row[XT_PAGE_COLUMNS];

/* One thread's counts. owner is pid << 32 | tid, 0 when never used, XT_BLOCK_BUSY while it changes hands. */
struct xt_block {
	_Alignas(128) _Atomic uint64_t owner;
	char comm[16];
	_Alignas(64) xt_count_row calls[XT_MAX_ARMS];
};

#define XT_BLOCK_BUSY UINT64_MAX

struct xt_page {
	/* Written when the page is made. */
	uint64_t magic;
	uint32_t version;
	uint32_t size; /* of the whole page */
	_Atomic uint32_t owner;
	_Atomic uint32_t attached;

	/* What every call reads: one store to word flips all. */
	_Alignas(128) _Atomic uint64_t word;
	_Atomic uint8_t route[XT_FUNCTIONS][XT_MAX_ARMS];
	struct xt_arm arms[XT_MAX_ARMS];
	_Atomic uint32_t swap;

	_Alignas(128) struct xt_clock_state state;

	char plugins[XT_PAGE_PLUGINS][XT_PAGE_PLUGIN_LEN];

	/* Blocks are handed out in order; next may run past XT_PAGE_BLOCKS. */
	_Alignas(128) _Atomic uint32_t next;
	struct xt_block retired;  /* sums of owners whose blocks were taken over */
	struct xt_block overflow; /* by atomic addition, for threads that got no block */
};

/* The page in memory: the header, then the blocks. */
struct xt_page_file {
	struct xt_page page;
	struct xt_block blocks[XT_PAGE_BLOCKS];
};

/* 32-bit and 64-bit programs share a page: these are the figures of both. */
_Static_assert(sizeof(struct xt_arm) == 48 && sizeof(struct xt_block) == 1152, "one layout for all word sizes");
_Static_assert(sizeof(struct xt_page) == 12544, "one layout for all word sizes");

static inline struct xt_block *xt_page_blocks(struct xt_page *page)
{
	return ((struct xt_page_file *)(void *)page)->blocks;
}

#endif
