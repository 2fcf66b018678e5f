import { expect, test } from 'vitest';
import { parseSequence } from '../../counterexamples/sequences/attach-trace.ts';
import { entry } from '../core/present.ts';
import { FTRACE_FL_TRAMP_EN, has } from '../ftrace/record.ts';
import { bootKernel } from '../kernel.ts';
import { apply } from '../step.ts';

/** A program that could not leave for lack of memory: its trampoline is freed, with the ops, and stays on the list. */
const LEFT = `f1 = function(u64 x2 -> u64)
f2 = function(u64 -> u64)
prog#1 = BPF_PROG_LOAD(kprobe.multi return)
link#1 = BPF_LINK_CREATE(prog#1, { f1 })
prog#2 = BPF_PROG_LOAD(kprobe.multi return)
link#2 = BPF_LINK_CREATE(prog#2, { f1 })
prog#3 = BPF_PROG_LOAD(fmod_ret, f2)
link#3 = BPF_LINK_CREATE(prog#3)
the next allocation in bpf_trampoline_update fails
close(link#3)
task#1 calls f1(0x1, 0x2)
`;

/** Shown on 6.12.117: ftrace_free_filter() empties the hash before it is freed, and an empty one has every function. */
test('an ops that is freed with its hashes on the list traces every function: f1 runs the body of f2', () => {
  const { case: c } = parseSequence(`kernel   6.12\n\n${LEFT}`);
  const k = bootKernel({ profile: c.profile, boot: 'default', functions: c.functions });
  const outcomes = c.actions.map((action) => apply(k, action));
  expect(outcomes.map(({ errno }) => errno)).toEqual(c.actions.map(() => 0));
  const events = outcomes.at(-1)?.call?.events.map(({ kind, who }) => `${kind} ${who}`);
  expect(events).toContain('body f2');
  expect(events).not.toContain('body f1');
});

/** Shown on 6.12.117: ftrace_find_tramp_ops_any_other() finds the freed ops, whose `trampoline` is still there. */
test('the only ops of a function is one that is freed: its record has a trampoline', () => {
  const { case: c } = parseSequence(`kernel   6.12

f1 = function(u64 x3 -> void)
ops#1 = ftrace_ops()
ftrace_set_filter_ip(ops#1, f1)
prog#1 = BPF_PROG_LOAD(fentry, f1)
link#1 = BPF_LINK_CREATE(prog#1)
register_ftrace_function(ops#1)
the next allocation in bpf_trampoline_update fails
close(link#1)
unregister_ftrace_function(ops#1)
`);
  const k = bootKernel({ profile: c.profile, boot: 'default', functions: c.functions });
  for (const action of c.actions) expect(apply(k, action).errno).toBe(0);
  const record = entry(k.ftrace.records, 'f1');
  expect([record.count, has(record, FTRACE_FL_TRAMP_EN)]).toEqual([1, true]);
});
