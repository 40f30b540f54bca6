/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * System calls of up to three arguments that leave errno alone: the kernel's answer, -errno on failure. libc's
 * syscall(3) would overwrite errno before a fallback could keep it.
 */
#ifndef XT_CLOCK_RAW_H
#define XT_CLOCK_RAW_H

#include <errno.h>
#include <stdbool.h>
#include <sys/syscall.h>
#include <unistd.h>

static inline long xt_raw3(long nr, long a, long b, long c)
{
#if defined(__x86_64__)
	long ret;

	__asm__ volatile("syscall" : "=a"(ret) : "a"(nr), "D"(a), "S"(b), "d"(c) : "rcx", "r11", "memory");
	return ret;
#elif defined(__i386__)
	long ret;

	__asm__ volatile("int $0x80" : "=a"(ret) : "a"(nr), "b"(a), "c"(b), "d"(c) : "memory");
	return ret;
#elif defined(__aarch64__)
	register long x8 __asm__("x8") = nr;
	register long x0 __asm__("x0") = a;
	register long x1 __asm__("x1") = b;
	register long x2 __asm__("x2") = c;

	__asm__ volatile("svc 0" : "+r"(x0) : "r"(x8), "r"(x1), "r"(x2) : "memory", "cc");
	return x0;
#else
	int kept = errno;
	long ret = syscall(nr, a, b, c);

	if (ret == -1) {
		ret = -errno;
		errno = kept;
	}
	return ret;
#endif
}

static inline long xt_raw2(long nr, long a, long b)
{
	return xt_raw3(nr, a, b, 0);
}

static inline bool xt_raw_failed(long ret)
{
	return (unsigned long)ret > -4096UL;
}

/* The kernel, or a filter in front of it, does not do this call at all. */
static inline bool xt_raw_refused(long ret)
{
	return ret == -EPERM || ret == -ENOSYS;
}

#endif
