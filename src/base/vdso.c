/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A minimal dynamic-symbol lookup in the vDSO image. Names per architecture are those of vdso(7). Only STT_FUNC or
 * STT_NOTYPE symbols that are defined count; versions are not compared, since the kernel has one per name.
 */
#include "base/vdso.h"

#include <elf.h>
#include <link.h>
#include <stdint.h>
#include <string.h>
#include <sys/auxv.h>

struct image {
	uintptr_t load; /* what to add to a symbol's value */
	const ElfW(Sym)
	*symbols;
	const char *strings;
	size_t count;
};

/* The number of dynamic symbols under DT_GNU_HASH: the end of the highest chain. */
static size_t gnu_hash_count(const uint32_t *hash)
{
	uint32_t buckets = hash[0], first = hash[1], bloom = hash[2];
	const uint32_t *bucket = (const uint32_t *)((const ElfW(Addr) *)(hash + 4) + bloom);
	const uint32_t *chain = bucket + buckets;
	uint32_t last = 0;

	for (uint32_t i = 0; i < buckets; i++)
		if (bucket[i] > last)
			last = bucket[i];
	if (last < first)
		return first;
	while (!(chain[last - first] & 1))
		last++;
	return last + 1;
}

static int open_image(struct image *image)
{
	const ElfW(Ehdr)
	*ehdr = xt_vdso_base();
	const ElfW(Phdr)
	*phdr;
	const ElfW(Dyn)
	*dyn = NULL;
	int have_load = 0;

	*image = (struct image){0};
	if (!ehdr)
		return -1;
	phdr = (const ElfW(Phdr) *)((uintptr_t)ehdr + ehdr->e_phoff);
	for (int i = 0; i < ehdr->e_phnum; i++) {
		if (phdr[i].p_type == PT_LOAD && !have_load) {
			image->load = (uintptr_t)ehdr + phdr[i].p_offset - phdr[i].p_vaddr;
			have_load = 1;
		} else if (phdr[i].p_type == PT_DYNAMIC) {
			dyn = (const ElfW(Dyn) *)((uintptr_t)ehdr + phdr[i].p_offset);
		}
	}
	if (!have_load || !dyn)
		return -1;
	for (; dyn->d_tag != DT_NULL; dyn++) {
		uintptr_t at = image->load + dyn->d_un.d_ptr;

		if (dyn->d_tag == DT_STRTAB)
			image->strings = (const char *)at;
		else if (dyn->d_tag == DT_SYMTAB)
			image->symbols = (const ElfW(Sym) *)at;
		else if (dyn->d_tag == DT_HASH)
			image->count = ((const uint32_t *)at)[1];
		else if (dyn->d_tag == DT_GNU_HASH && !image->count)
			image->count = gnu_hash_count((const uint32_t *)at);
	}
	return image->strings && image->symbols && image->count ? 0 : -1;
}

const void *xt_vdso_base(void)
{
	return (const void *)getauxval(AT_SYSINFO_EHDR); /* NOLINT: an address by contract */
}

void *xt_vdso_symbol(const char *name)
{
	struct image image;

	if (open_image(&image))
		return NULL;
	for (size_t i = 0; i < image.count; i++) {
		const ElfW(Sym)
		*sym = &image.symbols[i];
		unsigned type = sym->st_info & 0xf;

		if (sym->st_shndx == SHN_UNDEF || (type != STT_FUNC && type != STT_NOTYPE))
			continue;
		if (!strcmp(image.strings + sym->st_name, name))
			return (void *)(image.load + sym->st_value);
	}
	return NULL;
}

void xt_vdso_lookup(struct xt_vdso *out)
{
#if defined(__aarch64__)
	static const char *const names[] = {"__kernel_clock_gettime", "__kernel_clock_getres", "__kernel_gettimeofday",
	                                    "__kernel_time", "__kernel_getcpu"};
#else
	static const char *const names[] = {"__vdso_clock_gettime", "__vdso_clock_getres", "__vdso_gettimeofday",
	                                    "__vdso_time", "__vdso_getcpu"};
#endif
	void *found[5];

	for (int i = 0; i < 5; i++)
		found[i] = xt_vdso_symbol(names[i]);
	memcpy(&out->clock_gettime, &found[0], sizeof(void *));
	memcpy(&out->clock_getres, &found[1], sizeof(void *));
	memcpy(&out->gettimeofday, &found[2], sizeof(void *));
	memcpy(&out->time, &found[3], sizeof(void *));
	memcpy(&out->getcpu, &found[4], sizeof(void *));
}
