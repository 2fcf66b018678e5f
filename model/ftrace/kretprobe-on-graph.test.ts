import { describe, expect, test } from 'vitest';
import { runCall } from '../call/call.ts';
import type { KernelProgram } from '../call/kernel-program.ts';
import type { ActionOf } from '../client/all.ts';
import { profileNamed } from '../core/profile.ts';
import { costOfCall } from '../cost/call-cost.ts';
import type { Kernel } from '../kernel.ts';
import { apply, KERNEL_PROGRAM } from '../step.ts';
import { Rig } from '../testing/attach-rig.ts';
import type { Cpu } from '../text/cpu.ts';
import { functionNamed, tracedFunction } from '../trampoline/traced-function.ts';
import { R12, R15, RBX, RCX, RDI } from '../x86/register.ts';
import { fromNumber, plus, toHex } from '../x86/word.ts';
import { PT_REGS } from './entry/frame.ts';

const F2 = tracedFunction('f2', 1, 'u64 x2 -> u64');
const REC = tracedFunction('rec', 2, 'u64 -> u64');

const MERGED = ['6.12, kretprobe = ret_stack', '7.2, kretprobe = ret_stack'];

function rig(profile: string): Rig {
  return new Rig(profile, [F2, REC]);
}

function kretprobe(rig: Rig, ip: string, n = 1, maxactive = 0) {
  const name = `kretprobe#${n}`;
  expect(rig.answer({ do: 'register_kretprobe', kretprobe: name, ip, maxactive, entryHandler: true })).toBe(
    0,
  );
}

function graph(rig: Rig, n = 1) {
  expect(rig.answer({ do: 'register_ftrace_graph', gops: `gops#${n}` })).toBe(0);
}

function callOf(fn: string, first = 2): ActionOf<'call'> {
  return { do: 'call', fn, registers: [first, 0, 0, 0, 0, 0].map(fromNumber), stack: [] };
}

/** What a call shows, three calls deep for `rec`. */
function seen(rig: Rig, fn: string): string[] {
  const { call } = apply(rig.k, callOf(fn));
  expect(call!.fault).toBeUndefined();
  return call!.events.map(({ kind, who }) => (kind === 'body' ? 'body' : `${who} ${kind.split(' ').at(-1)}`));
}

function count(events: readonly string[], what: string): number {
  return events.filter((event) => event === what).length;
}

/** Makes a call in which a function in C does something besides. */
function callWith(k: Kernel, name: string, besides: (k: Kernel, cpu: Cpu) => void) {
  const known = KERNEL_PROGRAM.cFunctions[name]!;
  const instead = {
    atOnce: (state: Kernel, cpu: Cpu, number: number) => {
      besides(state, cpu);
      if ('atOnce' in known) known.atOnce(state, cpu, number);
      else KERNEL_PROGRAM.run(state, known.routine, known.give(state, cpu, number));
    },
  };
  const program: KernelProgram = {
    ...KERNEL_PROGRAM,
    cFunctions: { ...KERNEL_PROGRAM.cFunctions, [name]: instead },
  };
  return runCall(
    k,
    [functionNamed(k.functions, 'f2')!, functionNamed(k.functions, 'rec')!],
    callOf('f2'),
    program,
  );
}

describe.each(MERGED)('%s', (profile) => {
  const { kernel } = profileNamed(profile);

  test('one frame and one trampoline serve all that follow a call, where each kind has its own in the kernels', () => {
    const trampolines = [kernel, profile].map((name) => {
      const { k, ...own } = attached(name);
      expect(own.events).toEqual([
        'kretprobe#1 entry',
        'gops#1 entry',
        'body',
        'gops#1 exit',
        'kretprobe#1 kretprobe',
      ]);
      const { cFunctions } = costOfCall(k, callOf('f2')).cost;
      return [
        cFunctions['ftrace_return_to_handler'] ?? 0,
        cFunctions['arch_rethook_trampoline_callback'] ?? 0,
      ];
    });
    expect(trampolines).toEqual([
      [1, 1],
      [1, 0],
    ]);
  });

  test('a user that saw the entry later sees the return earlier, as before', () => {
    for (const fixture of [kernel, profile].map(rig)) {
      kretprobe(fixture, 'f2');
      graph(fixture);
      expect(seen(fixture, 'f2')).toEqual([
        'gops#1 entry',
        'kretprobe#1 entry',
        'body',
        'kretprobe#1 kretprobe',
        'gops#1 exit',
      ]);
    }
  });

  test('there is no pool that could be empty', () => {
    const returns = [kernel, profile].map((name) => {
      const fixture = rig(name);
      kretprobe(fixture, 'rec', 1, 1);
      const events = seen(fixture, 'rec');
      return [count(events, 'kretprobe#1 kretprobe'), fixture.k.probes.kretprobes['kretprobe#1']!.nmissed];
    });
    expect(returns).toEqual([
      [1, 2],
      [3, 0],
    ]);
  });

  test('the shadow stack can be full, for kretprobes as for function graph: each miss is counted', () => {
    const small = `shadowStackWords = ${kernel === '6.12' ? 40 : 37}`;
    const returns = [`${kernel}, ${small}`, `${profile}, ${small}`].map((name) => {
      const fixture = rig(name);
      kretprobe(fixture, 'rec');
      const events = seen(fixture, 'rec');
      return [count(events, 'kretprobe#1 kretprobe'), fixture.k.probes.kretprobes['kretprobe#1']!.nmissed];
    });
    expect(returns).toEqual([
      [3, 0],
      [2, 1],
    ]);
  });

  test('a kretprobe takes space from function graph', () => {
    const small = `shadowStackWords = ${kernel === '6.12' ? 41 : 33}`;
    const followed = [`${kernel}, ${small}`, `${profile}, ${small}`].map((name) => {
      const fixture = rig(name);
      kretprobe(fixture, 'rec');
      graph(fixture);
      return count(seen(fixture, 'rec'), 'gops#1 exit');
    });
    expect(followed).toEqual([3, 2]);
  });

  test('handlers at the return get all registers, which function graph pays for too', () => {
    const fixture = rig(profile);
    kretprobe(fixture, 'f2');
    let compared = 0;
    callWith(fixture.k, 'ftrace_return_to_handler', (_, cpu) => {
      const frame = cpu.register(RDI);
      for (const [reg, index] of [
        [RBX, PT_REGS.RBX],
        [R12, PT_REGS.R12],
        [R15, PT_REGS.R15],
        [RCX, PT_REGS.RCX],
      ] as const) {
        expect(toHex(cpu.read(plus(frame, index)))).toBe(toHex(cpu.register(reg)));
        compared++;
      }
    });
    expect(compared).toBe(4);
    const costs = [kernel, profile].map((name) => {
      const other = rig(name);
      graph(other);
      return costOfCall(other.k, callOf('f2')).cost.instructions;
    });
    expect(costs[1]! - costs[0]!).toBe(84 - 46);
  });

  test('a kretprobe that is unregistered during a call is not called, and is freed with the last frame', () => {
    const fixture = rig(profile);
    kretprobe(fixture, 'f2');
    const run = callWith(fixture.k, 'body_hook', (k) => {
      expect(apply(k, { do: 'unregister_kretprobe', kretprobe: 'kretprobe#1' }).died).toBeUndefined();
      expect(k.probes.rethooks['kretprobe#1']).toMatchObject({ free: -1, max: 0, handler: false });
    });
    expect(run.events.map(({ kind }) => kind)).toEqual(['kretprobe entry', 'body']);
    expect(run.fault).toBeUndefined();
    expect(fixture.k.fgraph.retStack).toEqual([]);
    fixture.answer({ do: 'settle' });
    expect(fixture.k.probes.rethooks).toEqual({});
  });

  test('a tracer that has stopped itself stops kretprobes as well, which count it', () => {
    const fixture = rig(profile);
    kretprobe(fixture, 'f2');
    fixture.k.fgraph.stopped = true;
    expect(seen(fixture, 'f2')).toEqual(['body']);
    expect(fixture.k.probes.kretprobes['kretprobe#1']!.nmissed).toBe(1);
    const before = rig(kernel);
    kretprobe(before, 'f2');
    before.k.fgraph.stopped = true;
    expect(seen(before, 'f2')).toEqual(['kretprobe#1 entry', 'body', 'kretprobe#1 kretprobe']);
  });

  test('the first kretprobe needs shadow stacks for all tasks', () => {
    const fixture = rig(profile);
    const where = 'register_kretprobe';
    fixture.answer({ do: 'fail', fault: { what: 'allocation', where } });
    const first = {
      do: where,
      kretprobe: 'kretprobe#1',
      ip: 'f2',
      maxactive: 0,
      entryHandler: false,
    } as const;
    expect(fixture.answer(first)).toBe('ENOMEM');
    expect(fixture.k.probes.rethooks).toEqual({});
    expect(fixture.answer(first)).toBe(0);
  });
});

/** A kretprobe that is entered before function graph, whose ops is the older one, and what a call shows then. */
function attached(profile: string) {
  const fixture = rig(profile);
  graph(fixture);
  kretprobe(fixture, 'f2');
  return { k: fixture.k, events: seen(fixture, 'f2') };
}

test('where function graph has one user, kretprobes keep no returns on its stack', () => {
  expect(() => profileNamed('6.1, kretprobe = ret_stack')).toThrow(
    'kretprobe = ret_stack: only where fgraph = multi',
  );
});
