/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Plugins: a user's own time(), from FILE.so[:SYMBOL]. What a plugin may export is told in doc/plugin/xtime_plugin.h.
 */
#ifndef XT_CLOCK_PLUGIN_H
#define XT_CLOCK_PLUGIN_H

#include <stddef.h>
#include <sys/time.h>
#include <time.h>

#define XT_PLUGIN_SYMBOL "xtime_plugin" /* when the arm names none */

enum { XT_PLUGINS = 16 };

/* NULL: the plugin does not have it. */
struct xt_plugin {
	time_t (*time)(time_t *);
	int (*gettimeofday)(struct timeval *, void *);
	int (*clock_gettime)(clockid_t, struct timespec *);
	long (*resolution_ns)(void);
};

/* The length of FILE in "FILE.so[:SYMBOL]". */
size_t xt_plugin_path_len(const char *text);

/* Opens "FILE.so[:SYMBOL]"; the library stays loaded. 0, or -1 with reason filled (why, without the plugin's name). Not
 * async-signal-safe: for a constructor or the harness. */
int xt_plugin_open(const char *text, struct xt_plugin *out, char *reason, size_t cap);

/* Makes the file's path absolute, so that a process with another working folder finds it. 0, or -1 with errno set. */
int xt_plugin_resolve(const char *text, char *out, size_t cap);

/* The slots that arms name, of this process; set before arms with plugins are used. */
extern struct xt_plugin xt_plugins[XT_PLUGINS];

#endif
