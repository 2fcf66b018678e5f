/* SPDX-License-Identifier: MIT */
/* What the harness, its signal handlers and the entry to a program share. */
#ifndef HARNESS_H
#define HARNESS_H

#include <signal.h>
#include <stddef.h>
#include <stdint.h>

/* What enter.S reads and writes; registers by their numbers in instructions. */
struct guest {
	uint64_t registers[16];
	uint64_t flags;
	uint64_t rip;
	uint64_t host_rsp;
};

_Static_assert(offsetof(struct guest, flags) == 128, "FLAGS in enter.S");
_Static_assert(offsetof(struct guest, rip) == 136, "RIP in enter.S");
_Static_assert(offsetof(struct guest, host_rsp) == 144, "HOST_RSP in enter.S");

extern struct guest guest;

void enter_guest(void);
void leave_guest(void);
void after_guest(void);

/* How a program ended, as its handler found it; all zero at the exit. */
struct ending {
	uint64_t signal;
	uint64_t trap;
	uint64_t fault_address;
	uint64_t rip;
};

extern volatile struct ending ending;

/* Number of the program at hand, and whether it is running. */
extern volatile uint64_t current;
extern volatile sig_atomic_t running;

/* Takes over every signal that a program can cause, and limits its time. */
void catch_signals(void);

/* Ends the harness with a sentence that names the program. */
_Noreturn void die(const char *what);

#endif
