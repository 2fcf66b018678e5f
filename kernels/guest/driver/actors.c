// SPDX-License-Identifier: GPL-2.0
/* Tasks beside the driver itself: they share its memory and its files, and are started with their first line. */
#include "actors.h"

#define ACTORS 8
#define STACK 65536
#define CLONE_SHARED 0x700 /* memory, folders, files */

enum state { IDLE, STARTED, ENDED };

static struct actor {
	int number, lives;
	volatile int state;
	struct command command;
	s64 answer;
	u64 rax, lost;
	char stack[STACK] __attribute__((aligned(16)));
} actors[ACTORS];

static void call(struct actor *a)
{
	struct recorder_request r;
	int i;

	fill(&r, 0, sizeof(r));
	r.op = OP_CALL;
	r.count = a->command.count;
	for (i = 0; i < a->command.count; i++)
		r.word[i] = a->command.word[i];
	a->answer = request(&r);
	a->rax = r.word[0];
	a->lost = r.word[2];
}

static void rest(void)
{
	static const s64 time[2] = { 0, 200000 };

	syscall(SYS_NANOSLEEP, time, 0, 0);
}

void actor_lives(struct actor *a);
void actor_lives(struct actor *a)
{
	u64 cpus = 1ull << a->number;

	syscall(SYS_SCHED_SETAFFINITY, 0, sizeof(cpus), &cpus);
	for (;;) {
		while (a->state != STARTED)
			rest();
		if (a->command.verb == 'c')
			call(a);
		else
			a->answer = perform(&a->command);
		a->state = ENDED;
	}
}

/* clone() returns twice, the second time on another stack. */
static void spawn(struct actor *a)
{
	register struct actor *own asm("r12") = a;

	asm volatile("syscall\n\ttest %%rax, %%rax\n\tjnz 1f\n\txor %%ebp, %%ebp\n\tmov %%r12, %%rdi\n\t"
		     "call actor_lives\n1:"
		     :
		     : "a"(SYS_CLONE), "D"(CLONE_SHARED), "S"(a->stack + STACK), "d"(0), "r"(own)
		     : "rcx", "r11", "r10", "r8", "memory");
}

void actor_starts(s64 number, const char *line)
{
	struct actor *a = &actors[number % ACTORS];

	read_command(line, &a->command);
	a->number = number % ACTORS;
	a->state = STARTED;
	if (!a->lives) {
		a->lives = 1;
		spawn(a);
	}
	say("{\"r\":0}");
}

void actor_says(s64 number)
{
	const struct actor *a = &actors[number % ACTORS];
	int has_ended = a->state == ENDED;

	say("{\"ended\":");
	say_number(has_ended);
	if (has_ended) {
		say(",\"r\":");
		say_number(a->answer);
		if (a->command.verb == 'c') {
			say(",\"rax\":");
			say_hex(a->rax);
			say(",\"lost\":");
			say_number(a->lost);
		}
	}
	say("}");
}
