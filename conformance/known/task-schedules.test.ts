import { expect, test } from 'vitest';
import { playRuns } from '../../checker/interleavings/play.ts';
import { follow, tell } from '../../checker/interleavings/random/told.ts';
import { parseRun } from '../../checker/interleavings/schedule.ts';
import { Space } from '../../checker/interleavings/space.ts';
import { parseScenario } from '../../counterexamples/interleavings/task-trace.ts';
import { present } from '../../model/core/present.ts';
import { KERNEL_PROGRAM } from '../../model/step.ts';
import { ALL_TASK_LAWS } from '../../properties/task-laws.ts';
import { knownTaskName } from './task-name.ts';

/* Schedules next to those of listed breaches: an exploration comes to the same states another way. */

/** The name of the breach that a schedule comes to, and of its law. */
function broken(kernel: string, lines: string, runs: string): string | undefined {
  const { scenario } = parseScenario(`kernel   ${kernel}\n\n${lines}\n`);
  const space = new Space(scenario, { reduce: false, symmetric: false });
  const { played, diverged } = playRuns(
    space,
    runs.split('\n').map((line) => present(parseRun(line), line)),
  );
  expect(diverged).toBeUndefined();
  const told = present(
    tell(
      space,
      played.map(({ move }) => move),
    ),
    'moves',
  );
  let name: string | undefined;
  const isSame = (breach: Parameters<typeof knownTaskName>[0]) => {
    name = knownTaskName(breach) ?? `new: ${breach.law.name}`;
    return true;
  };
  follow(space, { laws: ALL_TASK_LAWS, program: KERNEL_PROGRAM, isSame }, told, 'all');
  return name;
}

interface Schedule {
  readonly what: string;
  readonly kernel: string;
  readonly lines: string;
  readonly runs: string;
  readonly name: string;
}

const SCHEDULES: readonly Schedule[] = [
  {
    what: 'a kprobe that is seen twice, and leaves',
    kernel: '6.1',
    name: 'graph-ops-is-registered-again-under-a-walk',
    lines: `
f1 = function(u64 -> u64)
register_ftrace_graph(gops#1)
register_kprobe(kprobe#2, f1)
client#1: unregister_ftrace_graph(gops#1)
client#1: register_ftrace_graph(gops#1)
client#2: unregister_kprobe(kprobe#2)
task#1: f1(0x1001)`,
    runs: `client#1 runs 1 step, to __unregister_ftrace_function: unlink the ops
client#2 runs 1 step, to unregister_ftrace_function: lock ftrace_lock
task#1 runs on cpu 0, 13 steps to arch_ftrace_ops_list_func: load the hashes of the ops
client#1 runs 45 steps, to register_ftrace_graph (one user): set the handlers
task#1 runs 6 steps, to function_graph_enter: ask the user
client#1 runs 35 steps, to its end, 0
task#1 runs 3 steps, to arch_ftrace_ops_list_func: load the hashes of the ops
client#2 runs 46 steps, to unregister_kprobe: mark the address disabled
task#1 runs 7 steps, to kprobe_ftrace_handler: put the instruction pointer back
client#2 runs 2 steps, to unregister_kprobe: wait for rcu
task#1 runs 5 steps, to its end`,
  },
  {
    what: 'a program that runs, and does not sleep',
    kernel: '6.1, sleepableTargets = true',
    name: 'detached-program-is-called-after-a-sleep',
    lines: `
f1 = function(u64 -> u64)
prog#1 = BPF_PROG_LOAD(fentry sleepable, f1)
prog#2 = BPF_PROG_LOAD(fentry, f1)
link#2 = BPF_RAW_TRACEPOINT_OPEN(prog#2)
link#1 = BPF_RAW_TRACEPOINT_OPEN(prog#1)
client#1: close(link#2)
client#1: close(prog#2)
task#1: f1(0x1001)
`.trim(),
    runs: `
task#1 runs on cpu 0, 3 steps to prog#1
client#1 runs 44 steps, to its end, 0
work __bpf_prog_put(2) runs 1 step, to its end
task#1 runs 5 steps, to a crash
`.trim(),
  },
  {
    what: 'an ops that may be seen once or not at all',
    kernel: '6.1, sleepableTargets = true',
    name: 'graph-ops-is-registered-again-under-a-walk',
    lines: `
f1 = function(u64 -> u64)
register_ftrace_graph(gops#1)
ops#1 = ftrace_ops()
register_ftrace_function(ops#1)
client#1: unregister_ftrace_graph(gops#1)
client#1: register_ftrace_graph(gops#2)
client#2: unregister_ftrace_function(ops#1)
task#1: f1(0x1001)
`.trim(),
    runs: `
client#1 runs 1 step, to __unregister_ftrace_function: unlink the ops
client#2 runs 1 step, to unregister_ftrace_function: lock ftrace_lock
task#1 runs on cpu 0, 14 steps to function_graph_enter: ask the user
client#1 runs 17 steps, to arch_ftrace_update_trampoline: lock text_mutex
task#1 runs 10 steps, to its end
`.trim(),
  },
  {
    what: 'a kprobe that is seen twice',
    kernel: '6.1, sleepableTargets = true',
    name: 'graph-ops-is-registered-again-under-a-walk',
    lines: `
f1 = function(u64 -> u64)
register_ftrace_graph(gops#1)
ops#1 = ftrace_ops()
register_kprobe(kprobe#2, f1)
register_ftrace_function(ops#1)
client#1: unregister_ftrace_graph(gops#1)
client#1: register_ftrace_graph(gops#2)
task#1: f1(0x51070e1571000007)
`.trim(),
    runs: `
task#1 runs on cpu 0, 17 steps to arch_ftrace_ops_list_func: load the hashes of the ops
client#1 runs 6 steps, to register_ftrace_graph (one user): set the handlers
task#1 runs 6 steps, to function_graph_enter: ask the user
client#1 runs 2 steps, to arch_ftrace_update_trampoline: lock text_mutex
task#1 runs 19 steps, to its end
`.trim(),
  },
  {
    what: 'a walk under two interrupts',
    kernel: '6.12, multiLinks = function graph',
    name: 'ops-is-registered-again-under-a-walk',
    lines: `
f1 = function(u64 -> u64)
register_kprobe(kprobe#1, f1)
ops#1 = ftrace_ops()
register_ftrace_function(ops#1)
client#1: unregister_kprobe(kprobe#1)
client#2: register_kprobe(kprobe#2, f1)
task#1 (interrupted by an NMI: f1(0x5102040671000002); interrupted by a soft interrupt: f1(0x5101020371000001)): f1(0x1001)
`.trim(),
    runs: `
client#1 runs 1 step, to unregister_ftrace_function: lock ftrace_lock
task#1 runs on cpu 0, 8 steps to arch_ftrace_ops_list_func: load the hashes of the ops
task#1 is interrupted by a soft interrupt
task#1 is interrupted by an NMI
client#2 runs 1 step, to register_kprobe: lock kprobe_mutex
client#1 runs 18 steps, to unregister_kprobe: wait for rcu
client#2 runs 27 steps, to its end, 0
task#1 runs 56 steps, to its end
`.trim(),
  },
  {
    what: 'beside a program that only the design loads',
    kernel: '6.12, multiLinks = global',
    name: 'sole-graph-user-sees-a-call-of-another',
    lines: `
f1 = function(u64 -> u64)
f2 = function(u64 -> u64)
register_ftrace_graph(gops#1)
prog#5 = BPF_PROG_LOAD(fexit multi reads=ctx[], f2)
ftrace_set_filter_ip(gops#2.ops, f2)
register_ftrace_graph(gops#2)
client#1: unregister_ftrace_graph(gops#1)
task#1: f1(0x1001)
`.trim(),
    runs: `
task#1 runs on cpu 0, 1 step to ftrace_graph_func
client#1 runs 17 steps, to its end, 0
task#1 runs 19 steps, to its end
`.trim(),
  },
  {
    what: 'beside a client that has not moved',
    kernel: '6.12, multiLinks = splitting',
    name: 'refused-registration-bypasses-a-live-patch',
    lines: `
f1 = function(u64 -> u64)
ops#1 = ftrace_ops(SAVE_REGS | IPMODIFY)
ftrace_set_filter_ip(ops#1, f1)
register_ftrace_function(ops#1)
ops#2 = ftrace_ops()
register_ftrace_function(ops#2)
prog#1 = BPF_PROG_LOAD(fexit, f1)
client#1: link#1 = BPF_RAW_TRACEPOINT_OPEN(prog#1)
client#2: unregister_ftrace_function(ops#1)
task#1: f1(0x1001)
task#2: f1(0x5102040671000002)
`.trim(),
    runs: `
client#1 runs 14 steps, to __unregister_ftrace_function: unlink the ops
task#1 runs on cpu 0, 29 steps to its end
`.trim(),
  },
  {
    what: 'a fault in another page than in the kernel',
    kernel: '6.12, multiLinks = global',
    name: 'rcu-tasks-trace-before-rcu-tasks',
    lines: `
f1 = function(u64 -> u64)
prog#1 = BPF_PROG_LOAD(fentry sleepable, f1)
prog#2 = BPF_PROG_LOAD(fentry, f1)
link#1 = BPF_RAW_TRACEPOINT_OPEN(prog#1)
client#1: link#2 = BPF_RAW_TRACEPOINT_OPEN(prog#2)
task#1: f1(0x1001)
`.trim(),
    runs: `
task#1 runs on cpu 0, 1 step to __bpf_prog_enter_sleepable_recur
client#1 runs 30 steps, to bpf_trampoline_update: track the image
task#1 runs 2 steps, to prog#1
task#1 sleeps
work __bpf_tramp_image_put(tramp#1) runs 4 steps, to its end
task#1 runs on cpu 0, 1 step to a crash
`.trim(),
  },
];

test.each(SCHEDULES)('$what: $name, $kernel', ({ kernel, lines, runs, name }) => {
  expect(broken(kernel, lines, runs)).toBe(name);
});
