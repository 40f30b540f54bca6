/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Loads a library with RTLD_DEEPBIND, whose calls go past every preload: deep_main LIBRARY.
 */
#include <dlfcn.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

int main(int argc, char **argv)
{
	void *library = argc > 1 ? dlopen(argv[1], RTLD_NOW | RTLD_DEEPBIND) : NULL;
	void *found = library ? dlsym(library, "deep_calls") : NULL;
	void (*calls)(int);

	if (!found) {
		printf("%s\n", dlerror());
		return 1;
	}
	memcpy(&calls, &found, sizeof(found));
	for (int i = 0; i < 10; i++)
		time(NULL);
	calls(1000);
	return 0;
}
