/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * libc's own functions, found in libc itself: a preloaded library that replaces them is passed by.
 */
#ifndef XT_LAB_LIBC_H
#define XT_LAB_LIBC_H

/* The address of a function of libc.so.6, an indirect one already resolved; NULL when there is none (a static program,
 * another libc). Any thread. */
void *xt_libc_symbol(const char *name);

#endif
