// SPDX-License-Identifier: MIT
/* Faults, traps and the time limit: how a program ends that does not exit. */
#define _GNU_SOURCE
#include "harness.h"
#include <stdio.h>
#include <sys/time.h>
#include <ucontext.h>
#include <unistd.h>

struct guest guest;
volatile struct ending ending;
volatile uint64_t current;
volatile sig_atomic_t running;

_Noreturn void die(const char *what)
{
	char text[128];
	int n = snprintf(text, sizeof(text), "harness: %s at program %llu\n",
			 what, (unsigned long long)current);

	/* stdio may be what is broken */
	(void)!write(2, text, n);
	_exit(3);
}

/* In the order of their numbers in an instruction. */
static const int GREGS[16] = {
	REG_RAX, REG_RCX, REG_RDX, REG_RBX, REG_RSP, REG_RBP, REG_RSI, REG_RDI,
	REG_R8, REG_R9, REG_R10, REG_R11, REG_R12, REG_R13, REG_R14, REG_R15,
};

/* Takes the program's state and goes on after the call of enter_guest(). */
static void stop_guest(int signal, ucontext_t *uc)
{
	greg_t *gregs = uc->uc_mcontext.gregs;

	for (int i = 0; i < 16; i++)
		guest.registers[i] = gregs[GREGS[i]];
	guest.flags = gregs[REG_EFL];
	ending.signal = signal;
	ending.trap = gregs[REG_TRAPNO];
	ending.fault_address = gregs[REG_CR2];
	ending.rip = gregs[REG_RIP];
	running = 0;
	gregs[REG_RIP] = (greg_t)(uintptr_t)after_guest;
	gregs[REG_RSP] = guest.host_rsp;
	gregs[REG_EFL] = 0x202;
}

static void on_fault(int signal, siginfo_t *info, void *context)
{
	(void)info;
	if (!running)
		die("a signal outside of any program");
	stop_guest(signal, context);
}

/* Ends a program that is still running after five to six ticks. */
static void on_tick(int signal, siginfo_t *info, void *context)
{
	static uint64_t seen;
	static int ticks;

	(void)info;
	if (!running || seen != current) {
		seen = current;
		ticks = 0;
	} else if (++ticks > 5) {
		ticks = 0;
		stop_guest(signal, context);
	}
}

void catch_signals(void)
{
	static const int faults[] = { SIGSEGV, SIGBUS, SIGILL, SIGTRAP, SIGFPE };
	static uint8_t stack[256 * 1024];
	struct itimerval tick = { { 0, 200000 }, { 0, 200000 } };
	struct sigaction action = { 0 };
	stack_t alternate = { .ss_sp = stack, .ss_size = sizeof(stack) };

	/* A program's rsp may point anywhere: no handler may use it. */
	if (sigaltstack(&alternate, NULL))
		die("sigaltstack failed");
	sigfillset(&action.sa_mask);
	action.sa_flags = SA_SIGINFO | SA_ONSTACK | SA_RESTART;
	action.sa_sigaction = on_fault;
	for (size_t i = 0; i < sizeof(faults) / sizeof(faults[0]); i++)
		sigaction(faults[i], &action, NULL);
	action.sa_sigaction = on_tick;
	sigaction(SIGALRM, &action, NULL);
	if (setitimer(ITIMER_REAL, &tick, NULL))
		die("setitimer failed");
}
