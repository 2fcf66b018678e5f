// SPDX-License-Identifier: GPL-2.0
/* Live patches as their users have them: a module that is loaded, a file that disables it, a transition to wait for. */
#include "livepatch.h"
#include "functions.h"

#define NAME "attachcheck_livepatch00"
#define DIGITS (sizeof(NAME) - 3)
#define TRIES 3000
#define WAIT_NS 10000000

static u8 *image;
static u64 length;
static u8 is_on[OBJECTS];

void livepatch_start(void)
{
	image = read_file("/livepatch.ko", &length);
}

static void with_number(char *digits, u64 number)
{
	digits[0] = '0' + number / 10;
	digits[1] = '0' + number % 10;
}

/* The name of the module, wherever it is in it. */
static void name_image(u64 number)
{
	u64 i;

	for (i = 0; i + sizeof(NAME) < length; i++)
		if (begins((const char *)image + i, "attachcheck_livepatch"))
			with_number((char *)image + i + DIGITS, number);
}

static char *append(char *to, const char *text)
{
	while (*text)
		*to++ = *text++;
	*to = 0;
	return to;
}

static s64 load(u64 number, const struct function *fn, u64 replacement)
{
	static char options[256];
	char *end = append(options, "function=");
	int i;

	end = append(end, fn->symbol);
	if (fn->home != KERNEL)
		end = append(end, " object=attachcheck");
	end = append(end, " replacement=0x");
	for (i = 0; i < 16; i++)
		*end++ = "0123456789abcdef"[replacement >> (60 - 4 * i) & 15];
	*end = 0;
	name_image(number);
	return syscall(SYS_INIT_MODULE, image, length, options);
}

static char path[96];

static const char *file_of(u64 number, const char *file)
{
	char *end = append(path, "/sys/kernel/livepatch/" NAME);

	with_number(end - 2, number);
	append(end, file);
	return path;
}

/* What its transition file says; 0: it has none any more. */
static char transition(u64 number)
{
	int fd = open_file(file_of(number, "/transition"), O_RDONLY);
	char state = 0;

	if (fd < 0)
		return 0;
	if (syscall(SYS_READ, fd, &state, 1) < 1)
		state = 0;
	syscall(SYS_CLOSE, fd, 0, 0);
	return state;
}

static void rest(void)
{
	const s64 time[2] = { 0, WAIT_NS };

	syscall(SYS_NANOSLEEP, time, 0, 0);
}

#define TIMED_OUT (-62)

/* A transition ends when every task was seen outside of the function. */
static s64 settled(u64 number, char state)
{
	int i;

	for (i = 0; i < TRIES; i++) {
		if (transition(number) == state)
			return 0;
		rest();
	}
	return TIMED_OUT;
}

static s64 enable(u64 ops, s64 fn, u64 replacement)
{
	const u64 on[] = { ops, 1 };
	s64 answer = load(ops, function(fn), replacement);

	if (answer)
		return answer;
	is_on[ops] = 1;
	answer = ask(OP_PATCHED, 2, on);
	return answer ? answer : settled(ops, '0');
}

static s64 disable(u64 ops)
{
	const u64 off[] = { ops, 0 };
	char name[] = NAME;
	int fd = open_file(file_of(ops, "/enabled"), O_WRONLY), i;
	s64 answer = fd < 0 ? fd : syscall(SYS_WRITE, fd, "0\n", 2);

	if (fd >= 0)
		syscall(SYS_CLOSE, fd, 0, 0);
	if (answer < 0)
		return answer;
	answer = settled(ops, 0);
	ask(OP_PATCHED, 2, off);
	is_on[ops] = 0;
	with_number(name + DIGITS, ops);
	/* The last reference goes a little later. */
	for (i = 0; i < TRIES && syscall(SYS_DELETE_MODULE, name, O_NONBLOCK, 0) < 0; i++)
		rest();
	return answer;
}

s64 livepatch_register(u64 ops, int on)
{
	struct recorder_request r;

	fill(&r, 0, sizeof(r));
	r.op = OP_LIVE_PATCH;
	r.word[0] = ops;
	if (!length || request(&r) < 0 || (on && r.word[3]) || (!on && !r.word[3]))
		return ask(on ? OP_REGISTER : OP_UNREGISTER, 1, &ops);
	return on ? enable(ops, r.word[1], r.word[2]) : disable(ops);
}

void livepatch_off(void)
{
	int i;

	for (i = 0; i < OBJECTS; i++)
		if (is_on[i])
			disable(i);
}
