/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Claiming counter blocks. Blocks outlive their owners, so that a count taken by a process that was killed is still
 * there to read; only when none is free is one taken over whose owner is gone, its counts moved to `retired`.
 */
#include "shim/count.h"

#include "clock/raw.h"

#include <errno.h>
#include <sys/prctl.h>

static uint64_t self_id(void)
{
	return (uint64_t)xt_raw2(SYS_getpid, 0, 0) << 32 | (uint32_t)xt_raw2(SYS_gettid, 0, 0);
}

/* One's own id is nobody else's now, so a block that bears it is a leftover (of the program before an exec, or of a
 * thread that had this number before). */
static int owner_gone(uint64_t owner, uint64_t self)
{
	return owner == self || xt_raw3(SYS_tgkill, (long)(owner >> 32), (long)(owner & UINT32_MAX), 0) == -ESRCH;
}

static int take_over(struct xt_page *page, struct xt_block *block, uint64_t owner, uint64_t self)
{
	if (!atomic_compare_exchange_strong(&block->owner, &owner, XT_BLOCK_BUSY))
		return -1;
	for (unsigned arm = 0; arm < XT_MAX_ARMS; arm++) {
		for (unsigned fn = 0; fn < XT_FUNCTIONS; fn++) {
			uint64_t calls = atomic_exchange(&block->calls[arm][fn], 0);

			if (calls)
				atomic_fetch_add(&page->retired.calls[arm][fn], calls);
		}
	}
	atomic_store(&block->owner, self);
	return 0;
}

static struct xt_block *named(struct xt_block *block)
{
	xt_raw2(SYS_prctl, PR_GET_NAME, (long)block->comm);
	return block;
}

struct xt_block *xt_count_claim(struct xt_page *page)
{
	struct xt_block *blocks = xt_page_blocks(page);
	uint64_t self = self_id();
	uint32_t at = atomic_load(&page->next);

	while (at < XT_PAGE_BLOCKS) {
		uint64_t none = 0;

		at = atomic_fetch_add(&page->next, 1);
		if (at < XT_PAGE_BLOCKS && atomic_compare_exchange_strong(&blocks[at].owner, &none, self))
			return named(&blocks[at]);
	}
	/* Where the search begins moves on, so that claimants do not all try the same blocks. */
	at = atomic_fetch_add(&page->next, 1);
	if (at > UINT32_MAX / 2)
		atomic_store(&page->next, XT_PAGE_BLOCKS);
	for (uint32_t i = 0; i < XT_PAGE_BLOCKS; i++) {
		struct xt_block *block = &blocks[(at + i) % XT_PAGE_BLOCKS];
		uint64_t owner = atomic_load(&block->owner);

		if (owner != XT_BLOCK_BUSY && owner_gone(owner, self) && !take_over(page, block, owner, self))
			return named(block);
	}
	return NULL;
}
