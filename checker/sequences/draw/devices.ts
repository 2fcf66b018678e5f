import fc from 'fast-check';
import { xdpLoad } from '../../../model/client/bpf-prog-load.ts';
import { DISPATCHER_FUNC } from '../../../model/dispatcher/dispatcher.ts';
import type { TracedFunction } from '../../../model/trampoline/traced-function.ts';
import { tracedFunction } from '../../../model/trampoline/traced-function.ts';
import { fromNumber } from '../../../model/x86/word.ts';
import type { Weighed } from './weighed.ts';
import { weighed } from './weighed.ts';

/*
 * Devices that run XDP programs, and the function of their dispatcher, which clients may trace as any other.
 */

/** Devices that sequences are drawn for, with the dispatcher's function after them. */
export function devices(count: number): readonly TracedFunction[] {
  const received = Array.from({ length: count }, (_, n) => tracedFunction(`eth${n}`, n + 1, 'u64 -> u64'));
  return [...received, tracedFunction(DISPATCHER_FUNC, count + 1, 'ptr x3 -> u32')];
}

/** Those that receive packets. */
export function devicesAmong(functions: readonly TracedFunction[]): readonly TracedFunction[] {
  return functions.filter(({ nesting }) => nesting === 'device');
}

/** Functions that a task calls by itself; the dispatcher's has the address of a program as its argument. */
export function calledByTasks(functions: readonly TracedFunction[]): readonly TracedFunction[] {
  return functions.filter(({ nesting }) => nesting !== 'dispatcher');
}

/** Numbers of XDP programs: no tracing program has them. */
const XDP_PROG = fc.integer({ min: 21, max: 24 });
const XDP_DROP = fromNumber(1);

/** An XDP program, which lets its packets pass or drops them. */
export function xdpLoads(functions: readonly TracedFunction[]): Weighed[] {
  if (devicesAmong(functions).length === 0) return [];
  const loads = fc
    .tuple(XDP_PROG, fc.boolean())
    .map(([id, drops]) => ({ ...xdpLoad(id), ...(drops ? { returns: XDP_DROP } : {}) }));
  return [weighed(16, loads)];
}

/** A device gets a program, in three cases of four an XDP program, or loses its own. */
export function xdpChanges(functions: readonly TracedFunction[]): Weighed[] {
  const among = devicesAmong(functions);
  if (among.length === 0) return [];
  const progs = fc.oneof(
    { weight: 14, arbitrary: XDP_PROG },
    { weight: 1, arbitrary: fc.integer({ min: 1, max: 4 }) },
    { weight: 5, arbitrary: fc.constant(0) },
  );
  const changes = fc
    .tuple(fc.constantFrom(...among.map(({ name }) => name)), progs)
    .map(([dev, prog]) => ({ do: 'dev_change_xdp_fd', dev, prog }) as const);
  return [weighed(40, changes)];
}

/** An XDP program is closed; its devices hold it still. */
export function xdpCloses(functions: readonly TracedFunction[]): Weighed[] {
  if (devicesAmong(functions).length === 0) return [];
  return [
    weighed(
      2,
      XDP_PROG.map((prog) => ({ do: 'close(prog)', prog })),
    ),
  ];
}
