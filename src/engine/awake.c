/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The kernel's own means (Documentation/power/pm_qos_interface.rst), as cyclictest uses them. Anybody may start
 * processes of the idle class that spin on every CPU, but these get in the way of the scheduler's choice of a CPU: two
 * connections to PostgreSQL then lose twice what is taken from them.
 */
#include "engine/awake.h"

#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static bool has_idle_driver(void)
{
	FILE *file = fopen("/sys/devices/system/cpu/cpuidle/current_driver", "re");
	char driver[64] = "";
	bool has = file && fgets(driver, sizeof(driver), file) && strncmp(driver, "none", 4) != 0;

	if (file)
		fclose(file);
	return has;
}

int xt_awake_hold(struct xt_err *err)
{
	const int32_t latency_us = 0;
	struct stat st;
	int fd;

	if (!has_idle_driver()) {
		xt_err_failed(err, "this kernel has no cpuidle driver, so CPUs cannot be kept awake");
		return -1;
	}
	fd = open("/dev/cpu_dma_latency", O_WRONLY | O_CLOEXEC);
	if (fd >= 0 && !fstat(fd, &st) && !S_ISCHR(st.st_mode)) {
		close(fd);
		xt_err_failed(err,
		              "cannot keep CPUs awake: /dev/cpu_dma_latency is a file here, not the kernel's device");
		return -1;
	}
	if (fd >= 0 && write(fd, &latency_us, sizeof(latency_us)) == (ssize_t)sizeof(latency_us))
		return fd;
	xt_err_failed(err, "cannot keep CPUs awake: /dev/cpu_dma_latency: %s", strerror(errno));
	if (fd >= 0)
		close(fd);
	return -1;
}
