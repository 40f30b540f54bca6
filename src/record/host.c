/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Host facts from the kernel's files and the processor's own identification. Reads only; asks no service and keeps no
 * name of machine or user.
 */
#include "config.h"

#include "record/host.h"

#include "base/buf.h"

#include <ctype.h>
#include <sched.h>
#include <stdlib.h>
#include <string.h>
#include <sys/utsname.h>
#include <time.h>
#include <unistd.h>

#if defined(__x86_64__) || defined(__i386__)
#include <cpuid.h>
#endif

#define CLOCKSOURCE_FOLDER "/sys/devices/system/clocksource/clocksource0/"

/* The first line of a small file without surrounding blanks, to be freed; NULL when there is none. */
static char *read_line(const char *path)
{
	struct xt_buf buf = {0};
	size_t len;

	if (xt_buf_read_file(&buf, path, 4096)) {
		xt_buf_free(&buf);
		return NULL;
	}
	len = strcspn(buf.data, "\n");
	while (len > 0 && isspace((unsigned char)buf.data[len - 1]))
		len--;
	buf.data[len] = '\0';
	if (!len) {
		xt_buf_free(&buf);
		return NULL;
	}
	return buf.data;
}

static json_t *line_or_null(const char *path)
{
	char *line = read_line(path);
	json_t *value = line ? json_string(line) : NULL;

	free(line);
	return value ? value : json_null();
}

static json_t *words_of(const char *path)
{
	json_t *list = json_array();
	char *line = read_line(path);
	char *at = NULL;

	for (char *word = line ? strtok_r(line, " ", &at) : NULL; word; word = strtok_r(NULL, " ", &at))
		json_array_append_new(list, json_string(word));
	free(line);
	return list;
}

/* The processor's name: several consecutive blanks, as some vendors pad it with, become one. */
static json_t *cpu_name(const char *machine)
{
	static const char *const keys[] = {"model name", "cpu model", "Processor", "cpu"};
	struct xt_buf buf = {0};
	struct xt_buf name = {0};
	const char *p = NULL;
	json_t *value;

	if (!xt_buf_read_file(&buf, "/proc/cpuinfo", 1 << 24)) {
		for (size_t k = 0; k < sizeof(keys) / sizeof(*keys) && !p; k++) {
			size_t len = strlen(keys[k]);

			for (p = buf.data; p; p = strchr(p, '\n') ? strchr(p, '\n') + 1 : NULL)
				if (!strncmp(p, keys[k], len) && strspn(p + len, "\t :") > 0)
					break;
			if (p)
				p += len + strspn(p + len, "\t :");
		}
	}
	for (; p && *p && *p != '\n'; p++)
		if (!isspace((unsigned char)*p) || (name.len && p[1] != '\n' && !isspace((unsigned char)p[1])))
			xt_buf_add(&name, isspace((unsigned char)*p) ? " " : p, 1);
	value = json_string(name.len ? name.data : machine);
	xt_buf_free(&name);
	xt_buf_free(&buf);
	return value;
}

#if defined(__x86_64__) || defined(__i386__)
/* The hypervisor's own signature from CPUID: there in every guest, also without DMI. */
static const char *cpuid_hypervisor(void)
{
	static const struct {
		char signature[13];
		const char *name;
	} known[] = {
		{"KVMKVMKVM\0\0\0", "kvm"},     {"Linux KVM Hv", "kvm"},       {"Microsoft Hv", "hyperv"},
		{"VMwareVMware", "vmware"},     {"XenVMMXenVMM", "xen"},       {"TCGTCGTCGTCG", "qemu"},
		{"VBoxVBoxVBox", "virtualbox"}, {"bhyve bhyve ", "bhyve"},     {"ACRNACRNACRN", "acrn"},
		{" lrpepyh vr\0", "parallels"}, {"prl hyperv  ", "parallels"},
	};
	unsigned eax, ebx, ecx, edx;
	char signature[12];

	if (!__get_cpuid(1, &eax, &ebx, &ecx, &edx))
		return "unknown";
	if (!(ecx >> 31 & 1))
		return "none";
	__cpuid(0x40000000, eax, ebx, ecx, edx);
	memcpy(signature, &ebx, 4);
	memcpy(signature + 4, &ecx, 4);
	memcpy(signature + 8, &edx, 4);
	for (size_t i = 0; i < sizeof(known) / sizeof(*known); i++)
		if (!memcmp(signature, known[i].signature, sizeof(signature)))
			return known[i].name;
	return "other";
}
#else
static const char *cpuid_hypervisor(void)
{
	return "unknown";
}
#endif

static bool file_names(const char *path, const char *word)
{
	char *line = read_line(path);
	bool found = line && strcasestr(line, word);

	free(line);
	return found;
}

static const char *virtualization(void)
{
	static const struct {
		const char *word, *name;
	} dmi[] = {
		{"KVM", "kvm"},          {"QEMU", "qemu"},      {"VMware", "vmware"}, {"VirtualBox", "virtualbox"},
		{"Xen", "xen"},          {"Amazon EC2", "kvm"}, {"Google", "kvm"},    {"Firecracker", "kvm"},
		{"Microsoft", "hyperv"},
	};
	const char *name = cpuid_hypervisor();

	if (file_names("/sys/hypervisor/type", "xen"))
		return "xen";
	if (strcmp(name, "unknown") && strcmp(name, "other"))
		return name;
	for (size_t i = 0; i < sizeof(dmi) / sizeof(*dmi); i++)
		if (file_names("/sys/class/dmi/id/sys_vendor", dmi[i].word) ||
		    file_names("/sys/class/dmi/id/product_name", dmi[i].word))
			return dmi[i].name;
	if (file_names("/proc/device-tree/hypervisor/compatible", "kvm"))
		return "kvm";
	return name;
}

unsigned xt_host_cpus(void)
{
	long online = sysconf(_SC_NPROCESSORS_ONLN);
	unsigned count = 0;

	for (size_t room = 1024; room <= 1 << 20 && !count; room *= 4) {
		cpu_set_t *set = CPU_ALLOC(room);

		if (set && !sched_getaffinity(0, CPU_ALLOC_SIZE(room), set))
			count = (unsigned)CPU_COUNT_S(CPU_ALLOC_SIZE(room), set);
		CPU_FREE(set);
	}
	if (!count)
		count = online > 0 ? (unsigned)online : 1;
	return count;
}

bool xt_host_traced(void)
{
	struct xt_buf buf = {0};
	const char *p = NULL;
	bool traced;

	if (!xt_buf_read_file(&buf, "/proc/self/status", 1 << 20))
		p = strstr(buf.data, "\nTracerPid:");
	traced = p && strtol(p + strlen("\nTracerPid:"), NULL, 10) != 0;
	xt_buf_free(&buf);
	return traced;
}

json_t *xt_host_facts(void)
{
	struct utsname uts = {0};
	struct timespec tick;
	json_t *coarse = json_null();

	uname(&uts);
	if (!clock_getres(CLOCK_REALTIME_COARSE, &tick))
		coarse = json_integer((json_int_t)tick.tv_sec * 1000000000 + tick.tv_nsec);
	return json_pack("{s:s, s:s, s:o, s:i, s:o, s:o, s:o, s:s, s:o, s:b}", "kernel", uts.release, "architecture",
	                 uts.machine, "cpu", cpu_name(uts.machine), "cpus", (int)xt_host_cpus(), "clocksource",
	                 line_or_null(CLOCKSOURCE_FOLDER "current_clocksource"), "clocksources",
	                 words_of(CLOCKSOURCE_FOLDER "available_clocksource"), "coarse_resolution_ns", coarse,
	                 "virtualization", virtualization(), "governor",
	                 line_or_null("/sys/devices/system/cpu/cpu0/cpufreq/scaling_governor"), "traced",
	                 (int)xt_host_traced());
}
