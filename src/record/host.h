/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What a reader must know about the machine to judge figures from it. Never a host or user name.
 */
#ifndef XT_RECORD_HOST_H
#define XT_RECORD_HOST_H

#include <jansson.h>
#include <stdbool.h>

/* {kernel, architecture, cpu, cpus, clocksource, clocksources[], coarse_resolution_ns, virtualization, governor,
 * traced}; what cannot be known is null. New reference; NULL when out of memory. */
json_t *xt_host_facts(void);

/* CPUs that this process may run on, at least 1. */
unsigned xt_host_cpus(void);

/* Whether a debugger or tracer is attached to this process. */
bool xt_host_traced(void);

#endif
