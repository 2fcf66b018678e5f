import type { FunctionName } from '../core/ids.ts';
import { InputError } from '../core/input-error.ts';
import { present } from '../core/present.ts';
import type { Module } from '../text/module.ts';
import type { Listing } from './listing.ts';
import { isAnyLsmHook, listingNamed } from './listing.ts';
import type { Signature, Type } from './signature.ts';
import { parseSignature, printSignature } from './signature.ts';

/*
 * Traced functions: a signature, a body that mixes the arguments into a hash, and the calls that it makes. They
 * are plain text in the state (`spellFunction()`), and parsed when they are needed.
 */

/** A function that is there to be traced: what it does is mix its arguments, so that any change of one shows. */
export interface TracedFunction {
  readonly name: string;
  /** A number that enters its hash: two functions return different values for the same arguments. */
  readonly id: number;
  readonly signature: Signature;
  readonly nesting: Nesting;
  /** A loaded BPF program, whose call site ftrace does not know. */
  readonly bpf: boolean;
  /** The module that it is in; empty: the kernel itself. */
  readonly module: string;
  /** `__noreturn`: the task that calls it ends in it (`do_exit()`). */
  readonly noreturn: boolean;
  /** The list of the verifier that it is on. */
  readonly listing: Listing;
}

/**
 * Calls that a function makes when its own hash is complete:
 *
 * ```text
 *   ca    h ^= cb(a1, a2) ^ f2(a3, h)
 *   cb    h += f1(a1 + a2)
 *   rec   h += rec(a1 - 1)    if a1 is 1 … 7
 *   eth0  h += bpf_dispatcher_xdp_func(a1, insns, program)    if the device has a program
 * ```
 *
 * `bpf_dispatcher_xdp_func` ends in a jump to its third argument: its result is that of the program.
 */
export type Nesting = 'none' | 'ca' | 'cb' | 'rec' | 'device' | 'dispatcher';

/** The functions of each nesting, by their names. */
const NESTINGS: Readonly<Record<Exclude<Nesting, 'none'>, RegExp>> = {
  ca: /^ca$/,
  cb: /^cb$/,
  rec: /^rec$/,
  device: /^eth[0-9]$/,
  dispatcher: /^bpf_dispatcher_xdp_func$/,
};

/** The names of functions that a body of each nesting calls. */
const CALLEES: Readonly<Record<Nesting, readonly string[]>> = {
  none: [],
  ca: ['cb', 'f2'],
  cb: ['f1'],
  rec: ['rec'],
  device: ['bpf_dispatcher_xdp_func'],
  dispatcher: [],
};

/** Whether one of the functions calls another by its name, and so depends on its signature. */
export function isCalledBy(functions: readonly TracedFunction[], name: string): boolean {
  return functions.some(({ nesting }) => CALLEES[nesting].includes(name));
}

/** Kernels with more functions look up the reachable ones. */
const FEW = 32;

/** The functions of a state that a call of one of them can reach, in order; all of them, if they are few. */
export function functionsWithin(
  functions: Readonly<Record<string, string>>,
  fn: FunctionName,
): TracedFunction[] {
  const names = Object.keys(functions);
  const reach = names.length <= FEW ? undefined : reachOf(functions, fn);
  const within = reach === undefined ? names : names.filter((name) => reach.has(name));
  return within.map((name) => knownFunction(functions, name));
}

/** The names of a function and of all that a call of it can reach. */
export function reachOf(functions: Readonly<Record<string, string>>, fn: FunctionName): ReadonlySet<string> {
  const reach = new Set([fn]);
  for (const name of reach)
    for (const callee of CALLEES[functionNamed(functions, name)?.nesting ?? 'none']) reach.add(callee);
  return reach;
}

/** A function, and all that it calls. */
export function calledFrom(functions: readonly TracedFunction[], name: string): string[] {
  const found = new Set([name]);
  for (const name of found)
    for (const callee of CALLEES[functions.find((fn) => fn.name === name)?.nesting ?? 'none'])
      found.add(callee);
  return [...found];
}

/** A function from its signature as text (`u64 x2 -> u64`). The nesting ones have reserved names. */
export function tracedFunction(name: string, id: number, signature: string): TracedFunction {
  return {
    name,
    id,
    signature: parseSignature(signature),
    nesting: nestingOf(name),
    bpf: false,
    module: '',
    noreturn: false,
    listing: 'traced',
  };
}

/** A function in a module, which can be unloaded. It calls no others. */
export function moduleFunction(name: string, id: number, signature: string, module: string): TracedFunction {
  const made = tracedFunction(name, id, signature);
  if (made.nesting !== 'none') throw new InputError(`${name} calls others, and cannot be in a module`);
  return { ...made, module };
}

/** The same function as one that does not return. It calls no others, and no others call it. */
export function noreturnFunction(fn: TracedFunction): TracedFunction {
  if (fn.nesting !== 'none') throw new InputError(`${fn.name} calls others, and cannot be noreturn`);
  if (fn.bpf) throw new InputError(`${fn.name} is a BPF program, and cannot be noreturn`);
  return { ...fn, noreturn: true };
}

/** The same function on another list of the verifier. BPF programs are on none; hooks are the kernel's own. */
export function listedFunction(fn: TracedFunction, listing: Listing): TracedFunction {
  if (fn.bpf) throw new InputError(`${fn.name} is a BPF program, and cannot be ${listing}`);
  if (fn.module !== '' && isAnyLsmHook(listing))
    throw new InputError(`${fn.name} is in a module, and cannot be a hook of BPF LSM`);
  return { ...fn, listing };
}

/** The functions of a kernel in its state, by name; a function that others call has to return. */
export function functionsAtBoot(functions: readonly TracedFunction[]): Record<string, string> {
  const called = functions.find(({ name, noreturn }) => noreturn && isCalledBy(functions, name));
  if (called !== undefined)
    throw new InputError(`${called.name} is called by another function, and cannot be noreturn`);
  return Object.fromEntries(functions.map((fn) => [fn.name, spellFunction(fn)]));
}

/** The modules that functions are in: all of them are loaded. */
export function modulesAtBoot(functions: readonly TracedFunction[]): Record<string, Module> {
  const names = new Set(functions.flatMap(({ module }) => (module === '' ? [] : [module])));
  return Object.fromEntries(
    [...names].sort().map((name) => {
      const inside = functions.filter(({ module }) => module === name).map((fn) => fn.name);
      const called = inside.find((fn) => isCalledBy(functions, fn));
      if (called !== undefined)
        throw new InputError(`${called} is called by another function, and cannot be in a module`);
      return [name, { functions: inside, live: true, refcnt: 0, unloads: 0 }];
    }),
  );
}

/** Arguments of a BPF function, which are in the first five argument registers of the machine. */
const BPF_ARGS_MAX = 5;

/** A BPF program that others may be attached to: up to five words, and one is returned. It calls no others. */
export function targetProgram(name: string, id: number, signature: string): TracedFunction {
  if (!fitsBpf(parseSignature(signature)))
    throw new InputError(`a BPF program is not declared as "${signature}"`);
  return { ...tracedFunction(name, id, signature), nesting: 'none', bpf: true };
}

/** Scalars of up to eight bytes only. */
function fitsBpf({ args, ret }: Signature): boolean {
  const isWord = ({ size, struct }: Type) => size > 0 && size <= 8 && !struct;
  return args.length <= BPF_ARGS_MAX && args.every(isWord) && isWord(ret);
}

/**
 * `2: u64 x2 -> u64`, `3 bpf: u64 -> u64`, `4 [m1]: u64 -> u64`, `5 noreturn: u64 -> void`, `6 syscall: ptr -> s64`:
 * a function as the kernel state has it, where everything is plain data.
 */
export function spellFunction(fn: TracedFunction): string {
  const marks = [...(fn.bpf ? ['bpf'] : []), ...(fn.module === '' ? [] : [`[${fn.module}]`])];
  return `${[fn.id, ...marks, ...wordsAfter(fn)].join(' ')}: ${printSignature(fn.signature)}`;
}

/** The words after the declaration of a function. */
export function wordsAfter({ noreturn, listing }: TracedFunction): string[] {
  return [...(noreturn ? ['noreturn'] : []), ...(listing === 'traced' ? [] : [listing])];
}

/** The same function with the words after its declaration. */
export function withWordsAfter(fn: TracedFunction, words: readonly string[]): TracedFunction {
  const made = words.includes('noreturn') ? noreturnFunction(fn) : fn;
  const listing = words.map(listingNamed).find((found) => found !== undefined);
  return listing === undefined ? made : listedFunction(made, listing);
}

/** A function that states name, as it was spelled there last, and its other spellings. */
interface KnownFunction {
  readonly text: string;
  readonly made: TracedFunction;
  readonly others: Map<string, TracedFunction> | undefined;
}

/** The functions that states name, cached: parsing one is slow. */
const KNOWN = new Map<string, KnownFunction>();

/** The function of a name that is known to exist. */
export function knownFunction(functions: Readonly<Record<string, string>>, name: string): TracedFunction {
  return present(functionNamed(functions, name), name);
}

/** The function of a name in a state; undefined when there is none. */
export function functionNamed(
  functions: Readonly<Record<string, string>>,
  name: string,
): TracedFunction | undefined {
  const text = functions[name];
  if (text === undefined) return undefined;
  const known = KNOWN.get(name);
  if (known?.text === text) return known.made;
  const made = known?.others?.get(text) ?? parseFunction(name, text);
  KNOWN.set(name, { text, made, others: known === undefined ? undefined : withSpelling(known) });
  return made;
}

/** All other spellings, with one that was the last so far. */
function withSpelling({ text, made, others = new Map() }: KnownFunction): Map<string, TracedFunction> {
  return others.set(text, made);
}

function parseFunction(name: string, text: string): TracedFunction {
  const [who = '', signature = ''] = text.split(': ');
  return readFunction(name, who.split(' '), signature);
}

function readFunction(name: string, [id, ...marks]: readonly string[], signature: string): TracedFunction {
  const number = Number(id);
  if (marks.includes('bpf')) return targetProgram(name, number, signature);
  const module = marks.find((mark) => mark.startsWith('['))?.slice(1, -1);
  const made =
    module === undefined
      ? tracedFunction(name, number, signature)
      : moduleFunction(name, number, signature, module);
  return withWordsAfter(made, marks);
}

export function nestingOf(name: string): Nesting {
  const nestings = Object.keys(NESTINGS) as (keyof typeof NESTINGS)[];
  return nestings.find((nesting) => NESTINGS[nesting].test(name)) ?? 'none';
}
