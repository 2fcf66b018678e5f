import { describe, expect, test } from 'vitest';
import type { Outcome } from '../call/outcome.ts';
import type { Action } from '../client/all.ts';
import { tracepointLoad } from '../client/bpf-prog-load.ts';
import { KERNELS } from '../core/profile.ts';
import type { Kernel } from '../kernel.ts';
import { bootKernel } from '../kernel.ts';
import { declareTracepoint } from '../raw-tracepoint/tracepoints.ts';
import { apply } from '../step.ts';
import { plainProgram } from '../trampoline/program.ts';
import { tracedFunction } from '../trampoline/traced-function.ts';
import { fromNumber, ZERO } from '../x86/word.ts';

const POINTS = [
  declareTracepoint('tp1', 'ptr, u32'),
  declareTracepoint('tp2', 'u8, u16, u64, ptr, ptr, ptr, u32'),
];

function boot(profile: string, programs: number): Kernel {
  const functions = [tracedFunction('f1', 1, 'u64 -> u64')];
  const k = bootKernel({ profile, boot: 'default', functions, tracepoints: POINTS });
  for (let id = 1; id <= programs; id++) apply(k, tracepointLoad(id, 'tp'));
  return k;
}

function does(k: Kernel, action: Action): Outcome['errno'] {
  const { errno, warnings, died } = apply(k, action);
  expect([warnings, died]).toEqual([[], undefined]);
  return errno;
}

const open = (n: number, tracepoint = 'tp1'): Action => ({
  do: 'perf_event_open',
  event: `perf#${n}`,
  tracepoint,
});
const close = (n: number): Action => ({ do: 'close(perf_event)', event: `perf#${n}` });
const set = (n: number, prog: number): Action => ({ do: 'PERF_EVENT_IOC_SET_BPF', event: `perf#${n}`, prog });
const link = (n: number, prog: number, event = n): Action => ({
  do: 'BPF_LINK_CREATE(perf_event)',
  link: `link#${n}`,
  prog,
  event: `perf#${event}`,
});
const unlink = (n: number): Action => ({ do: 'close(link)', link: `link#${n}` });

/** The programs and probes that a hit calls, with what each finds. */
function hit(k: Kernel, fn = 'tp1', words = [0x123456789, 0x123456789]): readonly (string | undefined)[][] {
  const all = words.map((word) => fromNumber(word));
  const registers = Array.from({ length: 6 }, (_, i) => all[i] ?? ZERO);
  const { call, died } = apply(k, { do: 'call', fn, registers, stack: all.slice(6) });
  expect(died).toBeUndefined();
  expect(call).toMatchObject({ fault: undefined, stackBalanced: true, callerStackIntact: true });
  return call!.events.map(({ who, args, cookie }) => [who, ...(args ?? []), cookie]);
}

const ARGS = ['0x123456789', '0x23456789'];

describe.each(KERNELS)('perf events of %s', (kernel) => {
  test('a hit runs the programs of all events of its tracepoint, in the order in which they were attached', () => {
    const k = boot(kernel, 2);
    for (const action of [open(1), open(2), set(2, 1), link(1, 2)]) expect(does(k, action)).toBe(0);
    expect(hit(k)).toEqual([
      ['prog#1', ...ARGS, '0x0'],
      ['prog#2', ...ARGS, '0x0'],
    ]);
    expect(hit(k, 'tp2')).toEqual([]);
  });

  test('a program finds the fields of the record, and the cookie of its link', () => {
    const k = boot(kernel, 0);
    const program = {
      ...plainProgram(1),
      reads: 'direct' as const,
      accesses: [0, 1, 6],
      cookie: fromNumber(7),
    };
    does(k, { do: 'BPF_PROG_LOAD', program, target: '', probe: 'tp', returns: ZERO });
    does(k, open(1, 'tp2'));
    expect(does(k, link(1, 1))).toBe(0);
    const words = [0x1ff, 0x2ffff, 3, 4, 5, 6, 0x7_ffff_ffff];
    expect(hit(k, 'tp2', words)).toEqual([['prog#1', '0xff', '0xffff', '0xffffffff', '0x7']]);
  });

  test('the probe is there from the first event on, and runs where that was opened', () => {
    const k = boot(kernel, 1);
    const probe = { tracepoint: 'tp1', func: 'my_probe1', data: 'data#1' };
    for (const action of [
      open(1),
      { do: 'tracepoint_probe_register_prio', ...probe, prio: 10 },
      set(1, 1),
    ] as const)
      expect(does(k, action)).toBe(0);
    expect(hit(k).map(([who]) => who)).toEqual(['prog#1', 'my_probe1']);
  });

  test('an event has one program, and a program is in the array once', () => {
    const k = boot(kernel, 2);
    for (const action of [open(1), open(2), set(1, 1)]) expect(does(k, action)).toBe(0);
    expect(does(k, set(1, 2))).toBe('EEXIST');
    expect(does(k, set(2, 1))).toBe('EEXIST');
    expect(does(k, link(1, 1, 2))).toBe('EEXIST');
    expect(k.bpf.links).toEqual({});
    expect(k.bpf.progs[1]!.refs).toBe(2);
    expect(k.bpf.progs[2]!.refs).toBe(1);
    expect(k.perf!.events['perf#2']!.refs).toBe(1);
  });

  test('a tracepoint has 64 programs at most', () => {
    const k = boot(kernel, 65);
    for (let n = 1; n <= 65; n++) {
      expect(does(k, open(n))).toBe(0);
      expect(does(k, set(n, n))).toBe(n > 64 ? 'E2BIG' : 0);
    }
  });

  test('EINVAL for another program, EACCES after the last field, EBADF without an event or a program', () => {
    const k = boot(kernel, 1);
    does(k, tracepointLoad(2, 'raw_tp'));
    const program = { ...plainProgram(3), reads: 'direct' as const, accesses: [2] };
    does(k, { do: 'BPF_PROG_LOAD', program, target: '', probe: 'tp', returns: ZERO });
    does(k, open(1));
    expect([does(k, set(1, 2)), does(k, link(1, 2))]).toEqual(['EINVAL', 'EINVAL']);
    expect([does(k, set(1, 3)), does(k, link(1, 3))]).toEqual(['EACCES', 'EACCES']);
    expect([does(k, set(2, 1)), does(k, link(1, 1, 2))]).toEqual(['EBADF', 'EBADF']);
    expect([does(k, set(1, 9)), does(k, link(1, 9, 1))]).toEqual(['EBADF', 'EBADF']);
    expect(does(k, open(2, 'no_such_tracepoint'))).toBe('EINVAL');
    expect(does(k, { do: 'BPF_RAW_TRACEPOINT_OPEN', link: 'link#2', prog: 1, tracepoint: 'tp1' })).toBe(
      'EINVAL',
    );
    expect(does(k, { do: 'BPF_LINK_CREATE', link: 'link#2', prog: 1, targets: ['f1'] })).toBe('EINVAL');
  });

  test('a link holds the event, whose program is put with it; without events nothing is left', () => {
    const k = boot(kernel, 2);
    for (const action of [open(1), open(2), link(1, 1), set(2, 2), close(1), close(2)])
      expect(does(k, action)).toBe(0);
    expect(hit(k).map(([who]) => who)).toEqual(['prog#1']);
    expect(does(k, close(1))).toBe('EBADF');
    expect(does(k, unlink(1))).toBe(0);
    expect(hit(k)).toEqual([]);
    for (const prog of [1, 2]) does(k, { do: 'close(prog)', prog });
    does(k, { do: 'settle' });
    expect(k.perf).toMatchObject({ events: {}, arrays: {} });
    expect(k.tracepoints!.arrays).toEqual({});
    expect([k.bpf.progs[1]!.freed, k.bpf.progs[2]!.freed]).toEqual([true, true]);
  });

  test('without memory for a smaller array the program is in it no more', () => {
    const k = boot(kernel, 3);
    for (const action of [open(1), open(2), link(1, 1), set(2, 2)]) does(k, action);
    does(k, { do: 'fail', fault: { what: 'allocation', where: 'bpf_prog_array_copy' } });
    expect(does(k, unlink(1))).toBe(0);
    expect(k.perf!.arrays).toEqual({ 'progs#2': [expect.objectContaining({ prog: 0 }), expect.anything()] });
    expect(hit(k).map(([who]) => who)).toEqual(['prog#2']);
    expect(does(k, set(1, 3))).toBe(0);
    expect(hit(k).map(([who]) => who)).toEqual(['prog#2', 'prog#3']);
    expect(Object.values(k.perf!.arrays)).toHaveLength(1);
  });

  test('without memory nothing is opened or linked', () => {
    const k = boot(kernel, 1);
    for (const where of ['perf_event_open', 'perf_trace_event_reg', 'allocate_probes']) {
      does(k, { do: 'fail', fault: { what: 'allocation', where } });
      expect(does(k, open(1))).toBe('ENOMEM');
      expect(k.perf).toMatchObject({ events: {}, calls: { tp1: { perfRefcount: 0 } } });
    }
    does(k, open(1));
    for (const where of ['bpf_perf_link_attach', 'bpf_prog_array_copy']) {
      does(k, { do: 'fail', fault: { what: 'allocation', where } });
      expect(does(k, link(1, 1))).toBe('ENOMEM');
      expect(k.bpf.links).toEqual({});
      expect(k.bpf.progs[1]!.refs).toBe(1);
      expect(k.perf!.events['perf#1']).toEqual({ call: 'tp1', open: true, refs: 1, prog: 0 });
    }
  });

  test('a program that comes while another runs on the CPU is missed, which 6.1 does not count', () => {
    const k = boot(kernel, 1);
    for (const action of [open(1), set(1, 1)]) does(k, action);
    k.current.bpfProgActive = 1;
    expect(hit(k)).toEqual([]);
    expect(k.bpf.progs[1]!.misses).toBe(kernel === '6.1' ? 0 : 1);
    expect(k.current).toMatchObject({ bpfProgActive: 1, perfRecursion: 0, rcu: 0, preemptOff: 0 });
  });

  test('a hit while a record is being written in its context runs nothing', () => {
    const k = boot(kernel, 1);
    for (const action of [open(1), set(1, 1)]) does(k, action);
    k.current.perfRecursion = 1;
    expect(hit(k)).toEqual([]);
    expect(k.bpf.progs[1]!.misses).toBe(0);
    k.current.perfRecursion = 2;
    expect(hit(k)).toHaveLength(1);
    expect(k.current.perfRecursion).toBe(2);
  });
});
