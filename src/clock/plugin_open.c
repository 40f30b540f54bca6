/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Loading a plugin and finding its functions.
 */
#include "config.h"

#include "clock/plugin.h"

#include <dlfcn.h>
#include <errno.h>
#include <limits.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

enum { MAX_SYMBOL = 128 };

static bool is_identifier(const char *text)
{
	if (!*text || (*text >= '0' && *text <= '9'))
		return false;
	for (; *text; text++)
		if (*text != '_' && (*text < '0' || *text > '9') && (*text < 'A' || *text > 'Z') &&
		    (*text < 'a' || *text > 'z'))
			return false;
	return true;
}

/* Where the path ends: at the colon before a symbol, or at the end of the text. */
size_t xt_plugin_path_len(const char *text)
{
	const char *colon = strrchr(text, ':');

	return colon && colon > text && is_identifier(colon + 1) ? (size_t)(colon - text) : strlen(text);
}

static int refuse(char *reason, size_t cap, const char *why)
{
	size_t len = strlen(why);

	if (!cap)
		return -1;
	if (len >= cap)
		len = cap - 1;
	memcpy(reason, why, len);
	reason[len] = '\0';
	return -1;
}

static void *find(void *library, const char *symbol, const char *suffix)
{
	char name[MAX_SYMBOL + 32];

	strcpy(name, symbol);
	strcat(name, suffix);
	return dlsym(library, name);
}

int xt_plugin_open(const char *text, struct xt_plugin *out, char *reason, size_t cap)
{
	size_t len = xt_plugin_path_len(text);
	const char *symbol = text[len] ? text + len + 1 : XT_PLUGIN_SYMBOL;
	char path[PATH_MAX];
	void *library, *found[4];

	memset(out, 0, sizeof(*out));
	if (len >= sizeof(path) || strlen(symbol) >= MAX_SYMBOL)
		return refuse(reason, cap, "the path or the symbol is too long");
	memcpy(path, text, len);
	path[len] = '\0';
	library = dlopen(path, RTLD_NOW | RTLD_LOCAL);
	if (!library)
		return refuse(reason, cap, dlerror());
	found[0] = find(library, symbol, "");
	found[1] = find(library, symbol, "_gettimeofday");
	found[2] = find(library, symbol, "_clock_gettime");
	found[3] = find(library, symbol, "_resolution_ns");
	if (!found[0])
		return refuse(reason, cap, "it has no function of the symbol's name");
	memcpy(&out->time, &found[0], sizeof(void *));
	memcpy(&out->gettimeofday, &found[1], sizeof(void *));
	memcpy(&out->clock_gettime, &found[2], sizeof(void *));
	memcpy(&out->resolution_ns, &found[3], sizeof(void *));
	return 0;
}

int xt_plugin_resolve(const char *text, char *out, size_t cap)
{
	size_t len = xt_plugin_path_len(text);
	char path[PATH_MAX], full[PATH_MAX];

	if (len >= sizeof(path)) {
		errno = ENAMETOOLONG;
		return -1;
	}
	memcpy(path, text, len);
	path[len] = '\0';
	if (!realpath(path, full))
		return -1;
	if (strlen(full) + strlen(text + len) >= cap) {
		errno = ENAMETOOLONG;
		return -1;
	}
	strcpy(out, full);
	strcat(out, text + len);
	return 0;
}
