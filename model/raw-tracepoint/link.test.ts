import { describe, expect, test } from 'vitest';
import type { Outcome } from '../call/outcome.ts';
import { KERNELS } from '../core/profile.ts';
import type { Watch } from '../core/run.ts';
import type { Kernel } from '../kernel.ts';
import { bootKernel } from '../kernel.ts';
import { apply, KERNEL_PROGRAM } from '../step.ts';
import { tracepointNamed } from '../tracepoint/tracepoint.ts';
import type { BpfProgram } from '../trampoline/program.ts';
import { plainProgram } from '../trampoline/program.ts';
import { tracedFunction } from '../trampoline/traced-function.ts';
import { fromHex, fromNumber } from '../x86/word.ts';
import { declareTracepoint, TRACEPOINTS } from './tracepoints.ts';

const SYSCALL = declareTracepoint('sys_enter', 'ptr, s64', true);

function boot(profile: string): Kernel {
  const tracepoints = [...TRACEPOINTS, ...(profile === '7.2' ? [SYSCALL] : [])];
  const functions = [tracedFunction('f1', 1, 'u64 -> u64')];
  return bootKernel({ profile, boot: 'default', functions, tracepoints });
}

function load(k: Kernel, id: number, more: Partial<BpfProgram> = {}): Outcome['errno'] {
  const program: BpfProgram = { ...plainProgram(id), reads: 'direct', ...more };
  return apply(k, { do: 'BPF_PROG_LOAD', program, target: '', probe: 'raw_tp', returns: fromNumber(0) })
    .errno;
}

function open(k: Kernel, link: number, prog: number, tracepoint?: string): Outcome['errno'] {
  const named = tracepoint === undefined ? {} : { tracepoint };
  return apply(k, { do: 'BPF_RAW_TRACEPOINT_OPEN', link: `link#${link}`, prog, ...named }).errno;
}

/** A hit with words that have something in every byte: what each program found in its context. */
function hit(k: Kernel, name: string) {
  const { sizes } = tracepointNamed(k, name);
  const words = Array.from({ length: Math.max(6, sizes.length) }, (_, i) =>
    fromHex(`0x8${i.toString(16)}828384858687`),
  );
  const { call } = apply(k, { do: 'call', fn: name, registers: words.slice(0, 6), stack: words.slice(6) });
  expect(call).toMatchObject({
    fault: undefined,
    calleeSaved: [],
    stackBalanced: true,
    callerStackIntact: true,
  });
  return call!.events.map(({ kind: _, fn, ...event }) => {
    expect(fn).toBe(name);
    return event;
  });
}

describe.each(KERNELS)('raw tracepoints of %s', (kernel) => {
  const cookie = kernel === '6.1' ? {} : { cookie: '0x5' };

  test('a program finds its arguments as unsigned words, and its cookie where there are any', () => {
    const k = boot(kernel);
    expect(load(k, 1, { cookie: fromNumber(5) })).toBe(0);
    expect(open(k, 1, 1, 'sched_switch')).toBe(0);
    expect(hit(k, 'sched_switch')).toEqual([
      {
        who: 'prog#1',
        args: ['0x87', '0x81828384858687', '0x82828384858687', '0x84858687'],
        ...cookie,
      },
    ]);
  });

  test('twelve arguments of all sizes arrive, those of the stack as well', () => {
    const k = boot(kernel);
    load(k, 1);
    open(k, 1, 1, 'mc_event');
    const [{ args } = { args: [] }] = hit(k, 'mc_event');
    expect(args).toHaveLength(12);
    expect(args!.map((word) => word.length)).toEqual([10, 16, 16, 10, 4, 4, 4, 4, 16, 4, 16, 16]);
  });

  test('a program that is linked twice runs twice where its link is the data, and is refused with EEXIST where it is not', () => {
    const k = boot(kernel);
    load(k, 1);
    open(k, 1, 1, 'xdp_exception');
    expect(open(k, 2, 1, 'xdp_exception')).toBe(kernel === '6.1' ? 'EEXIST' : 0);
    expect(hit(k, 'xdp_exception')).toHaveLength(kernel === '6.1' ? 1 : 2);
    expect(k.warnings).toEqual([]);
  });

  test('another name is ENOENT, more arguments than there are EINVAL, a tracing program with a name EINVAL', () => {
    const k = boot(kernel);
    load(k, 1, { accesses: [0, 3] });
    expect(open(k, 1, 1, 'xdp_exceptions')).toBe('ENOENT');
    expect(open(k, 1, 1, 'xdp_exception')).toBe('EINVAL');
    expect(k.bpf.rawLinks).toEqual({});
    expect(open(k, 1, 1, 'sched_switch')).toBe(0);
    expect(hit(k, 'sched_switch')[0]!.args).toHaveLength(2);
    const program = { ...plainProgram(2), kind: 'fentry' as const };
    apply(k, { do: 'BPF_PROG_LOAD', program, target: 'f1', probe: '', returns: fromNumber(0) });
    expect(open(k, 2, 2, 'xdp_exception')).toBe('EINVAL');
    expect(open(k, 3, 7, 'xdp_exception')).toBe('EBADF');
  });

  test('without a name only a tracing program is attached, and its link has no cookie', () => {
    const k = boot(kernel);
    load(k, 1);
    expect(open(k, 1, 1)).toBe('EFAULT');
    const returns = fromNumber(0);
    const probe = { ...plainProgram(2), reads: 'direct' as const };
    apply(k, { do: 'BPF_PROG_LOAD', program: probe, target: '', probe: 'entry', returns });
    expect(open(k, 2, 2)).toBe('EINVAL');
    const tracing = { ...plainProgram(3), cookie: fromNumber(5) };
    apply(k, { do: 'BPF_PROG_LOAD', program: tracing, target: 'f1', probe: '', returns });
    expect(open(k, 3, 3)).toBe(0);
    const { call } = apply(k, { do: 'call', fn: 'f1', registers: Array(6).fill(returns), stack: [] });
    expect(call!.events.map(({ cookie }) => cookie)).toEqual(['0x0', undefined]);
  });

  test('without memory nothing is left', () => {
    const k = boot(kernel);
    load(k, 1);
    for (const where of ['bpf_raw_tp_link_attach', 'allocate_probes']) {
      apply(k, { do: 'fail', fault: { what: 'allocation', where } });
      expect(open(k, 1, 1, 'xdp_exception')).toBe('ENOMEM');
      expect(k.bpf.links).toEqual({});
      expect(hit(k, 'xdp_exception')).toEqual([]);
    }
  });

  test('whose link is closed is not called any more, and all is given back', () => {
    const k = boot(kernel);
    load(k, 1);
    open(k, 1, 1, 'xdp_exception');
    apply(k, { do: 'close(prog)', prog: 1 });
    expect(apply(k, { do: 'close(link)', link: 'link#1' })).toMatchObject({ errno: 0, warnings: [] });
    expect(hit(k, 'xdp_exception')).toEqual([]);
    apply(k, { do: 'settle' });
    expect(k.bpf.progs[1]!.freed).toBe(true);
    expect(k.bpf.rawLinks).toEqual({});
    expect(k.tracepoints!.arrays).toEqual({});
  });

  test('whose link is closed has its program put with the link, in 6.1 before the grace period', () => {
    const k = boot(kernel);
    load(k, 1);
    open(k, 1, 1, 'xdp_exception');
    const parts: string[] = [];
    const step: Watch['step'] = ({ routine, id }) => {
      if (['drop a reference', 'wait for rcu'].includes(id)) parts.push(`${routine}: ${id}`);
    };
    apply(k, { do: 'close(link)', link: 'link#1' }, KERNEL_PROGRAM, { step });
    const waited = parts.indexOf('bpf_link_dealloc: wait for rcu');
    expect(waited).toBeGreaterThanOrEqual(0);
    expect(parts.indexOf('bpf_prog_put: drop a reference') < waited).toBe(kernel === '6.1');
  });

  test('a program that runs on this CPU already is missed, and the miss is counted', () => {
    const k = boot(kernel);
    load(k, 1);
    open(k, 1, 1, 'xdp_exception');
    k.bpf.progs[1]!.active = 1;
    expect(hit(k, 'xdp_exception')).toEqual([]);
    expect(k.bpf.progs[1]).toMatchObject({ active: 1, misses: 1 });
  });

  test('a raw tracepoint program has no target of its own', () => {
    const k = boot(kernel);
    load(k, 1);
    expect(apply(k, { do: 'BPF_LINK_CREATE', link: 'link#1', prog: 1, targets: ['f1'] }).errno).toBe(
      'EINVAL',
    );
  });
});

test('a sleepable program is for tracepoints that may fault', () => {
  const k = boot('7.2');
  load(k, 1, { sleepable: true });
  expect(open(k, 1, 1, 'xdp_exception')).toBe('EINVAL');
  expect(open(k, 1, 1, 'sys_enter')).toBe(0);
  expect(hit(k, 'sys_enter')).toHaveLength(1);
});

test.each(['6.1', '6.12'])(
  '%s has no such tracepoints, and refuses to load a sleepable program',
  (kernel) => {
    const k = boot(kernel);
    expect(load(k, 1, { sleepable: true })).toBe('EINVAL');
  },
);
