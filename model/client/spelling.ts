import { InputError } from '../core/input-error.ts';
import { profileNamed } from '../core/profile.ts';
import type { DeclaredTracepoint } from '../tracepoint/boot.ts';
import type { TracedFunction } from '../trampoline/traced-function.ts';

/** Declarations that the text of an action depends on. */
export interface Spelling {
  readonly profile: string;
  readonly functions: readonly TracedFunction[];
  readonly tracepoints?: readonly DeclaredTracepoint[];
}

/** A line of a trace: `link#1 = BPF_LINK_CREATE(prog#1, { f1, f2 })`. */
export interface SpelledLine {
  readonly text: string;
  /** The object that it gives, and the function; empty where the line is no call of one. */
  readonly result: string;
  readonly name: string;
  readonly args: readonly string[];
}

export function lineOf(text: string): SpelledLine {
  const [, result = '', name = '', inside = ''] = /^(?:(\S+) = )?([\w.]+)\((.*)\)$/.exec(text) ?? [];
  return { text, result, name, args: argumentsOf(inside) };
}

/** Arguments, separated by commas that are not inside braces. */
export function argumentsOf(inside: string): string[] {
  return inside === '' ? [] : inside.split(/, (?![^{]*\})/);
}

export function called(name: string, ...args: readonly string[]): string {
  return `${name}(${args.join(', ')})`;
}

export function braces(items: readonly string[]): string {
  return items.length > 0 ? `{ ${items.join(', ')} }` : '{ }';
}

export function inBraces(text: string): string[] {
  const inside = /^\{ (.*?) ?\}$/.exec(text)?.[1];
  if (inside === undefined) throw new InputError(`"${text}" is not a list in braces`, text);
  return inside === '' ? [] : inside.split(', ');
}

export function bit(on: boolean): string {
  return on ? '1' : '0';
}

/** The number of `prog#1`. */
export function numberOf(name: string, kind: string): number {
  const match = new RegExp(`^${kind}#([0-9]{1,3})$`).exec(name);
  if (match === null) throw new InputError(`"${name}" is not a name like ${kind}#1`, name);
  return Number(match[1]);
}

/**
 * Where direct calls may jump to: three trampolines that clients own, or an image that they have seen. The
 * latter is a client that gives the kernel an address of BPF: nothing checks whose code it is.
 */
const ADDRESSES = /^(my_tramp[1-3]|tramp#[0-9]{1,4})$/;

export function addressIn(name: string | undefined): string {
  if (name !== undefined && ADDRESSES.test(name)) return name;
  throw new InputError(
    `${name ?? 'nothing'} is no trampoline; there are my_tramp1, my_tramp2, my_tramp3`,
    name,
  );
}

/**
 * Until 6.3 direct calls were requested by the address of a site, and those by an ops had names of their own:
 * register_ftrace_direct_multi() and so on. 6.4 removed the first interface and gave its names to the second.
 */
export function isPerSite({ profile }: Pick<Spelling, 'profile'>): boolean {
  return profileNamed(profile).directApi === 'ip and multi';
}

/** The name of a direct call's function that takes an ops. */
export function namedForOps(name: string, spelling: Spelling): string {
  return isPerSite(spelling) ? `${name}_multi` : name;
}
