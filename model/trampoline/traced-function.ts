import type { Signature } from './signature.ts';
import { parseSignature, printSignature } from './signature.ts';

/** A function that is there to be traced: what it does is mix its arguments, so that any change of one shows. */
export interface TracedFunction {
  readonly name: string;
  /** Number in its hash: two functions do not return the same for the same arguments. */
  readonly id: number;
  readonly signature: Signature;
  readonly nesting: Nesting;
}

/**
 * What a function calls when its own hash is done:
 *
 * ```text
 *   ca    h ^= cb(a1, a2) ^ f2(a3, h)
 *   cb    h += f1(a1 + a2)
 *   rec   h += rec(a1 - 1)    if a1 is 1 … 7
 * ```
 */
export type Nesting = 'none' | 'ca' | 'cb' | 'rec';

const NESTINGS: readonly string[] = ['ca', 'cb', 'rec'];

const CALLEES: Readonly<Record<Nesting, readonly string[]>> = {
  none: [],
  ca: ['cb', 'f2'],
  cb: ['f1'],
  rec: ['rec'],
};

/** Whether one of the functions calls another by its name, and so depends on what that takes. */
export function isCalledBy(functions: readonly TracedFunction[], name: string): boolean {
  return functions.some(({ nesting }) => CALLEES[nesting].includes(name));
}

/** A function from its signature as text (`u64 x2 -> u64`). The nesting ones are known by their names. */
export function tracedFunction(name: string, id: number, signature: string): TracedFunction {
  return { name, id, signature: parseSignature(signature), nesting: nestingOf(name) };
}

/** `2: u64 x2 -> u64`: a function as it stands in a kernel state, where everything is plain data. */
export function spellFunction({ id, signature }: TracedFunction): string {
  return `${id}: ${printSignature(signature)}`;
}

/** The functions that states speak of, kept: reading one is work. */
const KNOWN = new Map<string, TracedFunction>();

/** The function of a name in a state; undefined when there is none. */
export function functionNamed(
  functions: Readonly<Record<string, string>>,
  name: string,
): TracedFunction | undefined {
  const text = functions[name];
  if (text === undefined) return undefined;
  const key = `${name} = ${text}`;
  const known = KNOWN.get(key);
  if (known !== undefined) return known;
  const [id = '', signature = ''] = text.split(': ');
  const made = tracedFunction(name, Number(id), signature);
  KNOWN.set(key, made);
  return made;
}

export function nestingOf(name: string): Nesting {
  return NESTINGS.includes(name) ? (name as Nesting) : 'none';
}
