/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * An allocator that reads every clock when memory is first asked for, and now and then later: as some do for their
 * statistics. Memory is handed out and never taken back.
 */
#include <stdatomic.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/time.h>
#include <time.h>

enum { POOL = 1 << 28, ALIGN = 16, CLOCK_EVERY = 64 };

static _Atomic size_t used;
static _Atomic(char *) pool;
static _Atomic unsigned allocations;
static __thread int inside __attribute__((tls_model("initial-exec")));

static void read_clocks(void)
{
	struct timeval tv;
	struct timespec t;

	if (inside)
		return;
	inside = 1;
	time(NULL);
	gettimeofday(&tv, NULL);
	clock_gettime(CLOCK_REALTIME, &t);
	clock_gettime(CLOCK_MONOTONIC, &t);
	inside = 0;
}

static char *base(void)
{
	char *at = pool, *fresh;

	if (at)
		return at;
	fresh = mmap(NULL, POOL, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
	return atomic_compare_exchange_strong(&pool, &at, fresh) ? fresh : at;
}

static void *take(size_t size, size_t align)
{
	size_t whole = (size + sizeof(size_t) + 2 * align) / align * align, at;
	uintptr_t address;

	if (allocations++ % CLOCK_EVERY == 0)
		read_clocks();
	at = atomic_fetch_add(&used, whole + align);
	if (at + whole + align > POOL)
		return NULL;
	address = ((uintptr_t)base() + at + sizeof(size_t) + align - 1) / align * align;
	memcpy((char *)address - sizeof(size_t), &size, sizeof(size));
	return (void *)address;
}

void *malloc(size_t size)
{
	return take(size, ALIGN);
}

void free(void *memory)
{
	(void)memory;
}

void *calloc(size_t n, size_t size)
{
	return take(n * size, ALIGN); /* fresh pages are zero */
}

void *realloc(void *memory, size_t size)
{
	void *fresh = take(size, ALIGN);
	size_t old;

	if (!memory || !fresh)
		return fresh;
	memcpy(&old, (char *)memory - sizeof(size_t), sizeof(old));
	return memcpy(fresh, memory, old < size ? old : size);
}

void *memalign(size_t align, size_t size)
{
	return take(size, align < ALIGN ? ALIGN : align);
}

void *aligned_alloc(size_t align, size_t size)
{
	return memalign(align, size);
}

int posix_memalign(void **out, size_t align, size_t size)
{
	*out = memalign(align, size);
	return *out ? 0 : 12;
}
