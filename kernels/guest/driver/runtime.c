// SPDX-License-Identifier: GPL-2.0
/* The driver's own library: it is linked with nothing else. */
#include "runtime.h"

int device;
static char text[TEXT_MOST];
static u64 used;

long syscall6(long number, long a, long b, long c, long d, long e, long f)
{
	long answer;
	register long r10 asm("r10") = d;
	register long r8 asm("r8") = e;
	register long r9 asm("r9") = f;

	asm volatile("syscall"
		     : "=a"(answer)
		     : "a"(number), "D"(a), "S"(b), "d"(c), "r"(r10), "r"(r8), "r"(r9)
		     : "rcx", "r11", "memory");
	return answer;
}

/* The compiler calls these by itself. */
void *memset(void *to, int byte, unsigned long count);
void *memset(void *to, int byte, unsigned long count)
{
	char *p = to;

	while (count--) {
		*p++ = byte;
		asm volatile("" ::: "memory");
	}
	return to;
}

void *memcpy(void *to, const void *from, unsigned long count);
void *memcpy(void *to, const void *from, unsigned long count)
{
	char *p = to;
	const char *q = from;

	while (count--) {
		*p++ = *q++;
		asm volatile("" ::: "memory");
	}
	return to;
}

void fill(void *to, int byte, u64 count)
{
	memset(to, byte, count);
}

u64 length_of(const char *t)
{
	u64 n = 0;

	while (t[n])
		n++;
	return n;
}

int equal(const char *a, const char *b)
{
	while (*a && *a == *b)
		a++, b++;
	return *a == *b;
}

int begins(const char *t, const char *with)
{
	while (*with)
		if (*t++ != *with++)
			return 0;
	return 1;
}

const char *find(const char *in, const char *t)
{
	for (; *in; in++)
		if (begins(in, t))
			return in;
	return 0;
}

void say(const char *t)
{
	while (*t && used < TEXT_MOST - 2)
		text[used++] = *t++;
}

void say_number(s64 value)
{
	char digits[24];
	int n = sizeof(digits);
	u64 rest = value < 0 ? -(u64)value : (u64)value;

	digits[--n] = 0;
	do {
		digits[--n] = '0' + rest % 10;
		rest /= 10;
	} while (rest);
	if (value < 0)
		digits[--n] = '-';
	say(digits + n);
}

void say_hex(u64 value)
{
	char digits[24];
	int n = sizeof(digits);

	digits[--n] = 0;
	do {
		digits[--n] = "0123456789abcdef"[value & 15];
		value >>= 4;
	} while (value);
	say("\"0x");
	say(digits + n);
	say("\"");
}

void say_text(const char *t)
{
	char one[2] = { 0, 0 };

	say("\"");
	for (; *t; t++) {
		if (*t == '"' || *t == '\\')
			say("\\");
		one[0] = *t == '\t' || *t == '\n' ? ' ' : *t;
		if ((u8)one[0] >= 32)
			say(one);
	}
	say("\"");
}

void send(void)
{
	u64 done;

	text[used++] = '\n';
	for (done = 0; done < used;) {
		u64 part = used - done < 65536 ? used - done : 65536;

		syscall(SYS_WRITE, device, text + done, part);
		done += part;
	}
	used = 0;
}

int open_file(const char *path, int flags)
{
	return syscall(SYS_OPEN, path, flags, 0);
}

/* Files of sysfs and tracefs do not say how long they are. */
u8 *read_file(const char *path, u64 *length)
{
	u64 most = 16 << 20;
	int fd = open_file(path, O_RDONLY);
	u8 *bytes;
	long count;

	*length = 0;
	if (fd < 0)
		return 0;
	bytes = (u8 *)syscall6(SYS_MMAP, 0, most, 3, 0x22, -1, 0);
	while ((count = syscall(SYS_READ, fd, bytes + *length, most - *length - 1)) > 0)
		*length += count;
	syscall(SYS_CLOSE, fd, 0, 0);
	return bytes;
}

s64 request(struct recorder_request *r)
{
	long answer = syscall(SYS_IOCTL, device, 1, r);

	return answer < 0 ? answer : r->answer;
}

s64 ask(u32 op, u32 count, const u64 *word)
{
	struct recorder_request r;
	u32 i;

	fill(&r, 0, sizeof(r));
	r.op = op;
	r.count = count;
	for (i = 0; i < count; i++)
		r.word[i] = word[i];
	return request(&r);
}
