import { describe, expect, test } from 'vitest';
import type { Outcome } from '../call/outcome.ts';
import type { Action } from '../client/all.ts';
import { KERNELS } from '../core/profile.ts';
import type { Kernel } from '../kernel.ts';
import { bootKernel } from '../kernel.ts';
import { declareTracepoint, TRACEPOINTS } from '../raw-tracepoint/tracepoints.ts';
import { apply } from '../step.ts';
import { nothingForbidden } from '../task/current.ts';
import { describeBranch } from '../text/branch.ts';
import { fromNumber, toHex } from '../x86/word.ts';
import { siteDisagreement } from './static-call.ts';
import { DEFAULT_PRIO, probesOf, tracepointNamed } from './tracepoint.ts';

const TP = 'xdp_exception';

function boot(profile = '6.12', tracepoints = TRACEPOINTS): Kernel {
  return bootKernel({ profile, boot: 'default', functions: [], tracepoints });
}

function register(k: Kernel, n: number, prio = DEFAULT_PRIO, data = n): Outcome {
  const action: Action = {
    do: 'tracepoint_probe_register_prio',
    tracepoint: TP,
    func: `my_probe${n}`,
    data: `data#${data}`,
    prio,
  };
  return apply(k, action);
}

function unregister(k: Kernel, n: number, data = n): Outcome {
  const action: Action = {
    do: 'tracepoint_probe_unregister',
    tracepoint: TP,
    func: `my_probe${n}`,
    data: `data#${data}`,
  };
  return apply(k, action);
}

/** A hit with arguments 1, 2, 3, …: who was called with which data. */
function hit(k: Kernel, name = TP) {
  const { sizes } = tracepointNamed(k, name);
  const words = Array.from({ length: Math.max(6, sizes.length) }, (_, i) => fromNumber(i + 1));
  const { call } = apply(k, { do: 'call', fn: name, registers: words.slice(0, 6), stack: words.slice(6) });
  expect(call).toMatchObject({
    fault: undefined,
    calleeSaved: [],
    stackBalanced: true,
    callerStackIntact: true,
  });
  expect(k.current).toEqual(nothingForbidden());
  const args = sizes.map((_, i) => toHex(fromNumber(i + 1)));
  for (const event of call!.events) expect(event.args).toEqual(args);
  return call!.events.map(({ who, data }) => `${who}(${data})`);
}

describe.each(KERNELS)('tracepoints of %s', (kernel) => {
  test('no probe is called at first', () => {
    expect(hit(boot(kernel))).toEqual([]);
  });

  test.each(TRACEPOINTS)(
    'each hit of $name reaches one probe, and then both, with all arguments',
    ({ name }) => {
      const k = boot(kernel);
      const add = (func: string, data: string) =>
        apply(k, { do: 'tracepoint_probe_register_prio', tracepoint: name, func, data, prio: DEFAULT_PRIO });
      add('my_probe1', 'data#1');
      expect(hit(k, name)).toEqual(['my_probe1(data#1)']);
      add('my_probe2', 'data#2');
      expect(hit(k, name)).toEqual(['my_probe1(data#1)', 'my_probe2(data#2)']);
    },
  );

  test('the static call calls the only probe, and the iterator when there are more', () => {
    const k = boot(kernel);
    const calls = () => tracepointNamed(k, TP).call;
    expect(calls()).toBe(`__traceiter_${TP}`);
    register(k, 1);
    expect(calls()).toBe('my_probe1');
    register(k, 2);
    expect(calls()).toBe(`__traceiter_${TP}`);
    unregister(k, 1);
    expect(calls()).toBe('my_probe2');
    expect(hit(k)).toEqual(['my_probe2(data#2)']);
    unregister(k, 2);
    expect(calls()).toBe(`__traceiter_${TP}`);
    expect(hit(k)).toEqual([]);
    expect(siteDisagreement(k, TP)).toBeUndefined();
  });

  test('a higher priority runs first, and the older of equal ones', () => {
    const k = boot(kernel);
    register(k, 1, 5);
    register(k, 2, 20);
    register(k, 3, 5);
    register(k, 1, 20, 4);
    expect(hit(k)).toEqual([
      'my_probe2(data#2)',
      'my_probe1(data#4)',
      'my_probe1(data#1)',
      'my_probe3(data#3)',
    ]);
  });

  test('the same function with the same data is EEXIST, with a warning; with other data it is another probe', () => {
    const k = boot(kernel);
    expect(register(k, 1).errno).toBe(0);
    expect(register(k, 1)).toMatchObject({
      errno: 'EEXIST',
      warnings: [{ is: 'probe there already', func: 'my_probe1', tracepoint: 'xdp_exception' }],
    });
    expect(register(k, 1, DEFAULT_PRIO, 2).errno).toBe(0);
    expect(hit(k)).toEqual(['my_probe1(data#1)', 'my_probe1(data#2)']);
  });

  test('to unregister is ENOENT where there are no probes, and 0 where there are others', () => {
    const k = boot(kernel);
    expect(unregister(k, 1)).toMatchObject({
      errno: 'ENOENT',
      warnings: [{ is: 'no probes', tracepoint: 'xdp_exception' }],
    });
    register(k, 2);
    expect(unregister(k, 1)).toMatchObject({ errno: 0, warnings: [] });
    expect(hit(k)).toEqual(['my_probe2(data#2)']);
  });

  test('without memory a registration is ENOMEM; a probe still leaves, and something that does nothing takes its place', () => {
    const k = boot(kernel);
    const fail = () => apply(k, { do: 'fail', fault: { what: 'allocation', where: 'allocate_probes' } });
    fail();
    expect(register(k, 1).errno).toBe('ENOMEM');
    register(k, 1);
    register(k, 2);
    fail();
    expect(unregister(k, 1).errno).toBe(0);
    expect(hit(k)).toEqual(['my_probe2(data#2)']);
    expect(probesOf(k, TP)!.map(({ func }) => func)).toEqual(['tp_stub_func', 'my_probe2']);
    register(k, 3);
    expect(probesOf(k, TP)!.map(({ func }) => func)).toEqual(['my_probe2', 'my_probe3']);
  });

  test('arrays without readers are freed', () => {
    const k = boot(kernel);
    for (const n of [1, 2, 3]) register(k, n);
    for (const n of [1, 2, 3]) unregister(k, n);
    apply(k, { do: 'settle' });
    expect(k.tracepoints!.arrays).toEqual({});
    expect(k.deferred).toEqual([]);
  });
});

test('the site of a tracepoint is a nop and a return while no probe is registered', () => {
  const k = boot();
  const { bytes } = k.text.pages[`trace_${TP}`]!;
  expect(bytes.slice(0, 12)).toBe('0f1f440000c3');
  expect(describeBranch(k, bytes.slice(0, 10), { hi: 0, lo: 0 })).toBe('nop5');
});

test('what cannot be a tracepoint is refused by its name', () => {
  expect(() => declareTracepoint('t', 's12b')).toThrow('t: s12b has 12 bytes');
  expect(() => declareTracepoint('t', 'u64 x13')).toThrow('t: a tracepoint has 1 to 12 arguments, not 13');
});
