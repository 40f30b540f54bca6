/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Calls of time() from the main loop and, a thousand times a second, from a signal handler that interrupts it. Prints
 * how many there were: none may be lost.
 */
#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/time.h>
#include <time.h>
#include <unistd.h>

static volatile long in_handler, wrong;
static long in_loop;
static time_t start;

static void handler(int sig)
{
	int kept = errno;

	(void)sig;
	if (time(NULL) < start || time(NULL) > start + 60)
		wrong++;
	in_handler += 2;
	errno = kept;
}

int main(void)
{
	struct sigaction action = {.sa_handler = handler, .sa_flags = SA_RESTART};
	timer_t timer;
	struct itimerspec every = {{0, 1000000}, {0, 1000}};
	struct sigevent event = {.sigev_notify = SIGEV_SIGNAL, .sigev_signo = SIGUSR1};
	sigset_t set;

	start = time(NULL) - 2;
	in_loop++;
	sigaction(SIGUSR1, &action, NULL);
	if (timer_create(CLOCK_MONOTONIC, &event, &timer) || timer_settime(timer, 0, &every, NULL))
		return 2;
	while (in_handler < 600) {
		for (int i = 0; i < 1000; i++)
			if (time(NULL) < start)
				wrong++;
		in_loop += 1000;
	}
	sigemptyset(&set);
	sigaddset(&set, SIGUSR1);
	sigprocmask(SIG_BLOCK, &set, NULL);
	timer_delete(timer);
	printf("%ld\n", in_loop + in_handler);
	return wrong != 0;
}
