// SPDX-License-Identifier: GPL-2.0
/*
 * Where a task stands that a debugger of the machine has led to recorder_park() (calls.S): at any instruction of the
 * kernel, with what it holds there. Each CPU has one task that is led here.
 */
#include <linux/delay.h>
#include <linux/smp.h>
#include "module.h"

#define CPUS 8

static struct {
	bool sleeps;
	bool released;
} place[CPUS];

/* With interrupts on, it answers those of other CPUs; where it may be preempted, others run. */
void recorder_stand(void);
void recorder_stand(void)
{
	int cpu = raw_smp_processor_id() % CPUS;

	while (!READ_ONCE(place[cpu].released)) {
		if (place[cpu].sleeps)
			usleep_range(500, 1000);
		else
			cpu_relax();
	}
	WRITE_ONCE(place[cpu].released, false);
}

s64 recorder_parking(struct recorder_request *r)
{
	u64 cpu = r->word[0] % CPUS;

	switch (r->op) {
	case OP_STAND:
		place[cpu].sleeps = r->word[1];
		return 0;
	case OP_RELEASE:
		WRITE_ONCE(place[cpu].released, true);
		return 0;
	}
	return -ENOSYS;
}
