// SPDX-License-Identifier: GPL-2.0
/* What is seen of the kernel: calls, entries, warnings. */
#include "observe.h"
#include "functions.h"
#include "insns.h"

#define EVENTS 4096
static struct recorder_event events[EVENTS];
static int messages;

void observe_start(void)
{
	messages = open_file("/dev/kmsg", O_RDONLY | O_NONBLOCK);
	syscall(SYS_LSEEK, messages, 0, 2);
}

static void say_words(const u64 *value, u32 count)
{
	u32 i;

	say(",\"a\":[");
	for (i = 0; i < count && i < 16; i++) {
		if (i)
			say(",");
		say_hex(value[i]);
	}
	say("]");
}

static void say_field(const char *name, u64 value)
{
	say(",\"");
	say(name);
	say("\":");
	say_hex(value);
}

static void say_event(const struct recorder_event *e)
{
	say("{\"w\":");
	say_number(e->who);
	say(",\"f\":");
	say_number(e->fn);
	say(",\"o\":");
	say_number(e->object);
	if (e->who == SAW_GRAPH_EXIT) {
		if (e->count)
			say_field("r", e->ret);
	} else if (e->who == SAW_DIRECT || e->who == SAW_BODY || e->who == SAW_KRETPROBE || e->who == SAW_FPROBE_EXIT)
		say_field("r", e->ret);
	if (e->who == SAW_GRAPH_ENTRY || e->who == SAW_GRAPH_EXIT || e->data)
		say_field("d", e->data);
	if (e->count && e->who != SAW_GRAPH_EXIT)
		say_words(e->arg, e->count);
	say("}");
}

static void say_run(const struct program_event *e)
{
	say("{\"p\":");
	say_number(e->program);
	if (e->has_ret)
		say_field("r", e->ret);
	say_field("c", e->cookie);
	if (e->ip)
		say_field("i", e->ip);
	say_words(e->arg, e->count);
	say("}");
}

static struct recorder_request taken;

static int take(void)
{
	fill(&taken, 0, sizeof(taken));
	taken.op = OP_EVENTS;
	taken.buffer = (u64)events;
	taken.length = EVENTS;
	return request(&taken);
}

/* Both logs are in the order of their times. */
static void say_events(void)
{
	struct program_event *runs;
	int ran = programs_ran(&runs), seen = take(), i = 0, k = 0;

	say(",\"ev\":[");
	while (i < seen || k < ran) {
		if (i + k)
			say(",");
		if (k == ran || (i < seen && events[i].time <= runs[k].time))
			say_event(&events[i++]);
		else
			say_run(&runs[k++]);
	}
	say("]");
}

void say_call(const s64 *w, int count)
{
	struct recorder_request r;
	struct program_event *runs;
	int i;

	take();
	programs_ran(&runs);
	fill(&r, 0, sizeof(r));
	r.op = OP_CALL;
	r.count = count;
	for (i = 0; i < count; i++)
		r.word[i] = w[i];
	request(&r);
	say("{\"rax\":");
	say_hex(r.word[0]);
	say(",\"lost\":");
	say_number(r.word[2]);
	say_events();
	say_warnings();
	say("}");
}

static void say_symbol(u64 address)
{
	static char name[512];
	struct recorder_request r;

	fill(&r, 0, sizeof(r));
	r.op = OP_SYMBOL;
	r.word[0] = address;
	r.buffer = (u64)name;
	r.length = sizeof(name);
	name[0] = 0;
	request(&r);
	say_text(name);
}

void say_seen(void)
{
	say("{\"rax\":\"0x0\"");
	say_events();
	say_warnings();
	say("}");
}

void say_place(u64 address)
{
	say("{\"at\":");
	say_hex(address);
	say(",\"is\":");
	say_symbol(address);
	say("}");
}

void say_lookup(const char *name)
{
	struct recorder_request r;

	fill(&r, 0, sizeof(r));
	r.op = OP_LOOKUP;
	r.buffer = (u64)name;
	say_place(request(&r) < 0 ? 0 : r.word[0]);
}

void say_code(u64 address, u64 length)
{
	u64 done, value;
	struct recorder_request r;

	say("{\"a\":[");
	for (done = 0; done < length; done += sizeof(value)) {
		value = 0;
		fill(&r, 0, sizeof(r));
		r.op = OP_READ;
		r.word[0] = address + done;
		r.buffer = (u64)&value;
		r.length = sizeof(value);
		request(&r);
		if (done)
			say(",");
		say_hex(value);
	}
	say("]}");
}

static u64 entry_of(s64 fn, int *is_jump)
{
	struct recorder_request r;
	u64 address = function_address(fn);
	u8 bytes[16];
	int site = 0;

	fill(&r, 0, sizeof(r));
	r.op = OP_READ;
	r.word[0] = address;
	r.buffer = (u64)bytes;
	r.length = sizeof(bytes);
	*is_jump = 0;
	if (request(&r) < 0)
		return 0;
	if (bytes[0] == 0xf3 && bytes[1] == 0x0f && bytes[2] == 0x1e && bytes[3] == 0xfa)
		site = 4;
	*is_jump = bytes[site] == 0xe9;
	if (bytes[site] != 0xe8 && bytes[site] != 0xe9)
		return 0;
	return address + site + 5 + (s64)(s32)(bytes[site + 1] | bytes[site + 2] << 8 | bytes[site + 3] << 16 |
						(u32)bytes[site + 4] << 24);
}

/* With all of the kernel traced the file is long, and is not read to its end. */
#define LINES_MOST (1 << 16)
static char lines[LINES_MOST];

static void say_enabled(const char *symbol)
{
	int fd = open_file("/sys/kernel/tracing/enabled_functions", O_RDONLY);
	u64 length = 0;
	long n;
	char *p = lines, *end;

	while (length < LINES_MOST - 1 && (n = syscall(SYS_READ, fd, lines + length, LINES_MOST - 1 - length)) > 0)
		length += n;
	syscall(SYS_CLOSE, fd, 0, 0);
	lines[length] = 0;
	while (*p) {
		for (end = p; *end && *end != '\n'; end++)
			;
		if (begins(p, symbol) && p[length_of(symbol)] == ' ') {
			/* What begins with a tab goes on with the line before. */
			while (*end && end[1] == '\t')
				for (*end++ = ' '; *end && *end != '\n'; end++)
					;
			*end = 0;
			say(",\"n\":");
			say_text(p + length_of(symbol));
			return;
		}
		p = *end ? end + 1 : end;
	}
}

void say_entry(s64 fn)
{
	int is_jump;
	u64 to = entry_of(fn, &is_jump);

	say("{\"e\":");
	if (to) {
		say_symbol(to);
		say(is_jump ? ",\"j\":1" : ",\"j\":0");
		say_field("to", to);
		say_enabled(function(fn)->symbol);
	} else
		say("\"nop\"");
	say_field("at", function_address(fn));
	say("}");
}

/* The functions of the second module may be gone. */
void say_left(void)
{
	u64 tramp[] = { OBJECTS, 1 }, release[] = { OBJECTS, 1, 1 };
	u64 filter[] = { OBJECTS, 0, 0, 0 }, fresh[] = { OBJECTS, 0, 1 };
	int is_jump, any = 0, i;
	s64 answer;

	say(",\"left\":[");
	for (i = 0; i < function_count(); i++) {
		if (!entry_of(i, &is_jump))
			continue;
		if (any++)
			say(",");
		say_text(function(i)->symbol);
	}
	say("],\"direct\":");
	ask(OP_FTRACE_OPS, 3, fresh);
	answer = ask(OP_FILTER_IP, 4, filter);
	if (!answer)
		answer = ask(OP_DIRECT, 2, tramp);
	if (!answer)
		answer = ask(OP_DIRECT_UNREGISTER, 3, release);
	say_number(answer);
	ask(OP_RESET, 0, 0);
}

void say_warnings(void)
{
	static const char *const signs[] = { "WARNING:", "BUG:", "ftrace bug", "Oops", "kprobes: Failed" };
	static char message[9000];
	int any = 0;
	long n;
	unsigned i;

	/* EPIPE: some were overwritten, and the next one follows. */
	while ((n = syscall(SYS_READ, messages, message, sizeof(message) - 1)) > 0 || n == -32) {
		char *p = message, *end;

		if (n < 0)
			continue;
		message[n] = 0;
		while (*p && *p != ';')
			p++;
		for (end = p; *end && *end != '\n'; end++)
			;
		*end = 0;
		for (i = 0; i < sizeof(signs) / sizeof(*signs); i++)
			if (*p && find(p, signs[i])) {
				say(any++ ? "," : ",\"warn\":[");
				say_text(p + 1);
				break;
			}
	}
	if (any)
		say("]");
}

void say_build(void)
{
	static char name[6][65];
	int i, missing = 0;

	syscall(63, name, 0, 0);
	for (i = 0; i < function_count(); i++)
		missing += !function_id(i);
	say("{\"release\":");
	say_text(name[2]);
	say(",\"version\":");
	say_text(name[3]);
	say(",\"functions\":");
	say_number(function_count());
	say(",\"without_btf\":");
	say_number(missing);
	say(",\"fmod_ret\":");
	say_number(functions_fmod_ret());
	say("}");
}
