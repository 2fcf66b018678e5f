import type { KernelProgram } from '../../model/call/kernel-program.ts';
import type { Action } from '../../model/client/all.ts';
import { CLIENT_TRAMPS } from '../../model/text/space.ts';
import type { RefusedStep } from './refusal.ts';
import { isAccepted } from './undo.ts';

/** A refused call with one parameter changed, which answers 0. */
export interface OtherCall {
  /** The field of the action: `addr`, `program.kind`. */
  readonly parameter: string;
  readonly action: Action;
}

/** For each parameter of a refused call the first other value with which it answers 0, if there is one. */
export function otherCalls(
  { before, action }: RefusedStep,
  history: readonly Action[],
  program: KernelProgram,
): OtherCall[] {
  const functions = Object.keys(before.text.functions);
  const tracepoints = Object.keys(before.tracepoints?.points ?? {});
  return variants(action, history, { functions, tracepoints }).flatMap(({ parameter, actions }) => {
    const accepted = actions.find((action) => isAccepted(before, action, program));
    return accepted === undefined ? [] : [{ parameter, action: accepted }];
  });
}

/** The possible objects of an action. */
interface Names {
  readonly functions: readonly string[];
  readonly tracepoints: readonly string[];
}

interface Variants {
  readonly parameter: string;
  readonly actions: readonly Action[];
}

/** The action with other values, parameter by parameter: those that the sequence, its functions and its kinds offer. */
function variants(action: Action, history: readonly Action[], names: Names): Variants[] {
  return Object.entries(action).flatMap(([key, value]): Variants[] => {
    if (key === 'do') return [];
    if (key === 'program')
      return programVariants(value as object).map(([inner, programs]) => ({
        parameter: `program.${inner}`,
        actions: programs.map((program) => ({ ...action, program }) as Action),
      }));
    const values = otherValues(key, value, history, names).filter((item) => item !== value);
    return [{ parameter: key, actions: values.map((item) => ({ ...action, [key]: item }) as Action) }];
  });
}

function otherValues(
  key: string,
  value: unknown,
  history: readonly Action[],
  { functions, tracepoints }: Names,
): unknown[] {
  if (typeof value === 'boolean') return [!value];
  if (key === 'tracepoint') return [...tracepoints];
  if (key === 'ips' || key === 'targets') return otherLists(value as readonly string[], functions);
  if (key === 'ip' || (key === 'target' && value !== '')) return [...functions];
  if (/addr$/i.test(key)) return [...CLIENT_TRAMPS];
  if (key === 'hash') return otherHashes(value as Readonly<Record<string, string>>);
  if (key === 'flags') return bitsLess(value as number);
  return history.flatMap((past) => {
    const own: unknown = Object.entries(past).find(([name]) => name === key)?.[1];
    return own === undefined || typeof own === 'object' ? [] : [own];
  });
}

/** One function less, or one other. */
function otherLists(list: readonly string[], functions: readonly string[]): string[][] {
  const less = list.map((_, i) => list.filter((__, j) => j !== i));
  return [...less, ...functions.map((fn) => [fn])];
}

/** One site less, or all moved elsewhere. */
function otherHashes(hash: Readonly<Record<string, string>>): Readonly<Record<string, string>>[] {
  const entries = Object.entries(hash);
  const less = entries.map((_, i) => Object.fromEntries(entries.filter((__, j) => j !== i)));
  const led = CLIENT_TRAMPS.map((addr) => Object.fromEntries(entries.map(([ip]) => [ip, addr])));
  return [...less.filter((item) => Object.keys(item).length > 0), ...led];
}

/** Each flag left out by itself. */
function bitsLess(flags: number): number[] {
  return Array.from({ length: 32 }, (_, i) => flags & ~(1 << i)).filter((n) => n !== flags);
}

const PROGRAM_VALUES: Readonly<Record<string, readonly unknown[]>> = {
  kind: ['fentry', 'fexit', 'fmod_ret', 'fsession'],
  multi: [true, false],
  getFuncIp: [true, false],
  sleepable: [true, false],
  reads: ['helpers', 'direct', 'return directly'],
};

function programVariants(program: object): [string, object[]][] {
  return Object.entries(PROGRAM_VALUES).map(([key, values]) => [
    key,
    values
      .filter((value) => value !== (program as Readonly<Record<string, unknown>>)[key])
      .map((value) => ({ ...program, [key]: value })),
  ]);
}
