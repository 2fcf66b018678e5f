import type { ActionOf } from '../../model/client/all.ts';
import type { PromisedClient, Promises } from '../../model/contract/promises.ts';
import { clientsOf } from '../../model/contract/promises.ts';
import type { FunctionName } from '../../model/core/ids.ts';
import { item } from '../../model/core/present.ts';
import { unreachable } from '../../model/core/unreachable.ts';
import { DISPATCHER_FUNC } from '../../model/dispatcher/dispatcher.ts';
import { xdpArguments } from '../../model/dispatcher/run.ts';
import { REPLACEMENT_RETURN } from '../../model/ftrace/entry/clients.ts';
import type { KernelView } from '../../model/kernel.ts';
import type { Signature } from '../../model/trampoline/signature.ts';
import { abiSlots } from '../../model/trampoline/signature.ts';
import type { TracedFunction } from '../../model/trampoline/traced-function.ts';
import { knownFunction } from '../../model/trampoline/traced-function.ts';
import type { Word } from '../../model/x86/word.ts';
import { toBigInt } from '../../model/x86/word.ts';
import type { TakenChoice } from './taken-choices.ts';
import { following } from './taken-choices.ts';

/** One call of a traced function, as every attached client has to see it. Words are hexadecimal. */
export interface ExpectedCall {
  readonly fn: FunctionName;
  readonly signature: Signature;
  /** The argument words as passed, in declaration order. */
  readonly words: readonly string[];
  /** The argument registers that the call uses. */
  readonly registers: readonly string[];
  /** The arguments narrowed to their types, as the body sees them, and their hash. */
  readonly narrowed: readonly string[];
  readonly hash: string;
  /**
   * What runs: the body, a live patch's replacement, a BPF program's extension, or nothing, if a program stopped the
   * call.
   */
  readonly runs: 'body' | 'replacement' | 'extension' | 'nothing';
  /** The caller's return value; undefined for a `void` function, which leaves anything in rax. */
  readonly returns: string | undefined;
  /** The calls that its body makes, in order. */
  readonly calls: readonly ExpectedCall[];
  /** The attached clients, oldest first. */
  readonly clients: readonly PromisedClient[];
}

const PRIME = 0x100000001b3n;

const word = (value: bigint) => BigInt.asUintN(64, value);
const hex = (value: bigint) => `0x${word(value).toString(16)}`;
const rotate = (value: bigint, by: bigint) => word(value << by) | (value >> (64n - by));

/**
 * The clients that a call of a function finds, oldest first: those at its entry, and the XDP program of a device, which its
 * body looks up.
 */
type Attached = (fn: FunctionName, where: 'entry' | 'body') => readonly PromisedClient[];

function clientsAt(promises: Promises, fn: FunctionName, where: 'entry' | 'body'): PromisedClient[] {
  return clientsOf(promises, fn).filter(({ kind }) => (kind === 'xdp') === (where === 'body'));
}

/** What a call has to show, derived from the clients' contracts and from what the traced functions compute. */
export function expectedCall(k: KernelView, promises: Promises, action: ActionOf<'call'>): ExpectedCall {
  return expectedOf(k, (fn, where) => clientsAt(promises, fn, where), action);
}

/**
 * What a call that overlaps operations may show: its entry, the program that its body looks up, and each call that its body
 * makes find one of the worlds, independently. The order of the worlds is open, since sites change one after the other.
 */
export function possibleCalls(
  k: KernelView,
  worlds: readonly Promises[],
  action: ActionOf<'call'>,
): ExpectedCall[] {
  const found: ExpectedCall[] = [];
  const choicesAt = (where: 'entry' | 'body') =>
    remembered((fn) => distinct(worlds.map((world) => clientsAt(world, fn, where))));
  const choices = { entry: choicesAt('entry'), body: choicesAt('body') };
  /** For each call, in order of their beginnings, the choices taken and the number of choices. */
  let taken: TakenChoice[] = [];
  do {
    let nth = 0;
    const attached: Attached = (fn, where) => {
      const own = choices[where](fn);
      taken[nth] ??= { choice: 0, of: own.length };
      return item(own, item(taken, nth++).choice);
    };
    found.push(expectedOf(k, attached, action));
    taken = following(taken);
  } while (taken.length > 0);
  return found;
}

function remembered<T>(find: (fn: FunctionName) => T): (fn: FunctionName) => T {
  const known = new Map<FunctionName, T>();
  return (fn) => {
    const found = known.get(fn) ?? find(fn);
    known.set(fn, found);
    return found;
  };
}

function distinct<T>(all: readonly T[]): T[] {
  return [...new Map(all.map((own) => [JSON.stringify(own), own])).values()];
}

function expectedOf(k: KernelView, attached: Attached, action: ActionOf<'call'>): ExpectedCall {
  const fn = knownFunction(k.functions, action.fn);
  const words = abiSlots(fn.signature).map(({ place }) =>
    passed(place.in === 'register' ? action.registers : action.stack, place.index),
  );
  return expect(k, attached, fn, words);
}

function passed(words: readonly Word[], index: number): bigint {
  const value = words[index];
  return value === undefined ? 0n : toBigInt(value);
}

function expect(
  k: KernelView,
  attached: Attached,
  fn: TracedFunction,
  words: readonly bigint[],
  dispatched?: PromisedClient,
): ExpectedCall {
  const clients = [...attached(fn.name, 'entry'), ...(dispatched === undefined ? [] : [dispatched])];
  const [packet] = attached(fn.name, 'body');
  const { signature } = fn;
  const slots = abiSlots(signature);
  const narrowed = narrow(signature, words);
  const hash = narrowed.reduce(
    (h, value, i) => word((rotate(h, 7n) ^ value) * PRIME + BigInt(i + 1)),
    BigInt(0x1000 + fn.id),
  );
  const runs = whatRuns(clients);
  const called = { fn, words: narrowed, hash, xdp: dispatched ?? packet };
  const [own, calls] = runs === 'body' ? bodyOf(k, attached, called) : [hash, []];
  return {
    fn: fn.name,
    signature,
    words: words.map(hex),
    registers: slots.flatMap(({ place }, i) => (place.in === 'register' ? [hex(item(words, i))] : [])),
    narrowed: narrowed.map(hex),
    hash: hex(hash),
    runs,
    returns: givenInstead(clients, runs) ?? returned(signature, own),
    calls,
    clients,
  };
}

function whatRuns(clients: readonly PromisedClient[]): ExpectedCall['runs'] {
  if (modifiedReturn(clients) !== undefined) return 'nothing';
  if (clients.some(({ kind }) => kind === 'extension')) return 'extension';
  return clients.some(({ ipmodify }) => ipmodify) ? 'replacement' : 'body';
}

/** The caller's return value when the body does not run. */
function givenInstead(clients: readonly PromisedClient[], runs: ExpectedCall['runs']): string | undefined {
  switch (runs) {
    case 'body':
      return undefined;
    case 'replacement':
      return hex(toBigInt(REPLACEMENT_RETURN));
    case 'extension':
      return hex(toBigInt(clients.find(({ kind }) => kind === 'extension')!.program!.returns));
    case 'nothing':
      return modifiedReturn(clients);
    default:
      return unreachable(runs);
  }
}

/** The value of the newest modify-return program that returns one: it stops the others and the function. */
function modifiedReturn(clients: readonly PromisedClient[]): string | undefined {
  const stopping = clients.findLast(
    ({ program }) => program?.kind === 'fmod_ret' && (program.returns.lo !== 0 || program.returns.hi !== 0),
  );
  return stopping === undefined ? undefined : hex(toBigInt(stopping.program!.returns));
}

function returned(signature: Signature, hash: bigint): string | undefined {
  if (signature.ret.size === 0) return undefined;
  return hex(signature.ret.name === 'bool' ? hash & 1n : hash);
}

/** The words as a function with these types sees them. */
function narrow(signature: Signature, words: readonly bigint[]): bigint[] {
  return abiSlots(signature).map(({ argument, bytes }, i) => {
    const { signed, struct } = item(signature.args, argument);
    const value = item(words, i);
    if (bytes === 8 || struct) return value;
    return word(signed ? BigInt.asIntN(bytes * 8, value) : BigInt.asUintN(bytes * 8, value));
  });
}

/** A body that runs, and the program of the device whose packet it gets. */
interface RunningBody {
  readonly fn: TracedFunction;
  readonly words: readonly bigint[];
  readonly hash: bigint;
  readonly xdp: PromisedClient | undefined;
}

/** The hash after the calls of a body, and those calls. */
function bodyOf(
  k: KernelView,
  attached: Attached,
  { fn: { name, nesting }, words: a, hash, xdp }: RunningBody,
): [bigint, ExpectedCall[]] {
  const calls: ExpectedCall[] = [];
  const call = (callee: string, ...words: bigint[]): bigint => {
    const to = callee === DISPATCHER_FUNC ? xdp : undefined;
    const made = expect(k, attached, knownFunction(k.functions, callee), words.map(word), to);
    calls.push(made);
    return BigInt(made.returns ?? 0);
  };
  const value = (() => {
    switch (nesting) {
      case 'ca': {
        const left = call('cb', item(a, 0), item(a, 1));
        return hash ^ left ^ call('f2', item(a, 2), hash);
      }
      case 'cb':
        return word(hash + call('f1', item(a, 0) + item(a, 1)));
      case 'rec':
        return item(a, 0) >= 1n && item(a, 0) <= 7n ? word(hash + call(name, item(a, 0) - 1n)) : hash;
      case 'device':
        return xdp === undefined
          ? hash
          : word(hash + call(DISPATCHER_FUNC, item(a, 0), ...xdpArguments(k, xdp.who).map(toBigInt)));
      case 'dispatcher':
        return xdp === undefined ? hash : toBigInt(xdp.program!.returns);
      case 'none':
        return hash;
      default:
        return unreachable(nesting);
    }
  })();
  return [value, calls];
}

/** A call and all calls within it, in order of their beginnings. */
export function allCalls(call: ExpectedCall): ExpectedCall[] {
  return [call, ...call.calls.flatMap(allCalls)];
}
