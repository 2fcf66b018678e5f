import type { AttachCase } from '../../checker/sequences/attach-case.ts';
import { parseSequence } from '../../counterexamples/sequences/attach-trace.ts';
import { KERNELS } from '../../model/core/profile.ts';

/*
 * What clients can do and a search rarely draws: functions that are gone, arguments at the limit of a program, a hook
 * with a truth value, what there is not, two events on one tracepoint, the second unregistration of an fprobe, an image
 * beside a handler that wants registers, two kretprobes on the shadow stack, the pool of one that could not be disarmed,
 * several `*` in a pattern, jumps that are prohibited, many functions.
 */

const HISTORIES: readonly string[] = [
  `f1 = function(u64 -> u64)
f2 [m1] = function(u64 -> u64)
p1 = program(u64 -> u64)
prog#1 = BPF_PROG_LOAD(kprobe.multi entry)
link#1 = BPF_LINK_CREATE(prog#1, { f1, p1 })
delete_module(m1)
link#2 = BPF_LINK_CREATE(prog#1, { f1, f2 })
link#3 = BPF_LINK_CREATE(prog#1, { f1 })
task#1 calls f1(0x5100000071000000)`,
  `f1 = function(u64 x10, s16b, u64 -> u64)
f2 = function(u64 x10, s16b -> u64)
prog#1 = BPF_PROG_LOAD(fentry reads=ctx, f1)
prog#2 = BPF_PROG_LOAD(fentry reads=ctx, f2)
prog#3 = BPF_PROG_LOAD(fexit reads=ctx, f2)
link#2 = BPF_LINK_CREATE(prog#2)`,
  ...['', ' returns=0x1', ' returns=0x2'].map(
    (returns) => `f1 = function(u64 -> s32) bool_lsm
prog#1 = BPF_PROG_LOAD(fmod_ret lsm${returns}, f1)
link#1 = BPF_LINK_CREATE(prog#1)
task#1 calls f1(0x5100000071000000)`,
  ),
  `f1 = function(u64 -> u64)
tp1 = tracepoint(u64)
perf#1 = perf_event_open(kprobe, no_such_function)
perf#1 = perf_event_open(no_such_tracepoint)
prog#1 = BPF_PROG_LOAD(tp)
prog#2 = BPF_PROG_LOAD(tp)
perf#1 = perf_event_open(tp1)
perf#2 = perf_event_open(tp1)
PERF_EVENT_IOC_SET_BPF(perf#1, prog#1)
PERF_EVENT_IOC_SET_BPF(perf#2, prog#2)
task#1 hits tp1(0x5100000071000000)
close(perf#1)
task#1 hits tp1(0x5100000071000000)
close(perf#2)
close(prog#1)
close(prog#2)
all grace periods end`,
  `f1 = function(u64 -> u64)
f2 = function(u64 -> u64)
ab1 = function(u64 -> u64)
echo z* > set_ftrace_filter
echo *2* > set_ftrace_filter
echo a*1 >> set_ftrace_filter
echo *b?1 >> set_ftrace_filter
echo !f* >> set_ftrace_filter
task#1 calls f2(0x5100000071000000)`,
  `f1 = function(u64 -> u64)
f2 [m1] = function(u64 -> u64)
p1 = program(u64 -> u64)
prog#1 = BPF_PROG_LOAD(kprobe.multi entry)
link#1 = BPF_LINK_CREATE(prog#1, { f1, f2 }, symbols)
task#1 calls f2(0x5100000071000000)
link#2 = BPF_LINK_CREATE(prog#1, { f1, p1 }, symbols)
link#2 = BPF_LINK_CREATE(prog#1, { f1, f1 }, symbols)
close(link#1)
delete_module(m1)
link#2 = BPF_LINK_CREATE(prog#1, { f1, f2 }, symbols)
task#1 calls f1(0x5100000071000000)`,
  `f1 = function(u64 -> u64)
f2 = function(u64 x2 -> u64)
cb = function(u64 x2 -> u64)
ca = function(u64 x3 -> u64)
prog#1 = BPF_PROG_LOAD(fexit, cb)
prog#2 = BPF_PROG_LOAD(fentry, f2)
link#1 = BPF_LINK_CREATE(prog#1)
link#2 = BPF_LINK_CREATE(prog#2)
register_kprobe(kprobe#1, f1)
task#1 calls ca(0x5100000071000000, 0x5200000072000001, 0x5300000073000002)`,
  `f1 = function(u64 -> u64)
register_fprobe_ips(fprobe#1, { f1 }, entry_handler)
unregister_fprobe(fprobe#1)
unregister_fprobe(fprobe#1)
register_fprobe_ips(fprobe#1, { f1 }, entry_handler)
task#1 calls f1(0x5100000071000000)`,
  `f1 = function(u64 -> u64)
register_kretprobe(kretprobe#1, f1, maxactive=1, entry_handler)
register_kretprobe(kretprobe#2, f1, maxactive=1, entry_handler)
register_ftrace_graph(gops#1)
task#1 calls f1(0x5100000071000000)
unregister_kretprobe(kretprobe#1)
task#1 calls f1(0x5100000071000000)`,
  `f1 = function(u64 -> u64)
aab = function(u64 -> u64)
ab = function(u64 -> u64)
aaab = function(u64 -> u64)
baba = function(u64 -> u64)
echo *ab > set_ftrace_filter
echo a*a?b >> set_ftrace_filter
echo !b*b* >> set_ftrace_filter
echo b? > set_ftrace_notrace
echo f? >> set_ftrace_filter
task#1 calls aaab(0x5100000071000000)
task#1 calls baba(0x5100000071000000)`,
  `f1 = function(u64 -> u64)
sysctl debug.kprobes-optimization=1
register_kprobe(kprobe#1, f1+0x9)
all grace periods end
task#1 calls f1(0x5100000071000000)
sysctl debug.kprobes-optimization=0
task#1 calls f1(0x5100000071000000)
sysctl debug.kprobes-optimization=1
disable_kprobe(kprobe#1)
enable_kprobe(kprobe#1)
unregister_kprobe(kprobe#1)
all grace periods end`,
  `f1 = function(u64 -> u64)
prog#1 = BPF_PROG_LOAD(fexit, f1)
link#1 = BPF_LINK_CREATE(prog#1)
ops#1 = ftrace_ops(SAVE_REGS)
ftrace_set_filter_ip(ops#1, f1)
register_ftrace_function(ops#1)
task#1 calls f1(0x5100000071000000)`,
  `f1 = function(u64 -> u64)
register_kretprobe(kretprobe#1, f1, maxactive=0)
register_kprobe(kprobe#1, f1, post_handler, KPROBE_FLAG_DISABLED)
unregister_kretprobe(kretprobe#1)
task#1 calls f1(0x5100000071000000)`,
  `f1 = function(u64 -> u64)
f2 = function(u64 -> u64)
ftrace_set_filter_ip(gops#1.ops, f1)
ftrace_set_filter_ip(gops#2.ops, f1)
ftrace_set_filter_ip(gops#2.ops, f2)
ftrace_set_notrace(gops#2.ops, f2)
register_ftrace_graph(gops#1)
register_ftrace_graph(gops#2)
task#1 calls f2(0x5100000071000000)`,
];

const COUNT = 32;
const MANY = Array.from({ length: COUNT }, (_, i) => `f${i + 1}`);

/** The hash of the global trampoline grows twice and shrinks twice; a set with functions of other links in it. */
const OF_DESIGNS: Readonly<Record<string, string>> = {
  global: `${MANY.map((fn) => `${fn} = function(u64 -> u64)`).join('\n')}
prog#1 = BPF_PROG_LOAD(fentry multi)
prog#2 = BPF_PROG_LOAD(fexit multi)
link#1 = BPF_LINK_CREATE(prog#1, { ${MANY.slice(0, 20).join(', ')} })
all grace periods end
link#2 = BPF_LINK_CREATE(prog#2, { ${MANY.slice(10).join(', ')} })
all grace periods end
task#1 calls f12(0x5100000071000000)
close(link#1)
all grace periods end
close(link#2)
all grace periods end
prog#3 = BPF_PROG_LOAD(fentry multi sleepable)
prog#4 = BPF_PROG_LOAD(fexit multi sleepable)
link#3 = BPF_LINK_CREATE(prog#3, { f1, f2 })
task#1 calls f1(0x5100000071000000)
link#4 = BPF_LINK_CREATE(prog#4, { f1 })
task#1 calls f1(0x5100000071000000)`,
  batch: `f1 = function(u64 -> u64)
f2 = function(u64 -> u64)
f3 = function(u64 -> u64)
prog#1 = BPF_PROG_LOAD(fentry, f1)
prog#2 = BPF_PROG_LOAD(fentry, f2)
prog#3 = BPF_PROG_LOAD(fentry multi)
link#1 = BPF_LINK_CREATE(prog#1)
link#2 = BPF_LINK_CREATE(prog#2)
link#3 = BPF_LINK_CREATE(prog#3, { f1, f2, f3 })
task#1 calls f1(0x5100000071000000)
task#1 calls f2(0x5100000071000000)
close(link#3)
task#1 calls f1(0x5100000071000000)
task#1 calls f2(0x5100000071000000)
link#3 = BPF_LINK_CREATE(prog#3, { f1, f2, f3 })`,
};

/** A second link of the same set, for whose image there is no memory. */
const WITHOUT_AN_IMAGE = `f1 = function(u64 -> u64)
f2 = function(u64 -> u64)
prog#1 = BPF_PROG_LOAD(fentry multi)
prog#2 = BPF_PROG_LOAD(fentry multi)
link#1 = BPF_LINK_CREATE(prog#1, { f1, f2 })
the 2nd allocation in bpf_trampoline_update (shared) fails
link#2 = BPF_LINK_CREATE(prog#2, { f1, f2 })
task#1 calls f1(0x5100000071000000)`;

/** By address, which 6.1 alone has. */
const BY_ADDRESS = `f1 = function(u64 -> u64)
f2 = function(u64 -> u64)
register_ftrace_direct(f1, my_tramp1)
register_ftrace_direct(not_a_site, my_tramp1)
unregister_ftrace_direct(not_a_site, my_tramp1)
modify_ftrace_direct(not_a_site, my_tramp1, my_tramp2)
unregister_ftrace_direct(f1, my_tramp1)
all grace periods end`;

/** The table of direct calls is replaced for one that is refused: the old one goes, after a grace period. */
const REFUSED_IN_A_NEW_TABLE = `f1 = function(u64 -> u64)
register_ftrace_direct(f1, my_tramp1)
unregister_ftrace_direct(f1, my_tramp1)
the next allocation in ftrace_set_hash fails
register_ftrace_direct(f1, my_tramp1)`;

/** A hook of cgroups whose shim cannot be linked. */
const WITHOUT_A_SHIM = `f1 = function(u64 -> s32) bool_lsm
prog#1 = BPF_PROG_LOAD(fmod_ret lsm cgroup, f1)
the next allocation in bpf_trampoline_update fails
link#1 = BPF_LINK_CREATE(prog#1)
link#1 = BPF_LINK_CREATE(prog#1)
close(link#1)
close(prog#1)
all grace periods end`;

/** Both interfaces on one ops, in 7.2. */
const UNREGISTERED = `f1 = function(u64 -> u64)
direct#1 = ftrace_ops(DIRECT)
ftrace_set_filter_ip(direct#1, f1)
register_ftrace_direct(direct#1, my_tramp1)
unregister_ftrace_direct(direct#1, my_tramp1)
update_ftrace_direct_mod(direct#1, { f1: my_tramp2 })
update_ftrace_direct_add(direct#2, { f1: my_tramp1 })
update_ftrace_direct_mod(direct#1, { f1: my_tramp2 })
task#1 calls f1(0x5100000071000000)`;

/** Kernels in which a kretprobe is on the shadow stack. */
const ON_THE_SHADOW_STACK = ['6.12, kretprobe = ret_stack', '7.2, kretprobe = ret_stack'];

/** In each kernel: what one refuses is refused, and the rest follows. */
export function cornerHistories(): AttachCase[] {
  return [
    ...[...KERNELS, ...ON_THE_SHADOW_STACK].flatMap((kernel) =>
      HISTORIES.map((history) => caseOf(kernel, history)),
    ),
    ...Object.entries(OF_DESIGNS).map(([design, history]) => caseOf(`6.12, multiLinks = ${design}`, history)),
    caseOf('6.12, multiLinks = batch', WITHOUT_AN_IMAGE),
    caseOf('6.1', BY_ADDRESS),
    caseOf('6.1', REFUSED_IN_A_NEW_TABLE),
    ...KERNELS.map((kernel) => caseOf(kernel, WITHOUT_A_SHIM)),
    caseOf('7.2', UNREGISTERED),
  ];
}

function caseOf(kernel: string, history: string): AttachCase {
  return parseSequence(`kernel ${kernel}\n\n${history}\n`).case;
}
