/* SPDX-License-Identifier: GPL-2.0 */
/* What the driver needs of a C library: system calls, text, and a line to the host. */
#ifndef RUNTIME_H
#define RUNTIME_H
#include "../recorder.h"

#define TEXT_MOST (1 << 21)
#define O_RDONLY 0
#define O_WRONLY 1
#define O_RDWR 2
#define O_TRUNC 01000
#define O_APPEND 02000
#define O_NONBLOCK 04000

/* Answers as the kernel gives them: a negative errno, or a result. */
long syscall6(long number, long a, long b, long c, long d, long e, long f);
#define syscall(n, a, b, c) syscall6(n, (long)(a), (long)(b), (long)(c), 0, 0, 0)
#define SYS_READ 0
#define SYS_WRITE 1
#define SYS_OPEN 2
#define SYS_CLOSE 3
#define SYS_LSEEK 8
#define SYS_MMAP 9
#define SYS_IOCTL 16
#define SYS_NANOSLEEP 35
#define SYS_CLONE 56
#define SYS_MKDIR 83
#define SYS_MOUNT 165
#define SYS_REBOOT 169
#define SYS_INIT_MODULE 175
#define SYS_DELETE_MODULE 176
#define SYS_SCHED_SETAFFINITY 203
#define SYS_PERF_EVENT_OPEN 298
#define SYS_FINIT_MODULE 313
#define SYS_BPF 321

u64 length_of(const char *text);
int equal(const char *a, const char *b);
int begins(const char *text, const char *with);
/* Where a text is in another; 0: it is not. */
const char *find(const char *in, const char *text);
void fill(void *to, int byte, u64 count);

/* The answer that is being written. */
void say(const char *text);
void say_number(s64 value);
void say_hex(u64 value);
void say_text(const char *text);
void send(void);

int open_file(const char *path, int flags);
/* A whole file in memory that stays; its length is put down. */
u8 *read_file(const char *path, u64 *length);

/* A request to the module. */
s64 request(struct recorder_request *r);
s64 ask(u32 op, u32 count, const u64 *word);
extern int device;
#endif
