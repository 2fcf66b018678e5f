import { describe, expect, test } from 'vitest';
import type { Action } from '../client/all.ts';
import { filterOn } from '../client/ftrace-set-filter-ip.ts';
import type { Kernel } from '../kernel.ts';
import { bootKernel } from '../kernel.ts';
import { apply, KERNEL_PROGRAM } from '../step.ts';
import { plainProgram } from '../trampoline/program.ts';
import { moduleFunction, tracedFunction } from '../trampoline/traced-function.ts';
import { fromNumber, ZERO } from '../x86/word.ts';
import { costOfCall } from './call-cost.ts';
import { countedSteps, counting } from './cost.ts';

const NAMES = ['f1', 'f2', 'f3'];
const LOAD: Action = {
  do: 'BPF_PROG_LOAD',
  program: { ...plainProgram(1), multi: true },
  target: '',
  probe: '',
  returns: ZERO,
};
const CLOSE: Action = { do: 'close(link)', link: 'link#1' };
const SETTLE: Action = { do: 'settle' };

function link(...targets: string[]): Action {
  return { do: 'BPF_LINK_CREATE', link: 'link#1', prog: 1, targets };
}

function booted(profile: string): Kernel {
  const functions = NAMES.map((name, i) => tracedFunction(name, i + 1, 'u64 -> u64'));
  return bootKernel({ profile, boot: 'default', functions });
}

/** What actions cost in a kernel, one after the other; all of them succeed. */
function costOf(k: Kernel, ...actions: readonly Action[]) {
  const { cost, watch } = counting();
  for (const action of actions) expect(apply(k, action, KERNEL_PROGRAM, watch).errno).toBe(0);
  return cost;
}

/** A kernel with the program loaded and attached to all three. */
function attached(profile: string): Kernel {
  const k = booted(profile);
  costOf(k, LOAD, link(...NAMES), SETTLE);
  return k;
}

const NOTHING = { programLoads: 0, images: 0, imageBytes: 0, waited: {}, handedOver: {} };

/** The first ops, and the last to go, change both inner calls, each by a poke of its own. */
const INNER = 2;

describe('three functions one by one', () => {
  const profile = '6.12, multiLinks = one by one';

  test('are attached to by three registrations, each with a copy of the table as it is by then', () => {
    const k = booted(profile);
    expect(costOf(k, LOAD)).toMatchObject({ programLoads: 1, textPokes: 0 });
    expect(costOf(k, link(...NAMES), SETTLE)).toEqual({
      ...NOTHING,
      images: 3,
      imageBytes: 3 * 100,
      textPokes: 3 + INNER,
      syncIpis: 3 * (3 + INNER),
      // For each: all for IPMODIFY, twice all for the text; and up to its own record to count the ops in.
      recordVisits: 3 * (3 + 2 * 3) + (1 + 2 + 3),
      // In the filter for the first and the last of these; in direct_functions for each new call, and when it has any.
      hashLookups: 3 * 3 + (1 + 2 + 3) + 3 + 2,
      // Into the filter, and into the next direct_functions.
      entriesCopied: 3 + (1 + 2 + 3),
      // The first table replaces the empty one, which is never freed.
      handedOver: { rcu_tasks: 2 },
    });
  });

  test('are detached from by three unregistrations, each with two grace periods', () => {
    expect(costOf(attached(profile), CLOSE, SETTLE)).toEqual({
      ...NOTHING,
      textPokes: 3 + INNER,
      syncIpis: 3 * (3 + INNER) + 1,
      recordVisits: 3 * (3 + 2 * 3) + (1 + 2 + 3),
      hashLookups: 3 * 3 + (1 + 2 + 3) + 3 + 3,
      entriesCopied: 0,
      waited: { rcu_tasks_rude: 3, rcu_tasks: 3 },
      // For each image; and for the link.
      handedOver: { rcu_tasks_trace: 3, rcu_tasks: 3, rcu: 1 },
    });
  });
});

describe('three functions by a multi link of 7.2', () => {
  test('are attached to by one registration', () => {
    const k = booted('7.2');
    costOf(k, LOAD);
    expect(costOf(k, link(...NAMES), SETTLE)).toEqual({
      ...NOTHING,
      images: 3,
      imageBytes: 3 * 105,
      // The inner calls call the list function first, and to the handler of direct calls afterwards.
      textPokes: 3 + 2 * INNER,
      syncIpis: 3 + 3 * 2 * INNER + 1,
      recordVisits: 3 + 3 + 2 * 3,
      hashLookups: 3 + 3 + 3,
      // Into the filter and into direct_functions.
      entriesCopied: 2 * 3,
    });
  });

  test('are detached from by one unregistration, and each image skips the program', () => {
    expect(costOf(attached('7.2'), CLOSE, SETTLE)).toEqual({
      ...NOTHING,
      textPokes: 3 + 3 + 2 * INNER,
      syncIpis: 3 * 3 + 3 + 3 * 2 * INNER + 1,
      recordVisits: 3 + 3 + 2 * 3,
      hashLookups: 3 + 2 * 3 + 3 + 3 + 3,
      entriesCopied: 2 * 3,
      handedOver: { rcu_tasks: 1 + 3, rcu_tasks_trace: 3, rcu: 1 },
    });
  });
});

test('pokes beyond 256 are synchronised in another round', () => {
  const names = Array.from({ length: 257 }, (_, i) => `f${i + 1}`);
  const functions = names.map((name, i) => tracedFunction(name, i + 1, 'u64 -> u64'));
  const k = bootKernel({ profile: '7.2', boot: 'default', functions });
  const { textPokes, syncIpis } = costOf(k, LOAD, link(...names));
  expect(textPokes).toBe(257 + 2 * INNER);
  expect(syncIpis).toBe(3 * 2 + 3 * 2 * INNER + 1);
});

test.each([
  ['6.1', 1 + 2 * INNER],
  ['6.12', 1 + INNER],
])(
  'the inner calls that call the list function already are poked again only by 6.1: %s',
  (profile, pokes) => {
    const k = booted(profile);
    costOf(k, { do: 'ftrace_ops', ops: 'ops#1', flags: 0, direct: false }, filterOn('ops#1', 'f1'), {
      do: 'register_ftrace_function',
      ops: 'ops#1',
    });
    expect(costOf(k, { do: 'unregister_ftrace_function', ops: 'ops#1' }).textPokes).toBe(pokes);
  },
);

test('a site below the last of its batch is poked in another', () => {
  const functions = [moduleFunction('f1', 1, 'u64 -> u64', 'm1'), tracedFunction('f2', 2, 'u64 -> u64')];
  const trace: Action[] = [
    { do: 'ftrace_ops', ops: 'ops#1', flags: 0, direct: false },
    { do: 'register_ftrace_function', ops: 'ops#1' },
  ];
  const k = bootKernel({ profile: '6.12', boot: 'default', functions });
  expect(costOf(structuredClone(k), ...trace).syncIpis).toBe(3 + 3 * INNER);
  // Loaded again, the records of the module come after those of the kernel.
  costOf(k, { do: 'delete_module', module: 'm1' }, { do: 'init_module', module: 'm1' });
  expect(costOf(k, ...trace).syncIpis).toBe(3 * 2 + 3 * INNER);
});

describe('a call', () => {
  const CALL = { do: 'call', fn: 'f1', registers: Array(6).fill(ZERO), stack: [] } as const;

  test('of a traced function costs an image more than that of another', () => {
    const profile = '6.12, multiLinks = one by one';
    const plain = costOfCall(booted(profile), CALL).cost;
    expect(plain.cFunctions).toEqual({ body_hook: 1 });
    const { cost } = costOfCall(attached(profile), CALL);
    expect(cost).toEqual({
      // The image has 25 instructions; a call stands where the nop stood.
      instructions: plain.instructions + 25,
      // An argument and rbx are restored; leave and ret.
      reads: plain.reads + 4,
      // rbp, rbx, the number of arguments, the argument, the cookie; and four return addresses.
      writes: plain.writes + 5 + 4,
      calls: plain.calls + 4,
      strayReturns: 0,
      bodies: plain.bodies,
      cFunctions: {
        body_hook: 1,
        __bpf_prog_enter_recur: 1,
        'prog#1': 1,
        __bpf_prog_exit_recur: 1,
      },
    });
  });

  test('has no part of the body in it where a program keeps the original from running', () => {
    const k = booted('7.2');
    const program = { ...plainProgram(1), kind: 'fmod_ret' as const };
    const load: Action = { ...LOAD, program, target: 'f1', returns: fromNumber(1) };
    costOf(k, load, link());
    const { cost } = costOfCall(k, CALL);
    expect(cost.bodies).toEqual({ instructions: 0, reads: 0, writes: 0, calls: 0, strayReturns: 0 });
    expect(costOfCall(booted('7.2'), CALL).cost.bodies.instructions).toBeGreaterThan(10);
  });

  test.each([
    ['6.12', 'an image that is called returns past the function', 1],
    ['7.2', 'an image that is entered by a jump returns to the caller of the function', 0],
  ])('of a function with an fexit program on %s: %s', (kernel, _, stray) => {
    const k = booted(kernel);
    const program = { ...plainProgram(1), kind: 'fexit' as const };
    costOf(k, { ...LOAD, program, target: 'f1' }, link());
    expect(costOfCall(k, CALL).cost.strayReturns).toBe(stray);
  });

  test('of a function with a kretprobe returns to the trampoline, and from there to the caller', () => {
    const k = booted('6.12');
    costOf(k, {
      do: 'register_kretprobe',
      kretprobe: 'kretprobe#1',
      ip: 'f1',
      maxactive: 0,
      entryHandler: false,
    });
    expect(costOfCall(k, CALL).cost.strayReturns).toBe(2);
  });

  test.each([
    ['fentry', 0],
    ['fexit', 2],
  ] as const)(
    'in which a function in C calls the image of an %s program returns to that function',
    (kind, stray) => {
      const k = booted('6.12, multiLinks = function graph');
      for (const prog of [1, 2]) {
        costOf(k, { ...LOAD, program: { ...plainProgram(prog), kind, multi: true } });
        costOf(k, { do: 'BPF_LINK_CREATE', link: `link#${prog}`, prog, targets: ['f1'] });
      }
      const { cost, call } = costOfCall(k, CALL);
      expect(call.events.map(({ who }) => who).sort()).toEqual(['f1', 'prog#1', 'prog#2']);
      expect(cost.strayReturns).toBe(stray);
    },
  );

  test('is the same call, counted or not', () => {
    const k = attached('7.2');
    const counted = costOfCall(k, CALL).call;
    const other = apply(k, CALL).call!;
    expect(counted).toEqual(other);
    expect(counted.events.map(({ who }) => who)).toEqual(['prog#1', 'f1']);
  });
});

test('what is counted is a step of the kernel', () => {
  const steps = new Set(KERNEL_PROGRAM.instructions.map(({ routine, id }) => `${routine}: ${id}`));
  expect(countedSteps().filter(({ routine, id }) => !steps.has(`${routine}: ${id}`))).toEqual([]);
});
