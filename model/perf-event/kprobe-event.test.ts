import { describe, expect, test } from 'vitest';
import { KERNELS, profileNamed } from '../core/profile.ts';
import { ask } from '../testing/asked.ts';
import { addressOf } from '../text/space.ts';
import { toHex } from '../x86/word.ts';

const LOAD = 'prog#1 = BPF_PROG_LOAD(kprobe get_func_ip cookie=0x7)';
const SET = 'PERF_EVENT_IOC_SET_BPF(perf#1, prog#1)';
const LINK = 'link#1 = BPF_LINK_CREATE(prog#1, perf#1)';
const OPEN = 'perf#1 = perf_event_open(kprobe, f1)';
const LIVE_PATCH =
  'ops#1 = ftrace_ops(SAVE_REGS | IPMODIFY); ftrace_set_filter_ip(ops#1, f1); register_ftrace_function(ops#1)';

describe.each(KERNELS)('perf events on kprobes of %s', (kernel) => {
  /** An instruction after the call site. */
  const body = `f1+0x${profileNamed(kernel).ibt ? 'a' : '5'}`;

  test('a program runs at the entry with the address of the function, and with the cookie of its link', () => {
    const { rig, answers } = ask(kernel, `${LOAD}; ${OPEN}; ${LINK}`);
    expect(answers).toEqual([0, 0, 0]);
    const ip = toHex(addressOf(rig.k, 'f1'));
    expect(rig.call('f1').run.events[0]).toMatchObject({
      kind: 'kprobe',
      who: 'perf#1',
      prog: 'prog#1',
      cookie: '0x7',
      ip,
    });
  });

  test('a program at the return gets the address of the function, and its return value', () => {
    const { rig } = ask(kernel, `${LOAD}; perf#1 = perf_event_open(kretprobe, f1); ${SET}`);
    const { run } = rig.call('f1');
    const ip = toHex(addressOf(rig.k, 'f1'));
    expect(run.events.at(-1)).toMatchObject({ kind: 'kretprobe', who: 'perf#1', ret: run.rax, ip });
    expect(rig.k.current).toMatchObject({ kprobe: false, bpfProgActive: 0, rcu: 0, preemptOff: 0 });
  });

  test('bpf_get_func_ip() returns 0 in the body', () => {
    const { rig, answers } = ask(kernel, `${LOAD}; perf#1 = perf_event_open(kprobe, ${body}); ${SET}`);
    expect(answers).toEqual([0, 0, 0]);
    expect(rig.call('f1').run.events[0]).toMatchObject({ kind: 'kprobe', fn: body, ip: '0x0' });
    rig.answer({ do: 'close(perf_event)', event: 'perf#1' });
    expect(rig.k.text.probed).toEqual({});
  });

  test('it is among the kprobes of its address, the newest first, and a jump runs it as well', () => {
    const entry = ask(kernel, `register_kprobe(kprobe#1, f1); ${LOAD}; ${OPEN}; ${SET}`);
    entry.rig.answer({ do: 'register_kprobe', kprobe: 'kprobe#2', ip: 'f1', post: false });
    expect(entry.rig.call('f1').who).toEqual(['kprobe#2', 'perf#1', 'kprobe#1', 'f1']);
    const jumped = ask(
      kernel,
      `sysctl debug.kprobes-optimization=1; ${LOAD}; perf#1 = perf_event_open(kprobe, ${body}); ${SET}`,
    );
    jumped.rig.answer({ do: 'settle' });
    expect(jumped.rig.call('f1').run.events[0]).toMatchObject({ who: 'perf#1', ip: '0x0' });
  });

  test('two events on one function have two kprobes, and may run one program', () => {
    const { rig, answers } = ask(
      kernel,
      `${LOAD}; ${OPEN}; perf#2 = perf_event_open(kprobe, f1); ${SET}; PERF_EVENT_IOC_SET_BPF(perf#2, prog#1)`,
    );
    expect(answers).toEqual([0, 0, 0, 0, 0]);
    expect(rig.call('f1').who).toEqual(['perf#2', 'perf#1', 'f1']);
  });

  test('without a program it is armed and runs nothing', () => {
    const { rig } = ask(kernel, OPEN);
    expect(rig.k.ftrace.records['f1']!.count).toBe(1);
    expect(rig.call('f1').who).toEqual(['f1']);
  });

  test('the last reference takes the kprobe off: that of the link, or that of the descriptor', () => {
    const { rig } = ask(kernel, `${LOAD}; ${OPEN}; ${LINK}; close(perf#1)`);
    expect(rig.call('f1').who).toEqual(['perf#1', 'f1']);
    rig.answer({ do: 'close(link)', link: 'link#1' });
    expect(rig.k.probes).toMatchObject({ kprobes: {}, kprobeTable: {} });
    expect(rig.k.ftrace.records['f1']!.count).toBe(0);
    rig.answer({ do: 'close(prog)', prog: 1 });
    rig.answer({ do: 'settle' });
    expect(rig.k.bpf.progs[1]!.freed).toBe(true);
    expect(rig.k.perf).toMatchObject({ events: {}, calls: {}, arrays: {} });
    const returns = ask(kernel, 'perf#1 = perf_event_open(kretprobe, f1); close(perf#1)').rig;
    returns.answer({ do: 'settle' });
    expect(returns.k.probes).toMatchObject({ kprobes: {}, kretprobes: {}, rethooks: {} });
    expect(returns.k.perf).toBeUndefined();
  });

  test('EINVAL for another program and for one that may sleep, EEXIST for a second one', () => {
    const { answers } = ask(
      kernel,
      [
        'prog#2 = BPF_PROG_LOAD(kprobe sleepable)',
        'prog#3 = BPF_PROG_LOAD(kprobe)',
        OPEN,
        'PERF_EVENT_IOC_SET_BPF(perf#1, prog#2)',
        'PERF_EVENT_IOC_SET_BPF(perf#1, prog#3)',
        'PERF_EVENT_IOC_SET_BPF(perf#1, prog#3)',
        'link#1 = BPF_LINK_CREATE(prog#3, { f1 })',
      ].join('; '),
    );
    expect(answers).toEqual([0, 0, 0, 'EINVAL', 0, 'EEXIST', 'EINVAL']);
  });

  test('ENOENT for no symbol, EINVAL for a return that is in a body, and what register_kprobe() answers', () => {
    expect(ask(kernel, 'perf#1 = perf_event_open(kprobe, no_such_function)').answers).toEqual(['ENOENT']);
    const { rig, answers } = ask(
      kernel,
      `perf#1 = perf_event_open(kretprobe, ${body}); perf#1 = perf_event_open(kprobe, f1+0x1)`,
    );
    expect(answers).toEqual(['EINVAL', 'EILSEQ']);
    expect(rig.k.perf).toBeUndefined();
    expect(rig.k.probes).toMatchObject({ kprobeTable: {} });
  });

  test('without memory nothing is opened', () => {
    for (const where of [
      'perf_event_open (kprobe)',
      'create_local_trace_kprobe',
      'perf_trace_event_reg',
      'ftrace_set_hash',
    ]) {
      const { rig } = ask(kernel, LOAD);
      rig.answer({ do: 'fail', fault: { what: 'allocation', where } });
      expect(rig.answer({ do: 'perf_event_open(kprobe)', event: 'perf#1', on: 'kprobe', ip: 'f1' })).toBe(
        'ENOMEM',
      );
      expect(rig.k.perf).toBeUndefined();
      expect(rig.k.probes).toMatchObject({ kprobes: {}, kprobeTable: {} });
    }
  });

  test('a live patch does not mind it', () => {
    const { rig, answers } = ask(kernel, `${LIVE_PATCH}; ${LOAD}; ${OPEN}; ${SET}`);
    expect(answers.slice(3)).toEqual([0, 0, 0]);
    expect(rig.call('f1').who).toContain('perf#1');
  });

  test('a program that comes while another runs on the CPU is missed, which 6.1 does not count', () => {
    const { rig } = ask(kernel, `${LOAD}; ${OPEN}; ${SET}`);
    rig.k.current.bpfProgActive = 1;
    expect(rig.call('f1').who).toEqual(['f1']);
    expect(rig.k.bpf.progs[1]!.misses).toBe(kernel === '6.1' ? 0 : 1);
    expect(rig.k.current).toMatchObject({ bpfProgActive: 1, kprobe: false });
  });
});
