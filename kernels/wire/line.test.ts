import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { parseSequence } from '../../counterexamples/sequences/attach-trace.ts';
import { ALL_CALLS } from '../../model/client/all.ts';
import { exampleSpelling } from '../../model/client/examples.ts';
import { CATALOGUE } from '../catalogue.ts';
import { castOf, TARGETS_FROM } from '../history/cast.ts';
import { sayable, wordingOf } from '../history/cast-history.ts';
import { wireLine } from './line.ts';
import { OP } from './numbers.ts';

const HEADER = [
  'kernel   7.2\n',
  'f1 = function(u64 -> u64)',
  'f2 [m1] = function(u64 -> u64)',
  'p1 = program(u64 -> u64)',
  'tp1 = tracepoint(ptr, s32, ptr)',
  'tp2 = tracepoint(ptr, ptr, ptr)\n',
].join('\n');

/** The lines of some calls, or why there are none. */
function linesOf(...calls: readonly string[]): (string | undefined)[] {
  const { case: c } = parseSequence(`${HEADER}${calls.join('\n')}\n`);
  const cast = castOf(c);
  return c.actions.map((action) => {
    const line = wireLine(action, wordingOf({ case: c, cast }));
    return typeof line === 'string' ? line : line.why;
  });
}

const F1 = CATALOGUE.findIndex(({ symbol }) => symbol === 'security_ac_f1');
const F2 = CATALOGUE.findIndex(({ symbol }) => symbol === 'security_ac_second_f1');

test('operations have the numbers of the module', () => {
  const header = readFileSync(join(import.meta.dirname, '../guest/recorder.h'), 'utf8');
  const numbers = new Map<string, number>();
  let next = 0;
  for (const [, name = '', value] of header.matchAll(/^\tOP_(\w+)(?: = (\d+))?/gm)) {
    next = value === undefined ? next : Number(value);
    numbers.set(name, next++);
  }
  expect(numbers.size).toBeGreaterThan(Object.keys(OP).length);
  for (const [name, number] of Object.entries(OP)) expect([name, numbers.get(name)]).toEqual([name, number]);
});

describe('a call as a line', () => {
  test.each([
    ['ftrace_set_filter_ip(ops#2, f1)', `x 21 2 ${F1} 0 0`],
    ['ftrace_set_filter_ip(gops#3.ops, not_a_site)', 'x 21 103 -1 0 0'],
    ['register_ftrace_direct(direct#1, my_tramp3)', 'x 26 17 3'],
    ['update_ftrace_direct_add(direct#1, { f1: my_tramp1, f2: my_tramp2 })', `x 32 17 ${F1} 1 ${F2} 2`],
    ['register_kprobe(kprobe#1, f1, post_handler)', `x 42 1 ${F1} 0 1 0`],
    ['register_kretprobe(kretprobe#1, f1, maxactive=2, entry_handler)', `x 46 1 ${F1} 2 1 0`],
    ['disable_kretprobe(kretprobe#1)', 'x 48 1'],
    ['register_fprobe_ips(fprobe#1, { f1, f2 }, exit_handler)', `x 50 1 0 1 0 0 1 ${F1} ${F2}`],
    ['prog#1 = BPF_PROG_LOAD(fentry cookie=0x5, f1)', `p 1 0 ${F1} 0 0 1 1 0 0x0 5`],
    ['prog#2 = BPF_PROG_LOAD(kprobe.multi session)', 'p 2 10 -1 0 0 0 0 0 0x0 0'],
    ['link#1 = BPF_LINK_CREATE(prog#2, { f1, f1 }, symbols)', `l 1 2 1 ${F1} ${F1}`],
    ['prog#1 = BPF_PROG_LOAD(freplace returns=0x7, p1)', `p 1 12 ${TARGETS_FROM} 0 0 1 1 0 0x7 0`],
    ['prog#1 = BPF_PROG_LOAD(raw_tp)', 'p 1 13 -1 0 0 0 0 0 0x0 0 1'],
    ['prog#1 = BPF_PROG_LOAD(tp reads=ctx[0+2])', 'p 1 14 -1 0 0 0 0 0 0x0 0 1 0 2'],
    ['link#1 = BPF_RAW_TRACEPOINT_OPEN(prog#1, tp1)', 'r 1 1 0 1'],
    ['link#1 = BPF_RAW_TRACEPOINT_OPEN(prog#1, no_such_tracepoint)', 'r 1 1 -1 1'],
    ['tracepoint_probe_register_prio(tp1, my_probe2, data#3, 20)', 'x 60 0 2 3 20'],
    ['tracepoint_probe_unregister(tp1, my_probe2, data#3)', 'x 61 0 2 3'],
    ['perf#1 = perf_event_open(tp1)', 'v 4 1 0'],
    ['kfree(direct#1)', 'x 52 1 17'],
    ['delete_module(m1)', 'm 0'],
    ['sysctl kernel.ftrace_enabled=0', 's 0 0'],
    ['sysctl debug.kprobes-optimization=1', 's 1 1'],
    ['all grace periods end', 'x 9'],
    ['task#1 calls f1(0x7)', `c ${F1} 0x7 0x0 0x0 0x0 0x0 0x0`],
    ['echo f* > set_ftrace_filter', `f -1 0 1 0 ${F1} ${F2}`],
    ['echo !f1 >> instances/ops#1/set_ftrace_notrace', `f 1 1 0 1 ${F1}`],
    ['echo f1 > instances/gops#2/set_ftrace_filter', `f 102 0 1 0 ${F1}`],
    ['prog#1 = BPF_PROG_LOAD(fmod_ret lsm, f1)', `p 1 15 ${F1} 0 0 1 1 0 0x0 0`],
    ['prog#1 = BPF_PROG_LOAD(fmod_ret lsm cgroup returns=0x1, f1)', `p 1 16 ${F1} 0 0 0 1 0 0x1 0`],
    ['the next poke in ftrace_replace_code fails', 'i 1 ftrace_replace_code ftrace_verify_code - 0 -22'],
    ['the 2nd allocation in update_ftrace_direct_add fails', 'i 2 update_ftrace_direct_add hash_add - 1 0'],
  ])('%s', (call, line) => {
    expect(linesOf(call)).toEqual([line]);
  });

  test.each([
    ['the 2nd allocation in register_ftrace_direct fails', /has as one/],
    ['register_kprobe(kprobe#1, f1+0xa)', /kprobes in a body/],
    ['perf#1 = perf_event_open(tp2)', /tracepoints of these types/],
  ])('%s has none', (call, why) => {
    expect(linesOf(call)).toEqual([expect.stringMatching(why)]);
  });

  test('every example of every client call has one, or a reason', () => {
    const spelling = exampleSpelling('7.2');
    const stage = { ...spelling, cast: new Map([...spelling.functions.keys()].map((i) => [`f${i + 1}`, i])) };
    for (const action of ALL_CALLS.flatMap(({ examples }) => examples)) {
      const line = wireLine(action, stage);
      expect(typeof line === 'string' ? line : line.why).toMatch(/^[xpdlrqvsfmci] -?[0-9]|^\w{5}|^a /);
    }
  });
});

describe('what can be run of a history', () => {
  const of = (text: string) => sayable(parseSequence(text).case);

  test('calls that the recorder cannot make are left out, with the reason', () => {
    const { question, leftOut } = of(`${HEADER}register_kprobe(kprobe#1, f1+0xa)\ntask#1 calls f1(0x7)\n`);
    expect(question?.case.actions.map((action) => action.do)).toEqual(['call']);
    expect(leftOut).toHaveLength(1);
  });

  test('misuse is not tried: the crash would be the client’s own', () => {
    const { leftOut } = of(
      `${HEADER}ops#1 = ftrace_ops()\nftrace_set_filter_ip(ops#1, f1)\nregister_ftrace_function(ops#1)\nkfree(ops#1)\n`,
    );
    expect(leftOut).toEqual([expect.stringMatching(/^misuse/)]);
  });

  test('a module is not loaded again where a table still has its old addresses', () => {
    const header = 'kernel   6.1\n\nm3 [m1] = function(u8, u16, u32 -> u32)\n';
    const again = 'delete_module(m1)\ninit_module(m1)\n';
    const { leftOut } = of(`${header}register_ftrace_direct(m3, my_tramp2)\n${again}`);
    expect(leftOut).toEqual([expect.stringMatching(/^a module that is loaded again/)]);
    expect(of(header + again).leftOut).toEqual([]);
  });

  test('a program of a module is not linked to functions of another, whose ids it has not', () => {
    const header =
      'kernel   7.2\n\nf1 = function(u64 -> u64)\nm3 [m1] = function(u8, u16, u32 -> u32)\nm1 [m1] = function(u64 -> u64)\n';
    const link = (fn: string) =>
      `prog#1 = BPF_PROG_LOAD(fentry multi, m1)\nlink#1 = BPF_LINK_CREATE(prog#1, { ${fn} })\n`;
    expect(of(`${header}${link('f1')}`).leftOut).toEqual([
      expect.stringMatching(/^a function of the kernel/),
    ]);
    expect(of(`${header}${link('m1')}`).leftOut).toEqual([]);
    expect(of(`${header}${link('no_such_function')}`).leftOut).toEqual([]);
  });

  test('a module is not loaded when ftrace is dead: its functions would call __fentry__', () => {
    const header = 'kernel   6.12\n\nf1 = function(u64 -> u64)\nm3 [m1] = function(u8, u16, u32 -> u32)\n';
    const dies = 'the next poke in ftrace_replace_code fails\nregister_kprobe(kprobe#1, f1)\n';
    expect(of(`${header}${dies}delete_module(m1)\ninit_module(m1)\n`).leftOut).toEqual([
      expect.stringMatching(/^a module that is loaded when ftrace is dead/),
    ]);
  });

  test('a history ends before a call in which the model crashes', () => {
    const calls = 'ops#1 = ftrace_ops(SAVE_REGS | IPMODIFY)\nregister_ftrace_function(ops#1)\n';
    const { question, leftOut, dies } = of(`${HEADER}${calls}`);
    expect(question?.case.actions).toHaveLength(1);
    expect([leftOut, dies]).toEqual([[], true]);
  });

  test('a history ends before a call after which the model crashes in a function', () => {
    const calls = [
      'register_kprobe(kprobe#1, f1)',
      'register_kprobe(kprobe#2, f1, post_handler)',
      'unregister_kprobe(kprobe#2)',
      'unregister_kprobe(kprobe#1)',
      'register_kprobe(kprobe#1, f1)',
    ];
    const { question, dies } = of(`${HEADER}${calls.join('\n')}\n`);
    expect([question?.case.actions.length, dies]).toEqual([calls.length - 1, true]);
  });

  test('two functions with one signature have two players; what bodies call has one', () => {
    const { question } = of(
      'kernel   6.12\n\ncb = function(u64 x2 -> u64)\nx = function(u64 -> u64)\nf1 = function(u64 -> u64)\ntask#1 calls cb(0x1, 0x2)\n',
    );
    expect(question!.cast.get('f1')).toBe(F1);
    expect(new Set(question!.cast.values()).size).toBe(3);
  });

  test('a function goes where what its body calls is another one of the recorder', () => {
    const { question, leftOut } = of(
      'kernel   6.12\n\nf1 = function(u64 -> u64) security\ncb = function(u64 x2 -> u64)\nf2 = function(u64 x2 -> u64)\nregister_kprobe(kprobe#1, cb)\nregister_kprobe(kprobe#2, f2)\n',
    );
    expect(question?.case.functions.map(({ name }) => name)).toEqual(['f2']);
    expect(leftOut).toEqual(['functions of this kind']);
  });

  test('a function that nothing can play goes with its calls', () => {
    const { question, leftOut } = of(
      'kernel   6.12\n\nf1 = function(u64 -> u64)\ny = function(u64 x9, u8 -> s16)\nregister_kprobe(kprobe#1, y)\ntask#1 calls f1(0x1)\n',
    );
    expect(question?.case.functions.map(({ name }) => name)).toEqual(['f1']);
    expect(leftOut).toEqual(['functions of this kind']);
  });
});
