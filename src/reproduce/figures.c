/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The published figures as data, each with its source. Nothing here is computed but the ratio of a reference.
 */
#include "reproduce/figures.h"

#include <math.h>
#include <string.h>

#define COUNT(array) (sizeof(array) / sizeof((array)[0]))

/* sysbench OLTP, transactions per second, before = sys_time() takes do_gettimeofday().tv_sec, after = it reads
 * xtime.tv_sec.
 * 2007-06: linux-kernel, "Re: [patch, v2.6.22-rc6] sys_time() speedup", 26 June 2007, quoting the patch mail of 25
 * June. The machine is not named; two CPUs are inferred from the curve, 10 s runs from transactions / rate. 2007-10:
 * commit f20bf6125605 of the kernel (2.6.23), two dual-core systems. */
const struct xt_figure_2007 xt_figures_2007[] = {
	{"2007-06", 1, 3733, 373.21, 4005, 400.47},         {"2007-06", 2, 6676, 667.46, 7379, 737.77},
	{"2007-06", 3, 6957, 695.50, 7347, 734.49},         {"2007-06", 4, 7055, 705.48, 7468, 746.65},
	{"2007-06", 5, 6596, 659.33, 7428, 742.47},         {"2007-10-amd", 1, 4073, 407.23, 4281, 428.09},
	{"2007-10-amd", 2, 8530, 852.81, 8910, 890.85},     {"2007-10-amd", 3, 8321, 831.88, 8659, 865.79},
	{"2007-10-amd", 4, 8407, 840.58, 8676, 867.34},     {"2007-10-amd", 5, 8070, 806.74, 8532, 852.91},
	{"2007-10-intel", 1, 4560, 455.94, 4779, 477.84},   {"2007-10-intel", 2, 10094, 1009.30, 10103, 1010.14},
	{"2007-10-intel", 3, 9755, 975.36, 10141, 1013.93}, {"2007-10-intel", 4, 9859, 985.78, 10371, 1036.89},
	{"2007-10-intel", 5, 9701, 969.72, 10178, 1017.50},
};
const size_t xt_figures_2007_count = COUNT(xt_figures_2007);

/* linux-kernel, "Re: [PATCH] vfs: replace current_kernel_time64 with ktime equivalent", 25 June 2018; 3.1 GHz Ryzen. */
const struct xt_figure_2018 xt_figures_2018[] = {
	{"vdso", "hires", 37.18},
	{"vdso", "coarse", 6.44},
	{"syscall", "hires", 161.62},
	{"syscall", "coarse", 133.87},
};
const size_t xt_figures_2018_count = COUNT(xt_figures_2018);

/* linux-kernel, "Re: [PATCH v7 00/25] Unify vDSOs across more architectures", 24 June 2019; Calxeda Midway
 * (Cortex-A15), 5.2-rc3 before and after the series. */
const struct xt_figure_2019 xt_figures_2019[] = {
	{"clock-gettime-monotonic", 147, 142},
	{"clock-getres-monotonic", NAN, 34},
	{"clock-gettime-monotonic-coarse", 90, 96},
	{"clock-getres-monotonic-coarse", NAN, 36},
	{"clock-gettime-monotonic-raw", 431, 142},
	{"clock-getres-monotonic-raw", NAN, 35},
	{"clock-gettime-tai", 598, 150},
	{"clock-getres-tai", NAN, 34},
	{"clock-gettime-boottime", 592, 142},
	{"clock-getres-boottime", NAN, 34},
	{"clock-gettime-realtime", 149, 142},
	{"clock-getres-realtime", NAN, 34},
	{"clock-gettime-realtime-coarse", 86, 96},
	{"clock-getres-realtime-coarse", NAN, 36},
	{"getcpu", NAN, NAN},
	{"gettimeofday", 133, 110},
};
const size_t xt_figures_2019_count = COUNT(xt_figures_2019);

#define CLOCKPERF "https://github.com/tycho/clockperf"
#define REDIS     "https://github.com/redis/redis/issues/10604"
#define PGTIMING  "https://www.postgresql.org/docs/current/pgtesttiming.html"
#define MRG                                                                                                            \
	"https://access.redhat.com/documentation/en-US/Red_Hat_Enterprise_MRG/2/html/Realtime_Reference_Guide/"        \
	"chap-Realtime_Reference_Guide-Timestamping.html"
#define SPEED "https://www.brendangregg.com/blog/2021-09-26/the-speed-of-time.html"

const struct xt_figure_clocksource xt_figures_clocksources[] = {
	{"tsc", 23, "x86, clock_gettime/gettimeofday, clockperf README", CLOCKPERF, false},
	{"hpet", 565, "same machine as the row above; time() stayed 5.36 and realtime coarse 9.7", CLOCKPERF, true},
	{"tsc", 23, "EC2 c5, clock_gettime", REDIS, false},
	{"kvm-clock", 27, "EC2 c5, clock_gettime", REDIS, false},
	{"xen", 596, "EC2 m4, clock_gettime", REDIS, true},
	{"tsc", 36, "pg_test_timing loop, PostgreSQL documentation", PGTIMING, false},
	{"acpi_pm", 723, "pg_test_timing loop, same machine as the row above", PGTIMING, true},
	{"hpet", 1226, "10,000,000 clock_gettime(MONOTONIC), Red Hat MRG Realtime Reference Guide, chapter 15", MRG,
         false},
	{"acpi_pm", 2552, "same loop, same guide", MRG, false},
	{"xen", 680, "100,000,000 gettimeofday in 68 s, EC2 Xen guest, 2014 story told 2021", SPEED, false},
};
const size_t xt_figures_clocksources_count = COUNT(xt_figures_clocksources);

const struct xt_figure_2007 *xt_figure_2007_find(const char *series, unsigned threads)
{
	for (size_t i = 0; i < COUNT(xt_figures_2007); i++)
		if (xt_figures_2007[i].threads == threads && !strcmp(xt_figures_2007[i].series, series))
			return &xt_figures_2007[i];
	return NULL;
}

json_t *xt_figures_2007_references(unsigned threads)
{
	json_t *list = json_array();

	for (size_t i = 0; i < COUNT(xt_figures_2007); i++) {
		const struct xt_figure_2007 *row = &xt_figures_2007[i];

		if (row->threads != threads)
			continue;
		if (json_array_append_new(list, json_pack("{s:s, s:f, s:f, s:f}", "name", row->series, "before_tps",
		                                          row->before_tps, "after_tps", row->after_tps, "ratio",
		                                          row->after_tps / row->before_tps))) {
			json_decref(list);
			return NULL;
		}
	}
	return list;
}
