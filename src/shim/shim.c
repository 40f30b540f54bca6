/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The interposed functions. Each call loads the page's word, adds one to its thread's own counter and goes through one
 * table to the source. Nothing here prints, allocates, locks or ends the host; before the constructor has run, calls
 * are answered by the kernel.
 *
 * The writable objects are per process or per thread by nature: an interposed function has no context argument.
 */
#include "config.h"

#include "clock/env.h"
#include "clock/plugin.h"
#include "clock/source.h"
#include "shim/count.h"
#include "shim/page.h"

#include <dlfcn.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/timeb.h>
#include <unistd.h>

#define XT_EXPORT   __attribute__((visibility("default")))
#define XT_COLD     __attribute__((noinline, cold))
#define unlikely(x) __builtin_expect(!!(x), 0)

/* A thread may use its row of counts while its key is the process's. The process's key lies in memory that a fork
 * wipes, so that neither fork, _Fork nor a raw clone leaves a child counting in its parent's block. Key 0 is a wiped
 * page, 1 a thread that has none yet, 2 one that is inside a plugin: none of them ever matches. */
enum { KEY_WIPED = 0, KEY_NONE = 1, KEY_PLUGIN = 2, KEY_FIRST = 3 };

struct live {
	_Alignas(8) _Atomic uint64_t key;
};

struct thread {
	uint64_t key;
	xt_count_row *calls;                 /* [arm][function] */
	uint32_t tries;                      /* calls since this thread found no free block */
	_Alignas(8) xt_count_row private[1]; /* counts of a process without a page: nobody reads them */
};

static struct live wiped = {KEY_WIPED};
static struct live *live = &wiped;
static struct xt_page private_page;
static struct xt_page *page = &private_page;
static _Atomic uint64_t last_key = KEY_FIRST;
static __thread struct thread self = {.key = KEY_NONE};

/* Filled by the constructor; until then everything is libc's, which until then is the kernel. */
static xt_time_op *time_ops[XT_ROUTES] = {[XT_SOURCE_LIBC] = xt_libc_time};
static xt_gettimeofday_op *gettimeofday_ops[XT_ROUTES] = {[XT_SOURCE_LIBC] = xt_libc_gettimeofday};
static xt_clock_gettime_op *clock_gettime_ops[XT_ROUTES] = {[XT_SOURCE_LIBC] = xt_libc_clock_gettime};
static int (*libc_timespec_get)(struct timespec *, int);

/* One instruction where the processor has one: a signal handler in between loses nothing. */
static inline void bump(_Atomic uint64_t *count)
{
#if defined(__x86_64__)
	__asm__("addq $1, %0" : "+m"(*count) : : "cc");
#else
	atomic_fetch_add_explicit(count, 1, memory_order_relaxed);
#endif
}

static inline unsigned route_of(unsigned fn, unsigned arm)
{
	return atomic_load_explicit(&page->route[fn][arm], memory_order_relaxed) % XT_ROUTES;
}

/* The process's key after a fork: whichever thread comes first makes a new one. */
static uint64_t current_key(void)
{
	uint64_t key = atomic_load(&live->key), fresh;

	if (key != KEY_WIPED)
		return key;
	fresh = atomic_fetch_add(&last_key, 1) + 1;
	return atomic_compare_exchange_strong(&live->key, &key, fresh) ? fresh : key;
}

/* Gives the thread a row of counts; NULL when there is none to be had. */
static xt_count_row *claim(struct thread *me)
{
	enum { TRY_AGAIN = 1024 };
	uint64_t key = current_key();
	xt_count_row *calls = me->private;

	if (page != &private_page) {
		struct xt_block *block = me->tries++ % TRY_AGAIN ? NULL : xt_count_claim(page);

		if (!block)
			return NULL;
		me->tries = 0;
		calls = block->calls;
	}
	me->calls = calls;
	atomic_signal_fence(memory_order_seq_cst);
	me->key = key;
	return calls;
}

/* First call of a thread, first call after a fork, or a thread without a block. */
static XT_COLD void count_slowly(struct thread *me, unsigned arm, unsigned fn)
{
	xt_count_row *calls;

	if (live == &wiped || me->key == KEY_PLUGIN)
		return;
	calls = claim(me);
	if (calls)
		bump(&calls[arm][fn]);
	else
		atomic_fetch_add_explicit(&page->overflow.calls[arm][fn], 1, memory_order_relaxed);
}

/* Counts one call and returns the arm that it runs under. */
static inline unsigned enter(unsigned fn)
{
	struct thread *me = &self;
	unsigned arm = (unsigned)atomic_load_explicit(&page->word, memory_order_acquire) % XT_MAX_ARMS;

	if (unlikely(me->key != atomic_load_explicit(&live->key, memory_order_relaxed)))
		count_slowly(me, arm, fn);
	else
		bump(&me->calls[arm][fn]);
	return arm;
}

XT_EXPORT time_t time(time_t *out)
{
	unsigned arm = enter(XT_FN_TIME);

	return time_ops[route_of(XT_FN_TIME, arm)](out, &page->arms[arm], &page->state);
}

XT_EXPORT int gettimeofday(struct timeval *restrict tv, void *restrict tz)
{
	unsigned arm = enter(XT_FN_GETTIMEOFDAY);

	return gettimeofday_ops[route_of(XT_FN_GETTIMEOFDAY, arm)](tv, tz, &page->arms[arm], &page->state);
}

XT_EXPORT int clock_gettime(clockid_t id, struct timespec *t)
{
	unsigned arm, fn;

	if (id == CLOCK_REALTIME)
		fn = XT_FN_CLOCK_GETTIME;
	else if (id == CLOCK_MONOTONIC)
		fn = XT_FN_MONOTONIC;
	else
		return xt_clock.libc.clock_gettime(id, t);
	arm = enter(fn);
	return clock_gettime_ops[route_of(fn, arm)](id, t, &page->arms[arm], &page->state);
}

XT_EXPORT int timespec_get(struct timespec *t, int base)
{
	unsigned arm, route;

	if (base != TIME_UTC)
		return libc_timespec_get ? libc_timespec_get(t, base) : 0;
	arm = enter(XT_FN_TIMESPEC_GET);
	route = route_of(XT_FN_TIMESPEC_GET, arm);
	return clock_gettime_ops[route](CLOCK_REALTIME, t, &page->arms[arm], &page->state) ? 0 : base;
}

XT_EXPORT int ftime(struct timeb *out)
{
	struct timeval tv = {0, 0};
	unsigned arm = enter(XT_FN_FTIME), route = route_of(XT_FN_FTIME, arm);

	if (gettimeofday_ops[route](&tv, NULL, &page->arms[arm], &page->state))
		return -1;
	out->time = tv.tv_sec;
	out->millitm = (unsigned short)(tv.tv_usec / 1000);
	out->timezone = 0;
	out->dstflag = 0;
	return 0;
}

static bool is_emulated(const struct xt_arm *arm)
{
	return arm->ns || arm->added_ns;
}

/* A plugin may call what it stands in for: while a thread is inside one, it gets libc's clock, uncounted. A signal
 * handler that interrupts a plugin is taken for a part of it. */
static time_t guarded_time(time_t *out, const struct xt_arm *arm, struct xt_clock_state *state)
{
	uint64_t key = self.key;
	time_t ret;

	if (key == KEY_PLUGIN)
		return xt_clock.libc.time(out);
	self.key = KEY_PLUGIN;
	ret = is_emulated(arm) ? xt_emulated_time(out, arm, state) : xt_plugin_time(out, arm, state);
	self.key = key;
	return ret;
}

static int guarded_gettimeofday(struct timeval *tv, void *tz, const struct xt_arm *arm, struct xt_clock_state *state)
{
	uint64_t key = self.key;
	int ret;

	if (key == KEY_PLUGIN)
		return xt_clock.libc.gettimeofday(tv, tz);
	self.key = KEY_PLUGIN;
	ret = is_emulated(arm) ? xt_emulated_gettimeofday(tv, tz, arm, state)
	                       : xt_plugin_gettimeofday(tv, tz, arm, state);
	self.key = key;
	return ret;
}

static int guarded_clock_gettime(clockid_t id, struct timespec *t, const struct xt_arm *arm,
                                 struct xt_clock_state *state)
{
	uint64_t key = self.key;
	int ret;

	if (key == KEY_PLUGIN)
		return xt_clock.libc.clock_gettime(id, t);
	self.key = KEY_PLUGIN;
	ret = is_emulated(arm) ? xt_emulated_clock_gettime(id, t, arm, state)
	                       : xt_plugin_clock_gettime(id, t, arm, state);
	self.key = key;
	return ret;
}

static void guard_plugins(void)
{
	for (unsigned route = XT_SOURCE_PLUGIN; route < XT_ROUTES; route += XT_ROUTE_EMULATED) {
		time_ops[route] = guarded_time;
		gettimeofday_ops[route] = guarded_gettimeofday;
		clock_gettime_ops[route] = guarded_clock_gettime;
	}
}

/* XTIME_PLUGINS: a folder with copies, named by their slots, for a process that cannot read the plugins themselves. */
static void open_plugin_copy(const char *folder, unsigned slot, const char *text)
{
	char copy[PATH_MAX];
	int len = snprintf(copy, sizeof(copy), "%s/%u.so%s", folder, slot, text + xt_plugin_path_len(text));

	if (len > 0 && (size_t)len < sizeof(copy))
		xt_plugin_open(copy, &xt_plugins[slot], NULL, 0);
}

static void open_plugins(const struct xt_page *from)
{
	_Static_assert((int)XT_PLUGINS == (int)XT_PAGE_PLUGINS, "a slot of the page for each of the process");
	const char *copies = getenv("XTIME_PLUGINS");

	for (unsigned i = 0; i < XT_PAGE_PLUGINS; i++)
		if (from->plugins[i][0] && xt_plugin_open(from->plugins[i], &xt_plugins[i], NULL, 0) && copies)
			open_plugin_copy(copies, i, from->plugins[i]);
}

static void find_libc(void)
{
	struct xt_clock_libc libc;
	void *found[4] = {dlsym(RTLD_NEXT, "time"), dlsym(RTLD_NEXT, "gettimeofday"), dlsym(RTLD_NEXT, "clock_gettime"),
	                  dlsym(RTLD_NEXT, "timespec_get")};

	memcpy(&libc.time, &found[0], sizeof(void *));
	memcpy(&libc.gettimeofday, &found[1], sizeof(void *));
	memcpy(&libc.clock_gettime, &found[2], sizeof(void *));
	memcpy(&libc_timespec_get, &found[3], sizeof(void *));
	xt_clock_init(&libc);
}

/* The page that the harness handed over, or NULL. */
static struct xt_page *find_page(void)
{
	struct xt_page *found = NULL;
	int fd = xt_page_env_fd(getenv("XTIME_PAGE"));

	if (fd < 0 || xt_page_map_fd(&found, fd))
		return NULL;
	return found;
}

/* XTIME_IMPL and XTIME_SWAP: one arm for this process alone. What cannot be understood stays libc's. */
static void fill_private_page(void)
{
	const char *impl = getenv("XTIME_IMPL"), *swaps = getenv("XTIME_SWAP");
	struct xt_arm arm;
	unsigned swap = XT_SWAP_TIME;
	char plugin[XT_PAGE_PLUGIN_LEN];

	if (!impl || xt_arm_parse(impl, strlen(impl), &arm, plugin, sizeof(plugin)))
		arm = (struct xt_arm){.source = XT_SOURCE_LIBC};
	if (swaps && xt_swap_parse(swaps, strlen(swaps), &swap, NULL))
		swap = 0;
	if (xt_arm_fits(&arm, swap))
		swap = 0;
	xt_page_set_swap(&private_page, swap);
	xt_page_set_arm(&private_page, 0, &arm, plugin);
	xt_page_flip(&private_page, 0, 0);
}

static __attribute__((constructor)) void start(void)
{
	size_t size = (size_t)sysconf(_SC_PAGESIZE);
	struct xt_page *shared;
	struct live *wipes;

	for (unsigned i = 0; i < XT_ROUTES; i++) {
		time_ops[i] = xt_route_time(i);
		gettimeofday_ops[i] = xt_route_gettimeofday(i);
		clock_gettime_ops[i] = xt_route_clock_gettime(i);
	}
	guard_plugins();
	find_libc();
	fill_private_page();
	wipes = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	if (wipes == MAP_FAILED)
		return;
	/* Kernels before 4.14 cannot wipe: without it children would count in their parents' blocks, so no page. */
	shared = madvise(wipes, size, MADV_WIPEONFORK) ? NULL : find_page();
	atomic_store(&wipes->key, KEY_FIRST);
	if (shared) {
		page = shared;
		atomic_fetch_add(&page->attached, 1);
	}
	live = wipes;
	open_plugins(page);
	/* The main thread's block at once, so that a process which never asks for the time is known by name, too. */
	if (shared)
		claim(&self);
}
