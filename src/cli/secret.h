/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Passwords on our own command line: out of sight of `ps` at once, and never in the arguments or the environment of
 * the process that we become under the shim. For the main thread, before others exist.
 */
#ifndef XT_CLI_SECRET_H
#define XT_CLI_SECRET_H

/* First thing in main: overwrites what holds a password in the memory that the kernel shows, and points argv at copies
 * that still have it. After a restart: takes the texts that xt_secret_hand_over() left. Out of memory leaves an
 * argument as it is. */
void xt_secret_hide(int argc, char **argv);

/* For args, about to be executed: replaces pointers to arguments with a password by ones to struck texts (malloc), and
 * leaves the true ones in an inherited memory file that XTIME_SECRET names. 0, or -1 with errno. */
int xt_secret_hand_over(char **args);

#endif
