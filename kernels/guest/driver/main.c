// SPDX-License-Identifier: GPL-2.0
/* The first process of the guest: it does what the host's lines say, and answers each with a line of JSON. */
#include "actors.h"
#include "btf.h"
#include "functions.h"
#include "insns.h"
#include "livepatch.h"
#include "observe.h"
#include "programs.h"
#include "runtime.h"
#include "targets.h"

static char line[16384];
static s64 number(const char **from)
{
	const char *p = *from;
	int negative = *p == '-';
	u64 value = 0;

	p += negative;
	if (p[0] == '0' && p[1] == 'x')
		for (p += 2; (*p >= '0' && *p <= '9') || (*p >= 'a' && *p <= 'f'); p++)
			value = value << 4 | (u64)(*p <= '9' ? *p - '0' : *p - 'a' + 10);
	else
		for (; *p >= '0' && *p <= '9'; p++)
			value = value * 10 + (u64)(*p - '0');
	*from = p;
	return negative ? -(s64)value : (s64)value;
}

/* A verb and its words. */
void read_command(const char *p, struct command *c)
{
	c->verb = *p++;
	c->count = 0;
	while (*p && c->count < WORDS_MOST) {
		while (*p == ' ')
			p++;
		if (*p == '-' || (*p >= '0' && *p <= '9'))
			c->word[c->count++] = number(&p);
		else
			break;
	}
}

static s64 write_text(const char *path, int flags, const char *text, u64 length)
{
	int fd = open_file(path, flags);
	long answer;

	if (fd < 0)
		return fd;
	answer = length ? syscall(SYS_WRITE, fd, text, length) : 0;
	syscall(SYS_CLOSE, fd, 0, 0);
	return answer < 0 ? answer : 0;
}

enum sysctl { FTRACE_ENABLED, KPROBES_OPTIMIZATION };

static s64 write_sysctl(s64 which, s64 value)
{
	static const char *const paths[] = { "/proc/sys/kernel/ftrace_enabled", "/proc/sys/debug/kprobes-optimization" };

	return write_text(paths[which], O_WRONLY, value ? "1\n" : "0\n", 2);
}

/* A history begins with ftrace on, and kprobes that are not optimised. */
static void start_sysctls(void)
{
	write_sysctl(FTRACE_ENABLED, 1);
	write_sysctl(KPROBES_OPTIMIZATION, 0);
}

/* f ops notrace truncate remove fn …: one write for each function, which is what one for a pattern comes to; -1: no instance. */
static s64 write_filter(const struct command *c)
{
	const s64 *word = c->word;
	static const char *const paths[] = { "/sys/kernel/tracing/set_ftrace_filter",
					     "/sys/kernel/tracing/set_ftrace_notrace",
					     "/sys/kernel/tracing/instances/attachcheck/set_ftrace_filter",
					     "/sys/kernel/tracing/instances/attachcheck/set_ftrace_notrace" };
	const u64 none = -1;
	char name[128];
	int is_own = word[0] >= 0, accepted = 0, fd, i;
	s64 answer = is_own ? ask(OP_FILTER_FILES, 1, (const u64 *)word) : 0;

	if (answer)
		return answer;
	fd = open_file(paths[2 * is_own + word[1]], O_WRONLY | (word[2] ? O_TRUNC : O_APPEND));
	if (is_own)
		answer = ask(OP_FILTER_FILES, 1, &none);
	if (fd < 0)
		return fd;
	for (i = 4; i < c->count; i++) {
		const char *symbol = word[i] < 0 ? "no_such_function" : function(word[i])->symbol;
		u64 n = 0, k;
		long written;

		if (word[3])
			name[n++] = '!';
		for (k = 0; symbol[k]; k++)
			name[n++] = symbol[k];
		name[n++] = '\n';
		written = syscall(SYS_WRITE, fd, name, n);
		accepted |= written >= 0;
		if (written < 0)
			answer = written;
	}
	syscall(SYS_CLOSE, fd, 0, 0);
	/* A pattern that matches nothing is EINVAL: of those that match, some may be of a module that has gone. */
	return accepted && answer == -22 ? 0 : answer;
}

static s64 load_second(void)
{
	struct recorder_request r;
	char parameter[32] = "hooks=0x";
	int fd = open_file("/second.ko", O_RDONLY), i;
	s64 answer;

	fill(&r, 0, sizeof(r));
	r.op = OP_HOOKS;
	request(&r);
	for (i = 0; i < 16; i++)
		parameter[8 + i] = "0123456789abcdef"[r.word[0] >> (60 - 4 * i) & 15];
	answer = syscall(SYS_FINIT_MODULE, fd, parameter, 0);
	syscall(SYS_CLOSE, fd, 0, 0);
	if (!answer)
		functions_start(SECOND);
	return answer;
}

static s64 unload_second(void)
{
	return syscall(SYS_DELETE_MODULE, "attachcheck_second", O_NONBLOCK, 0);
}

s64 perform(const struct command *c)
{
	const s64 *word = c->word;

	switch (c->verb) {
	case 'x':
		if (word[0] == OP_REGISTER || word[0] == OP_UNREGISTER)
			return livepatch_register(word[1], word[0] == OP_REGISTER);
		return ask(word[0], c->count - 1, (const u64 *)word + 1);
	case 'g':
		return target_load(word, c->count);
	case 'p':
		return program_load(word, c->count);
	case 'd':
		return program_close(word[0]);
	case 'l':
		return link_create(word, c->count);
	case 'r':
		return link_open(word, c->count);
	case 'q':
		return link_close(word[0]);
	case 'v':
		return perf_event(word);
	case 's':
		return write_sysctl(word[0], word[1]);
	case 'f':
		return write_filter(c);
	case 'm':
		return word[0] ? load_second() : unload_second();
	}
	return -38;
}

/* i 1 function called caller 0 -12 …: an allocation that fails. */
static s64 order_failure(const char *text)
{
	struct recorder_request r;

	fill(&r, 0, sizeof(r));
	r.op = OP_FAIL;
	r.buffer = (u64)text;
	return request(&r);
}

/* What was ordered to fail has done so in this call. */
static void say_failure(void)
{
	if (ask(OP_FAILED, 0, 0) > 0)
		say(",\"failed\":1");
}

/* z: everything off, and the kernel as it was; what is still patched, and whether a direct call is accepted. */
static void end(void)
{
	order_failure("0");
	programs_off();
	targets_off();
	livepatch_off();
	ask(OP_RESET, 0, 0);
	start_sysctls();
	write_text("/sys/kernel/tracing/set_ftrace_filter", O_WRONLY | O_TRUNC, "", 0);
	write_text("/sys/kernel/tracing/set_ftrace_notrace", O_WRONLY | O_TRUNC, "", 0);
	say("{\"second\":");
	say_number(load_second());
	say_left();
	say_warnings();
	say("}");
}

static void answer(const char *text)
{
	struct command c;

	read_command(text, &c);
	switch (c.verb) {
	case 'c':
		say_call(c.word, c.count);
		break;
	case 'o':
		say_entry(c.word[0]);
		break;
	case 'z':
		end();
		break;
	case 'b':
		say_build();
		break;
	case 'k':
		if (c.count)
			say_place(c.word[0]);
		else
			say_lookup(text + 2);
		break;
	case 'y':
		say_code(c.word[0], c.word[1]);
		break;
	case 'i':
		say("{\"r\":");
		say_number(order_failure(text + 2));
		say("}");
		break;
	case 'e':
		say_seen();
		break;
	case 'a':
		/* a 2 x 24 1: the second actor does what follows. */
		actor_starts(c.word[0], text + 4);
		break;
	case 'w':
		actor_says(c.word[0]);
		break;
	default:
		say("{\"r\":");
		say_number(perform(&c));
		if (c.verb == 'p' && verifier_log()[0]) {
			say(",\"log\":");
			say_text(verifier_log());
		}
		say_failure();
		say_warnings();
		say("}");
	}
	send();
}

static void power_off(void)
{
	syscall6(SYS_REBOOT, 0xfee1dead, 672274793, 0x4321fedc, 0, 0, 0);
}

static u64 kallsyms(void)
{
	u64 length;
	const char *text = (const char *)read_file("/proc/kallsyms", &length);
	const char *name = text ? find(text, " kallsyms_lookup_name\n") : 0;
	u64 value = 0;

	if (!name)
		return 0;
	/* ffffffff81234560 T kallsyms_lookup_name */
	for (name -= 18; *name != ' '; name++)
		value = value << 4 | (u64)(*name <= '9' ? *name - '0' : *name - 'a' + 10);
	return value;
}

static void mount(const char *type, const char *where)
{
	syscall(SYS_MKDIR, where, 0755, 0);
	syscall6(SYS_MOUNT, (long)type, (long)where, (long)type, 0, 0, 0);
}

static int load_recorder(void)
{
	char parameter[40] = "lookup=0x";
	u64 lookup = kallsyms();
	int fd = open_file("/recorder.ko", O_RDONLY), i;

	for (i = 0; i < 16; i++)
		parameter[9 + i] = "0123456789abcdef"[lookup >> (60 - 4 * i) & 15];
	return syscall(SYS_FINIT_MODULE, fd, parameter, 0);
}

void driver(void);
void driver(void)
{
	static const char *const mounts[][2] = { { "proc", "/proc" },
						 { "sysfs", "/sys" },
						 { "devtmpfs", "/dev" },
						 { "tracefs", "/sys/kernel/tracing" },
						 { "cgroup2", "/sys/fs/cgroup" } };
	unsigned i;

	for (i = 0; i < sizeof(mounts) / sizeof(*mounts); i++)
		mount(mounts[i][0], mounts[i][1]);
	if (load_recorder() < 0 || (device = open_file("/dev/attachcheck", O_RDWR)) < 0)
		power_off();
	btf_start();
	functions_start(RECORDER);
	functions_start(KERNEL);
	livepatch_start();
	insns_start();
	load_second();
	observe_start();
	start_sysctls();
	say_build();
	send();
	for (;;) {
		long n = syscall(SYS_READ, device, line, sizeof(line) - 1);

		if (n <= 0)
			power_off();
		line[n - 1] = 0;
		answer(line);
	}
}

asm(".globl _start\n_start: xor %ebp, %ebp\n and $-16, %rsp\n call driver\n hlt\n");
