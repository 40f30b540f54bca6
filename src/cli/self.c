/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The restart under the shim. Everything here happens before threads exist, so the environment may be changed in place.
 */
#include "config.h"

#include "cli/self.h"

#include "cli/secret.h"

#include <dlfcn.h>
#include <elf.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define SHIM_NAME  "libxtime.so"
#define SEPARATORS " :"

#if __SIZEOF_POINTER__ == 8
enum { OWN_CLASS = ELFCLASS64 };
#else
enum { OWN_CLASS = ELFCLASS32 };
#endif

/* Reads as the loader will: the file must be there, open for us, and of our word size. */
static int check_shim(const char *path, struct xt_err *err)
{
	size_t odd = strcspn(path, SEPARATORS "$");
	unsigned char ident[EI_NIDENT] = {0};
	int fd;

	if (path[odd])
		return xt_err_usage(err,
		                    "the shim's path '%s' contains a %s, which LD_PRELOAD cannot hold; move it, or set "
		                    "XTIME_SHIM to a path without blanks, colons and dollar signs",
		                    path,
		                    path[odd] == ' '   ? "blank"
		                    : path[odd] == ':' ? "colon"
		                                       : "dollar sign");
	fd = open(path, O_RDONLY | O_CLOEXEC);
	if (fd < 0)
		return xt_err_usage(err, "cannot read the shim '%s': %s", path, strerror(errno));
	if (read(fd, ident, sizeof(ident)) != (ssize_t)sizeof(ident) || memcmp(ident, ELFMAG, SELFMAG) ||
	    ident[EI_CLASS] != OWN_CLASS) {
		close(fd);
		return xt_err_usage(err, "the shim '%s' is not a shared library of this program's word size", path);
	}
	close(fd);
	/* The loader would only complain and run programs on without it. */
	if (!dlopen(path, RTLD_NOW | RTLD_LOCAL))
		return xt_err_usage(err, "the shim '%s' cannot be loaded: %s", path, dlerror());
	return 0;
}

static bool take_path(const char *candidate, char *path, size_t cap)
{
	char full[PATH_MAX];

	if (!realpath(candidate, full) || strlen(full) >= cap)
		return false;
	strcpy(path, full);
	return true;
}

/* The folder of the running binary, without a slash at its end. */
static int own_folder(char *folder, size_t cap, struct xt_err *err)
{
	ssize_t len = readlink("/proc/self/exe", folder, cap - 1);
	char *slash;

	if (len < 0)
		return xt_err_failed(err, "cannot read /proc/self/exe: %s", strerror(errno));
	folder[len] = '\0';
	slash = strrchr(folder, '/');
	if (slash)
		*slash = '\0';
	return 0;
}

int xt_self_find_shim(char *path, size_t cap, struct xt_err *err)
{
	static const char *const beside[] = {".libs/" SHIM_NAME, SHIM_NAME, "../lib/xtime/" SHIM_NAME};
	const char *given = getenv("XTIME_SHIM");
	char folder[PATH_MAX], candidate[PATH_MAX + 64];

	if (given && *given) {
		if (!take_path(given, path, cap))
			return xt_err_usage(err, "cannot read the shim '%s' (from XTIME_SHIM): %s", given,
			                    strerror(errno));
		return check_shim(path, err);
	}
	if (own_folder(folder, sizeof(folder), err))
		return -1;
	for (size_t i = 0; i < sizeof(beside) / sizeof(beside[0]); i++) {
		snprintf(candidate, sizeof(candidate), "%s/%s", folder, beside[i]);
		if (take_path(candidate, path, cap))
			return check_shim(path, err);
	}
	if (take_path(XT_PKGLIBDIR "/" SHIM_NAME, path, cap))
		return check_shim(path, err);
	return xt_err_usage(err,
	                    "the shim " SHIM_NAME " is neither beside the program (in %s/.libs, %s or %s/../lib/xtime) "
	                    "nor in %s; set XTIME_SHIM to its path",
	                    folder, folder, folder, XT_PKGLIBDIR);
}

/* The next entry of a preload list: its length; *at moves to its start. 0 at the end. */
static size_t next_entry(const char **at)
{
	*at += strspn(*at, SEPARATORS);
	return strcspn(*at, SEPARATORS);
}

/* old without the shim's entries, after first (may be NULL); one colon between entries. */
static char *join_preload(const char *first, const char *old, const char *shim)
{
	size_t cap = (first ? strlen(first) : 0) + strlen(old) + 2, used = 0, len;
	char *out = calloc(1, cap);

	if (!out)
		return NULL;
	if (first) {
		strcpy(out, first);
		used = strlen(first);
	}
	for (const char *at = old; (len = next_entry(&at)); at += len) {
		if (len == strlen(shim) && !memcmp(at, shim, len))
			continue;
		if (used)
			out[used++] = ':';
		memcpy(out + used, at, len);
		used += len;
	}
	return out;
}

char *xt_self_preload(const char *shim)
{
	const char *old = getenv("LD_PRELOAD");

	return join_preload(shim, old ? old : "", shim);
}

/* argv with the program's own name in front of it; the pointers are shared. */
static char **own_argv(char **argv)
{
	size_t count = 0;
	char **out;

	while (argv[count])
		count++;
	out = calloc(count + 2, sizeof(*out));
	if (!out)
		return NULL;
	out[0] = program_invocation_name;
	memcpy(out + 1, argv, count * sizeof(*out));
	return out;
}

/* The shim opens plugins when it starts, so their texts have to be in the page by then. */
static int announce_plugins(struct xt_page *page, const char *const *plugins, struct xt_err *err)
{
	const struct xt_arm plugin = {.source = XT_SOURCE_PLUGIN}, libc = {.source = XT_SOURCE_LIBC};

	for (; plugins && *plugins; plugins++)
		if (xt_page_set_arm(page, 0, &plugin, *plugins))
			return xt_err_usage(err, "too many plugins, or too long a path: '%s'", *plugins);
	return xt_page_set_arm(page, 0, &libc, NULL);
}

int xt_self_restart(char **argv, struct xt_err *err)
{
	return xt_self_restart_with(argv, NULL, err);
}

int xt_self_restart_with(char **argv, const char *const *plugins, struct xt_err *err)
{
	char shim[PATH_MAX], value[64], *preload = NULL, **args = NULL;
	struct xt_page *page = NULL;
	int fd = -1;

	if (xt_self_find_shim(shim, sizeof(shim), err))
		return -1;
	signal(SIGXFSZ, SIG_IGN); /* a limit of file sizes is an error, not the end */
	if (xt_page_create(&page, &fd, NULL))
		return xt_err_failed(err, "cannot make the control page: %s", strerror(errno));
	if (announce_plugins(page, plugins, err))
		goto out;
	xt_page_env_format(fd, value, sizeof(value));
	preload = xt_self_preload(shim);
	args = own_argv(argv);
	if (!preload || !args || setenv("LD_PRELOAD", preload, 1) || setenv("XTIME_PAGE", value, 1)) {
		xt_err_failed(err, "out of memory");
		goto out;
	}
	if (xt_secret_hand_over(args)) {
		xt_err_failed(err, "cannot hand the password over: %s", strerror(errno));
		goto out;
	}
	fflush(NULL);
	execv("/proc/self/exe", args);
	xt_err_failed(err, "cannot start again under the shim: %s", strerror(errno));
out:
	free(preload);
	free(args);
	xt_page_unmap(page);
	close(fd);
	return -1;
}

int xt_self_page_fd(void)
{
	return xt_page_env_fd(getenv("XTIME_PAGE"));
}

struct xt_page *xt_self_page(struct xt_err *err)
{
	struct xt_page *page;
	int fd = xt_self_page_fd();

	if (err)
		err->kind = XT_ERR_NONE;
	/* Another xtime's page: this process is under test there, and gets one of its own. */
	if (fd < 0 || xt_page_map_fd(&page, fd))
		return NULL;
	if (xt_page_owner(page) != getpid()) {
		xt_page_unmap(page);
		return NULL;
	}
	if (!xt_page_attached(page)) {
		xt_page_unmap(page);
		xt_err_failed(err, "the shim did not load: the loader ignored LD_PRELOAD=%s", getenv("LD_PRELOAD"));
		return NULL;
	}
	return page;
}

void xt_self_clean_environment(void)
{
	const char *old = getenv("LD_PRELOAD");
	char shim[PATH_MAX], *rest;

	unsetenv("XTIME_PAGE");
	unsetenv("XTIME_IMPL");
	unsetenv("XTIME_SWAP");
	unsetenv("XTIME_PLUGINS");
	if (!old || xt_self_find_shim(shim, sizeof(shim), NULL))
		return;
	rest = join_preload(NULL, old, shim);
	if (rest && *rest)
		setenv("LD_PRELOAD", rest, 1);
	else
		unsetenv("LD_PRELOAD");
	free(rest);
}
