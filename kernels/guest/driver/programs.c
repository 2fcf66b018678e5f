// SPDX-License-Identifier: GPL-2.0
/* BPF programs, which put down what they see in a map, and their links: by system calls alone. */
#include "programs.h"
#include "btf.h"
#include "functions.h"
#include "insns.h"
#include "targets.h"

#define PROGRAMS 32
#define NO_TYPE 0x7ffffff
#define BPF_PERF_EVENT 41
#define PERF_EVENT_IOC_SET_BPF 0x40042408

static char log[65536];

static struct {
	int fd; /* 0: none */
	s64 kind, fn, second, cookie;
} programs[PROGRAMS];
static int links[PROGRAMS];
static u8 of_cgroup[PROGRAMS];
static int perf_events[PROGRAMS];

/* Kinds, as the host numbers them, by their attach types. KPROBE is for perf events. */
enum kind { FENTRY, FEXIT, FMOD_RET, FSESSION, MULTI, PROBE = 8, PROBE_RETURN, PROBE_SESSION, KPROBE, FREPLACE, RAW_TRACEPOINT, TRACEPOINT, LSM, LSM_FOR_CGROUPS };
static const u32 attach_type[] = { 24, 25, 26, 58, 59, 60, 0, 61, 42, 42, 56, 0, 0, 0, 0, 27, 43 };

static int is_multi(s64 kind)
{
	return kind >= MULTI && kind < PROBE;
}

static int is_probe(s64 kind)
{
	return kind >= PROBE && kind <= KPROBE;
}

static int is_lsm(s64 kind)
{
	return kind == LSM || kind == LSM_FOR_CGROUPS;
}

/* There is one cgroup, that of all tasks. */
static int cgroup(void)
{
	static int fd;

	if (!fd)
		fd = open_file("/sys/fs/cgroup", O_RDONLY);
	return fd;
}

enum reads { DIRECTLY, BY_HELPERS, RETURN_DIRECTLY };

static void read_arguments(s64 kind, s64 reads, s64 words)
{
	static const short registers[] = { 112, 104, 96, 88, 72, 64 };
	int i;

	if (is_probe(kind) && reads != BY_HELPERS)
		words = 6;
	/* Of many functions: as many words as the helpers give. */
	if (is_multi(kind))
		words = 12;
	put(STORE32, 7, 0, FIELD(count), words);
	for (i = 0; i < words && i < 16; i++) {
		short field = FIELD(arg) + 8 * i;

		if (reads != DIRECTLY && i < 12)
			keep_written(HELPER_ARG, i, field);
		else
			keep_word(is_probe(kind) ? registers[i] : 8 * i, field);
	}
	if (reads != DIRECTLY) {
		put(MOV_REG, 1, 6, 0, 0);
		put(CALL, 0, 0, 0, HELPER_ARG_COUNT);
		put(STORE_REG32, 7, 0, FIELD(count), 0);
	}
}

static void read_return(s64 kind, s64 reads, s64 words, int returns)
{
	int at_return = kind == FEXIT || kind == FMOD_RET || kind == FSESSION || kind == MULTI + FEXIT ||
			kind == MULTI + FSESSION || is_lsm(kind);

	if (is_probe(kind))
		keep_word(80, FIELD(ret));
	else if (!at_return && reads != RETURN_DIRECTLY)
		return;
	else if (reads == BY_HELPERS)
		keep_written(HELPER_RET, -1, FIELD(ret));
	else if (returns || reads == RETURN_DIRECTLY)
		keep_word(8 * words, FIELD(ret));
	else
		return;
	put(STORE, 7, 0, FIELD(has_ret), 1);
}

static int is_on_tracepoint(s64 kind)
{
	return kind == RAW_TRACEPOINT || kind == TRACEPOINT;
}

#define TRACEPOINT_ARGUMENTS 12
/* Of a record: what all events have. */
#define RECORD_HEAD 8

/* Some arguments of a hit; or all, however many there are. */
static void read_hit(s64 kind, const s64 *which, int count)
{
	int head = kind == TRACEPOINT ? RECORD_HEAD : 0, i;

	put(STORE32, 7, 0, FIELD(count), count ? count : TRACEPOINT_ARGUMENTS);
	for (i = 0; i < count; i++)
		keep_word(head + 8 * which[i], FIELD(arg) + 8 * i);
	if (count)
		return;
	put(MOV_REG, 1, 7, 0, 0);
	put(ADD, 1, 0, 0, FIELD(arg));
	put(MOV, 2, 0, 0, 8 * TRACEPOINT_ARGUMENTS);
	put(MOV_REG, 3, 6, 0, 0);
	if (head)
		put(ADD, 3, 0, 0, head);
	put(CALL, 0, 0, 0, HELPER_READ_KERNEL);
}

static u32 type_of(s64 kind)
{
	if (kind == RAW_TRACEPOINT)
		return 17;
	if (kind == TRACEPOINT)
		return 5;
	if (is_probe(kind))
		return 2;
	return kind == FREPLACE ? 28 : is_lsm(kind) ? 29 : 26;
}

s64 program_load(const s64 *w, int count)
{
	s64 program = w[0], kind = w[1], fn = w[2], second = w[3], sleepable = w[4], reads = w[5], words = w[6];
	const struct target *of = target(fn);
	u64 attr[16];
	u32 *a = (u32 *)attr;
	char *name;
	long fd;

	insn_count = 0;
	if (kind == FREPLACE && of)
		save_arguments(of);
	begin(program);
	if (kind == FREPLACE && of) {
		keep_arguments(of, WHOLE);
	} else if (is_on_tracepoint(kind)) {
		read_hit(kind, w + 11, count - 11);
		if (w[10])
			keep(HELPER_COOKIE, FIELD(cookie));
	} else if (kind != FREPLACE) {
		read_arguments(kind, reads, words);
		read_return(kind, reads, words, function(fn) ? function(fn)->returned : 1);
		if (!is_probe(kind) && (kind != LSM_FOR_CGROUPS || w[9]))
			keep(HELPER_COOKIE, FIELD(cookie));
		if (w[7])
			keep(HELPER_FUNC_IP, FIELD(ip));
	}
	put(MOV, 0, 0, 0, (s32)w[8]);
	put(EXIT, 0, 0, 0, 0);

	fill(attr, 0, sizeof(attr));
	log[0] = 0;
	a[0] = type_of(kind);
	a[1] = insn_count;
	attr[1] = (u64)insns;
	attr[2] = (u64) "GPL";
	a[6] = 1;
	a[7] = sizeof(log);
	attr[4] = (u64)log;
	a[11] = sleepable ? 1 << 4 : 0;
	name = (char *)attr + 48;
	name[0] = 'p';
	name[1] = '0' + program / 10;
	name[2] = '0' + program % 10;
	a[17] = attach_type[kind];
	if (!is_probe(kind) && !is_on_tracepoint(kind)) {
		a[27] = is_multi(kind) ? 0 : fn < 0 ? NO_TYPE : function_id(fn);
		a[28] = of && !is_multi(kind) ? of->fd : function_btf(is_multi(kind) ? second : fn >= 0 ? function(fn)->home : RECORDER);
	}
	fd = kind == FREPLACE && of ? load_extension(attr, of, name) : syscall(SYS_BPF, 5, attr, 120);
	if (fd < 0)
		return fd;
	programs[program].fd = fd;
	programs[program].kind = kind;
	programs[program].fn = fn;
	programs[program].second = second;
	programs[program].cookie = w[9];
	return 0;
}

static int program_fd(s64 program)
{
	return programs[program].fd ? programs[program].fd : -1;
}

/* Closes what a place has; none: EBADF. */
static s64 close_at(int *place)
{
	int fd = *place;

	if (!fd)
		return -9;
	*place = 0;
	return syscall(SYS_CLOSE, fd, 0, 0);
}

s64 program_close(s64 program)
{
	return close_at(&programs[program].fd);
}

static s64 keep_link(s64 link, long fd)
{
	if (fd < 0)
		return fd;
	links[link] = fd;
	return 0;
}

s64 link_create(const s64 *w, int count)
{
	static u64 addresses[WORDS_MOST], cookies[WORDS_MOST];
	static const char *symbols[WORDS_MOST];
	static u32 ids[WORDS_MOST];
	s64 program = w[1], kind = programs[program].kind;
	int targets = count - 3, i;
	u64 attr[8];
	u32 *a = (u32 *)attr;

	fill(attr, 0, sizeof(attr));
	for (i = 0; i < targets; i++) {
		s64 fn = w[3 + i];

		/* The types of another module have numbers of their own: a client has none for its functions. */
		ids[i] = fn < 0 || target(fn) || function(fn)->home != programs[program].second ? NO_TYPE : function_id(fn);
		addresses[i] = function_address(fn);
		symbols[i] = fn < 0 ? "no_such_function" : function(fn)->symbol;
		cookies[i] = programs[program].cookie + i;
	}
	a[0] = program_fd(program);
	a[2] = attach_type[kind];
	if (is_multi(kind)) {
		attr[2] = (u64)ids;
		if (programs[program].cookie)
			attr[3] = (u64)cookies;
		a[8] = targets;
	} else if (is_probe(kind)) {
		a[4] = kind == PROBE_RETURN;
		a[5] = targets;
		attr[w[2] ? 3 : 4] = w[2] ? (u64)symbols : (u64)addresses;
	} else if (kind == LSM_FOR_CGROUPS) {
		a[1] = cgroup();
		of_cgroup[w[0]] = 1;
	} else
		attr[3] = programs[program].cookie;
	return keep_link(w[0], syscall(SYS_BPF, 28, attr, sizeof(attr)));
}

/* BPF_RAW_TRACEPOINT_OPEN; without a name, a tracing program is linked to its target. */
s64 link_open(const s64 *w, int count)
{
	u64 attr[4] = { 0, (u32)program_fd(w[1]), 0, 0 };

	if (count > 2) {
		attr[0] = (u64)tracepoint_name(w[2]);
		attr[2] = w[3] ? programs[w[1]].cookie : 0;
	}

	return keep_link(w[0], syscall(SYS_BPF, 17, attr, sizeof(attr)));
}

/* A shim goes in a work item, and would be seen on its way. */
s64 link_close(s64 link)
{
	s64 answer = close_at(&links[link]);

	if (of_cgroup[link])
		ask(OP_FLUSH, 0, 0);
	of_cgroup[link] = 0;
	return answer;
}

/* A number in a file; 0: there is none. */
static u32 number_in(const char *path)
{
	u64 length;
	const u8 *text = read_file(path, &length);
	u32 number = 0;

	for (; text && length-- && *text >= '0' && *text <= '9'; text++)
		number = 10 * number + *text - '0';
	return number;
}

/* v 0 event on_return fn: perf_event_open() of a kprobe */
static s64 perf_open(const s64 *w)
{
	static u32 type;
	u64 attr[16];
	long fd;

	if (!type)
		type = number_in("/sys/bus/event_source/devices/kprobe/type");
	fill(attr, 0, sizeof(attr));
	attr[0] = type | (u64)sizeof(attr) << 32;
	attr[1] = w[1];
	attr[7] = (u64)(w[2] < 0 ? "no_such_function" : function(w[2])->symbol);
	fd = syscall6(SYS_PERF_EVENT_OPEN, (long)attr, -1, 0, -1, 0, 0);
	if (fd < 0)
		return fd;
	perf_events[w[0]] = fd;
	return 0;
}

/* v 2 event link program: BPF_LINK_CREATE with BPF_PERF_EVENT */
static s64 perf_link(const s64 *w)
{
	u64 attr[8];
	u32 *a = (u32 *)attr;

	fill(attr, 0, sizeof(attr));
	a[0] = program_fd(w[2]);
	a[1] = perf_events[w[0]] ? perf_events[w[0]] : -1;
	a[2] = BPF_PERF_EVENT;
	attr[2] = programs[w[2]].cookie;
	return keep_link(w[1], syscall(SYS_BPF, 28, attr, sizeof(attr)));
}

#define PERF_TYPE_TRACEPOINT 2
static s64 perf_open_tracepoint(const s64 *w)
{
	static const char *const parts[] = { "/sys/kernel/tracing/events/attachcheck/", "", "/id" };
	char path[160];
	u64 attr[16], n = 0, k;
	unsigned i;
	long fd;

	for (i = 0; i < 3; i++) {
		const char *part = i == 1 ? tracepoint_name(w[1]) : parts[i];

		for (k = 0; part[k]; k++)
			path[n++] = part[k];
	}
	path[n] = 0;
	fill(attr, 0, sizeof(attr));
	attr[0] = PERF_TYPE_TRACEPOINT | (u64)sizeof(attr) << 32;
	attr[1] = number_in(path);
	fd = syscall6(SYS_PERF_EVENT_OPEN, (long)attr, -1, 0, -1, 0, 0);
	if (fd < 0)
		return fd;
	perf_events[w[0]] = fd;
	return 0;
}

static s64 perf_close(s64 event)
{
	return close_at(&perf_events[event]);
}

s64 perf_event(const s64 *w)
{
	switch (w[0]) {
	case 0:
		return perf_open(w + 1);
	case 1:
		if (!perf_events[w[1]])
			return -9;
		return syscall(SYS_IOCTL, perf_events[w[1]], PERF_EVENT_IOC_SET_BPF, program_fd(w[2]));
	case 2:
		return perf_link(w + 1);
	case 4:
		return perf_open_tracepoint(w + 1);
	default:
		return perf_close(w[1]);
	}
}

void programs_off(void)
{
	int i;

	for (i = 0; i < PROGRAMS; i++)
		link_close(i);
	for (i = 0; i < PROGRAMS; i++)
		perf_close(i);
	for (i = 0; i < PROGRAMS; i++)
		program_close(i);
}

/* The end of the verifier's log, before its statistics. */
const char *verifier_log(void)
{
	char *statistics = (char *)find(log, "processed ");
	u64 n;

	if (statistics)
		*statistics = 0;
	n = length_of(log);
	return n > 160 ? log + n - 160 : log;
}
