import type { CallRequest } from '../call/call-frame.ts';
import type { InKernel } from '../call/run-code.ts';
import type { FunctionName } from '../core/ids.ts';
import { linkProgram } from '../core/link.ts';
import { entry, item, present } from '../core/present.ts';
import type { KernelVersion } from '../core/profile.ts';
import { PROFILES } from '../core/profile.ts';
import { runner } from '../core/run.ts';
import { unreachable } from '../core/unreachable.ts';
import { innerCallOffset } from '../ftrace/entry/entry-code.ts';
import { hexText } from '../ftrace/entry/hex-text.ts';
import { nothingForbidden } from '../task/current.ts';
import type { CFunction } from '../text/cpu.ts';
import { allAtOnce } from '../text/cpu.ts';
import { addressOf, branchBytes } from '../text/space.ts';
import type { TextWorld } from '../text/text.ts';
import { allocatePage, branchAtSite, NOP5 } from '../text/text.ts';
import type { Signature, Type } from '../trampoline/signature.ts';
import { abiSlots } from '../trampoline/signature.ts';
import type { TracedFunction } from '../trampoline/traced-function.ts';
import { tracedFunction } from '../trampoline/traced-function.ts';
import { Assembler } from '../x86/assemble.ts';
import { RCX, RDI, RDX, RSI } from '../x86/register.ts';
import type { Word } from '../x86/word.ts';
import { fromBigInt, plus, toHex } from '../x86/word.ts';

/**
 * Hand-made states for the tests of calls, functions to call, and what they must return, computed a second time.
 */
export const FUNCTIONS: readonly TracedFunction[] = [
  tracedFunction('f0', 0, '-> u64'),
  tracedFunction('f1', 1, 'u64 -> u64'),
  tracedFunction('f2', 2, 'u64 x2 -> u64'),
  tracedFunction('f6', 6, 'u64 x6 -> u64'),
  tracedFunction('f14', 14, 'u64 x14 -> u64'),
  tracedFunction('m10', 19, 'u32, u64, s8, s16, s32, u64, s8, s16, s32, u8 -> s64'),
  tracedFunction('s8', 24, 'u64 x5, s16b, u64 -> u64'),
  tracedFunction('s24', 26, 'u64, s24b, u64 -> u64'),
  tracedFunction('s12b', 27, 'u8, s12b -> u64'),
  tracedFunction('i128', 37, 'u64 x5, u128, u64 x2, u128 -> u64'),
  tracedFunction('v3', 30, 'u64 x3 -> void'),
  tracedFunction('r8', 32, 'u64 x2 -> u8'),
  tracedFunction('rb', 35, 'u64 -> bool'),
  tracedFunction('rs16', 36, 'u64 -> s16b'),
  tracedFunction('ca', 38, 'u64 x3 -> u64'),
  tracedFunction('cb', 39, 'u64 x2 -> u64'),
  tracedFunction('rec', 40, 'u64 -> u64'),
];

export function functionNamed(name: string): TracedFunction {
  return present(
    FUNCTIONS.find((fn) => fn.name === name),
    name,
  );
}

/** A state in which nothing is traced. */
export function worldOf(kernel: KernelVersion): TextWorld {
  const names = FUNCTIONS.map(({ name }) => name);
  const k: TextWorld = {
    profile: kernel,
    locks: {},
    current: nothingForbidden(),
    warnings: [],
    fault: null,
    deferred: [],
    text: {
      modules: {},
      sites: Object.fromEntries(names.map((name) => [name, NOP5])),
      probed: {},
      inner: {},
      pages: {},
      halves: {},
      functions: Object.fromEntries(names.map((name, order) => [name, order])),
      stubs: [],
      siteOffset: PROFILES[kernel].ibt ? 4 : 0,
      pokes: {},
      poke: null,
      inInt3: 0,
      pagesUsed: 0,
      views: [],
    },
  };
  setHandler(k, 'ftrace_stub');
  return k;
}

/** Points both inner calls at a handler. */
export function setHandler(k: TextWorld, handler: string): void {
  for (const [name, entry] of [
    ['ftrace_call', 'ftrace_caller'],
    ['ftrace_regs_call', 'ftrace_regs_caller'],
  ] as const) {
    const from = plus(addressOf(k, entry), innerCallOffset(entry));
    k.text.inner[name] = branchBytes('e8', from, addressOf(k, handler));
  }
}

/** Points a call site at a symbol. */
export function patch(k: TextWorld, fn: FunctionName, to: string, opcode: 'e8' | 'e9' = 'e8'): void {
  k.text.sites[fn] = branchAtSite(k, fn, opcode, to);
}

/** Puts code on a page of its own. It may refer to symbols, and to places after them: `f2+0x9`. */
export function withCode(k: TextWorld, page: string, write: (a: Assembler) => void): void {
  allocatePage(k, page, '');
  const a = new Assembler(addressOf(k, page), (symbol) => {
    const [name = '', offset = '0'] = symbol.split('+');
    return plus(addressOf(k, name), Number(offset));
  });
  write(a);
  entry(k.text.pages, page).bytes = hexText(a.finish().bytes);
}

/** Functions in C by name, for tests: all are done at once. */
export type Hooks = Readonly<Record<string, CFunction<TextWorld>>>;

/** A kernel in which text calls these functions in C. */
export function withHooks(hooks: Hooks): InKernel<TextWorld> {
  return { cFunctions: allAtOnce(hooks), run: runner(linkProgram({ routines: [], upcalls: {} })) };
}

/** Functions in C that only say that they were there. */
export const HOOKS: Hooks = {
  ftrace_stub: () => {},
  body_hook: (_, { register, read, events }) => {
    const { name } = item(FUNCTIONS, register(RDI).lo);
    const args = Array.from({ length: register(RDX).lo }, (__, i) => toHex(read(plus(register(RSI), 8 * i))));
    events.push({ kind: 'body', who: name, fn: name, args, ret: toHex(register(RCX)) });
  },
  replacement_hook: (_, { events }) => {
    events.push({ kind: 'replacement', who: 'replacement', fn: '' });
  },
};

/** Words with something in every byte: an argument that is narrow has garbage before it. */
export function words(count: number, seed = 1): bigint[] {
  return Array.from({ length: count }, (_, i) =>
    BigInt.asUintN(64, 0x9e3779b97f4a7c15n * BigInt(seed * 100 + i + 1)),
  );
}

/** A call that passes one word for each slot of the function's signature. */
export function requestOf(fn: FunctionName, values: readonly bigint[]): CallRequest {
  const registers: Word[] = words(6, 7).map(fromBigInt);
  const stack: Word[] = [];
  abiSlots(functionNamed(fn).signature).forEach(({ place }, i) => {
    (place.in === 'register' ? registers : stack)[place.index] = fromBigInt(item(values, i));
  });
  for (let i = 0; i < stack.length; i++) stack[i] ??= fromBigInt(0n);
  return { fn, registers, stack };
}

const mask = (value: bigint) => BigInt.asUintN(64, value);

/** The words as a function of these types sees them. */
export function narrowed(signature: Signature, values: readonly bigint[]): bigint[] {
  return abiSlots(signature).map(({ argument, bytes }, i) =>
    narrowedTo(item(signature.args, argument), bytes, item(values, i)),
  );
}

function narrowedTo({ struct, signed }: Type, bytes: number, value: bigint): bigint {
  if (struct || bytes === 8) return value;
  return signed ? mask(BigInt.asIntN(8 * bytes, value)) : BigInt.asUintN(8 * bytes, value);
}

export function hashOf({ id, signature }: TracedFunction, values: readonly bigint[]): bigint {
  return narrowed(signature, values).reduce(
    (h, value, i) => mask((mask((h << 7n) | (h >> 57n)) ^ value) * 0x100000001b3n + BigInt(i + 1)),
    BigInt(0x1000 + id),
  );
}

/** What a function returns in `rax`, its own calls included. */
export function returnOf(name: string, values: readonly bigint[]): bigint {
  const fn = functionNamed(name);
  const h = hashOf(fn, values);
  const [a = 0n, b = 0n, c = 0n] = values;
  switch (fn.nesting) {
    case 'ca':
      return h ^ returnOf('cb', [a, b]) ^ returnOf('f2', [c, h]);
    case 'cb':
      return mask(h + returnOf('f1', [mask(a + b)]));
    case 'rec':
      return a >= 1n && a <= 7n ? mask(h + returnOf('rec', [a - 1n])) : h;
    case 'device':
    case 'dispatcher':
    case 'none':
      if (fn.signature.ret.name === 'bool') return h & 1n;
      return fn.signature.ret.size === 0 ? 0n : h;
    default:
      return unreachable(fn.nesting);
  }
}

export const hex = (value: bigint): string => `0x${value.toString(16)}`;
