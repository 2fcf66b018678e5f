import { ENGINE_MODULE } from './engine-module.ts';
import { executeSlowly, followNext, rowFor, standAt } from './link.ts';
import type { Engine, Machine, Stop } from './machine.ts';
import { PARAMETERS_AT, writeHeader } from './machine.ts';
import { PARAMETER } from './shared.ts';

/** What the compiled loop leaves to be done, and to be resumed after. */
export const REST = {
  /** No instruction is left. */
  BUDGET: 0,
  /** The row has a breakpoint. */
  BREAKPOINT: 1,
  /** The row's instruction, which has been counted. */
  GENERIC: 2,
  /** The row after one that has been executed. */
  NEXT: 3,
  /** The row of the first instruction. */
  ENTRY: 4,
} as const;

/** The exports of the module, for one machine. The first two execute, and return what is left to be done. */
interface CompiledLoop {
  /** From an address on, with a budget of instructions. */
  readonly run: (hi: number, lo: number, left: number) => number;
  /** From a row on. */
  readonly resume: (row: number, left: number) => number;
  readonly decode: Engine['decode'];
  readonly forget: Engine['forget'];
}

/** The part of WebAssembly that is used here. */
interface WebAssemblyApi {
  readonly Module: new (bytes: Uint8Array) => object;
  readonly Memory: new (limits: { initial: number; maximum: number }) => { readonly buffer: ArrayBuffer };
  readonly Instance: new (
    module: object,
    imports: { env: { memory: object } },
  ) => { readonly exports: unknown };
}

/** Bytes of a page of WebAssembly's memory. */
const PAGE_BYTES = 65_536;

/**
 * An arena of this many numbers, and the compiled loop that works on it if one is `wanted`. There is none where WebAssembly
 * is missing, or where the module was left out, as in a page. Each machine has its own memory and instance, which are
 * collected with it; the module is compiled once.
 */
export function startEngine(
  numbers: number,
  wanted: boolean,
): { readonly arena: Int32Array; readonly engine: Engine | undefined } {
  const { WebAssembly: api } = globalThis as { readonly WebAssembly?: WebAssemblyApi };
  if (!wanted || api === undefined || ENGINE_MODULE === '')
    return { arena: new Int32Array(numbers), engine: undefined };
  compiled ??= new api.Module(Uint8Array.from(atob(ENGINE_MODULE), (character) => character.charCodeAt(0)));
  const pages = Math.ceil((numbers * 4) / PAGE_BYTES);
  const memory = new api.Memory({ initial: pages, maximum: pages });
  const loop = new api.Instance(compiled, { env: { memory } }).exports as CompiledLoop;
  const { decode, forget } = loop;
  const engine = { run: (m: Machine, budget: number) => runCompiled(m, loop, budget | 0), decode, forget };
  return { arena: new Int32Array(memory.buffer, 0, numbers), engine };
}

let compiled: object | undefined;

/**
 * The loop executes, decodes and links all that has a short form. For anything else it returns: the generic execution is
 * called here, where it may throw, and the loop is entered again.
 */
function runCompiled(m: Machine, loop: CompiledLoop, budget: number): Stop {
  const { arena } = m;
  m.stop = undefined;
  if (m.regionsMove) for (const region of m.regions) writeHeader(arena, region);
  arena[PARAMETERS_AT + PARAMETER.STRICT] = m.strict ? 1 : 0;
  arena[PARAMETERS_AT + PARAMETER.CONTROL_GROUPS] = m.controlGroups;
  let rest = loop.run(m.rip.hi, m.rip.lo, budget);
  let left = budget;
  for (;;) {
    const k = arena[PARAMETERS_AT + PARAMETER.ROW]!;
    left = arena[PARAMETERS_AT + PARAMETER.LEFT]!;
    const next = rowAfter(m, rest, k);
    if (next === 0) break;
    rest = loop.resume(next, left);
  }
  m.steps += budget - left;
  return m.stop!;
}

/** Does what the loop has left, and returns the row to resume at; 0 when the run ends. */
function rowAfter(m: Machine, rest: number, k: number): number {
  switch (rest) {
    case REST.GENERIC:
      return executeSlowly(m, k);
    case REST.NEXT:
      return followNext(m, k);
    case REST.ENTRY:
      return rowFor(m, m.rip.hi, m.rip.lo);
    default:
      standAt(m, k);
      m.stop = { kind: rest === REST.BUDGET ? 'budget' : 'breakpoint', at: { ...m.rip } };
      return 0;
  }
}
