/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Looking a program up and into its head. Only reads; what cannot be read is left for the kernel to judge.
 */
#include "config.h"

#include "cli/exec_program.h"

#include <elf.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <link.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/xattr.h>
#include <unistd.h>

enum { HEAD = 4096, SCRIPT_DEPTH = 5 };

#if __SIZEOF_POINTER__ == 8
enum { OWN_CLASS = ELFCLASS64 };
#else
enum { OWN_CLASS = ELFCLASS32 };
#endif

static bool is_program(const char *path)
{
	struct stat st;

	return !stat(path, &st) && S_ISREG(st.st_mode) && !access(path, X_OK);
}

static int check_direct(const char *name, struct xt_err *err)
{
	struct stat st;

	if (stat(name, &st)) {
		int kept = errno;

		xt_err_failed(err, "cannot run '%s': %s", name, strerror(kept));
		return kept == ENOENT || kept == ENOTDIR ? XT_EXEC_NOT_FOUND : XT_EXEC_CANNOT;
	}
	if (is_program(name))
		return 0;
	xt_err_failed(err, "cannot run '%s': %s", name,
	              S_ISDIR(st.st_mode) ? "it is a folder" : "it is not executable");
	return XT_EXEC_CANNOT;
}

int xt_exec_find(const char *name, char *path, size_t cap, struct xt_err *err)
{
	const char *at = getenv("PATH");
	bool seen = false;

	if (!*name || strlen(name) >= cap) {
		xt_err_failed(err, "cannot run '%s': no such program", name);
		return XT_EXEC_NOT_FOUND;
	}
	if (strchr(name, '/')) {
		strcpy(path, name);
		return check_direct(name, err);
	}
	if (!at)
		at = "/usr/local/bin:/usr/bin:/bin";
	for (;; at++) {
		int len = (int)strcspn(at, ":");

		/* An empty entry is the current folder. */
		if ((size_t)snprintf(path, cap, "%.*s%s%s", len, at, len ? "/" : "./", name) < cap) {
			if (is_program(path))
				return 0;
			seen = seen || !access(path, F_OK);
		}
		at += len;
		if (!*at)
			break;
	}
	xt_err_failed(err, "cannot run '%s': %s", name,
	              seen ? "what is in PATH under this name is not executable" : "no such program in PATH");
	return seen ? XT_EXEC_CANNOT : XT_EXEC_NOT_FOUND;
}

/* The loader drops preloads of programs that run with more rights than their caller. */
static bool gains_rights(const char *path)
{
	struct stat st;

	if (stat(path, &st))
		return false;
	if ((st.st_mode & S_ISUID) && st.st_uid != getuid())
		return true;
	if ((st.st_mode & S_ISGID) && (st.st_mode & S_IXGRP) && st.st_gid != getgid())
		return true;
	return getuid() != 0 && getxattr(path, "security.capability", NULL, 0) > 0;
}

static bool has_interpreter(const char *head, size_t len)
{
	ElfW(Ehdr)
	elf;

	memcpy(&elf, head, sizeof(elf));
	for (unsigned i = 0; i < elf.e_phnum; i++) {
		ElfW(Phdr)
		segment;
		size_t at = elf.e_phoff + (size_t)i * elf.e_phentsize;

		if (at > len || len - at < sizeof(segment))
			return true; /* further down than we read: the usual case is a dynamic program */
		memcpy(&segment, head + at, sizeof(segment));
		if (segment.p_type == PT_INTERP)
			return true;
	}
	return false;
}

static const char *elf_obstacle(const char *head, size_t len)
{
	if ((unsigned char)head[EI_CLASS] != OWN_CLASS)
		return OWN_CLASS == ELFCLASS64 ? "is a 32-bit program and the shim is 64-bit"
		                               : "is a 64-bit program and the shim is 32-bit";
	if (len < sizeof(ElfW(Ehdr)))
		return NULL;
	return has_interpreter(head, len) ? NULL : "is statically linked";
}

/* The interpreter's path of a "#!" line, into path. */
static bool script_interpreter(const char *head, size_t len, char *path, size_t cap)
{
	size_t start = 2 + strspn(head + 2, " \t"), size = strcspn(head + start, " \t\r\n");

	if (start + size >= len || !size || size >= cap)
		return false;
	memcpy(path, head + start, size);
	path[size] = '\0';
	return true;
}

const char *xt_exec_obstacle(const char *path)
{
	char head[HEAD + 1], script[PATH_MAX];

	for (int depth = 0; depth < SCRIPT_DEPTH; depth++) {
		int fd = open(path, O_RDONLY | O_CLOEXEC);
		ssize_t len;

		if (gains_rights(path)) {
			if (fd >= 0)
				close(fd);
			return "is set-id or has capabilities, and the loader drops preloads there";
		}
		if (fd < 0)
			return NULL;
		len = read(fd, head, HEAD);
		close(fd);
		if (len < (ssize_t)SELFMAG)
			return NULL;
		head[len] = '\0';
		if (!memcmp(head, ELFMAG, SELFMAG))
			return elf_obstacle(head, (size_t)len);
		if (head[0] != '#' || head[1] != '!' || !script_interpreter(head, (size_t)len, script, sizeof(script)))
			return NULL;
		path = script;
	}
	return NULL;
}
