import type { KernelProgram } from '../model/call/kernel-program.ts';
import { nextInstruction } from '../model/core/run.ts';
import type { KernelView } from '../model/kernel.ts';
import type { Act } from '../properties/finding/why.ts';
import type { StateChange } from './sequences/delta.ts';
import { NOTHING } from './sequences/delta.ts';

/** A kernel, and the program that its half-done operations are in. */
interface RunBy {
  readonly kernel: KernelView;
  readonly program: KernelProgram;
}

/** The first field in which two kernels of one profile differ: `ftrace.records.f1.flags`. */
export function stateDifference(here: RunBy, there: RunBy): readonly [here: Act, there: Act] | undefined {
  return differenceAt(comparable(here), comparable(there), '');
}

/** Numbers of instructions are those of one program: deferred work is compared by the part that it does next. */
function comparable({ kernel, program }: RunBy): object {
  return { ...kernel, deferred: kernel.deferred.map((work) => standing(work, program)) };
}

function standing({ frames, ...work }: KernelView['deferred'][number], program: KernelProgram): object {
  if (frames === undefined) return work;
  const { routine, id } = nextInstruction(program, frames);
  return { ...work, next: `"${id}" in ${routine}()`, locals: frames.map(({ locals }) => locals) };
}

/** The first change that two kernels do not have in common: each leaves its subject otherwise. */
export function changeDifference(
  here: readonly StateChange[],
  there: readonly StateChange[],
): [here: Act, there: Act] | undefined {
  const leftIn = (changes: readonly StateChange[], { subject, from }: StateChange) =>
    changes.find((change) => change.subject === subject)?.to ?? from;
  const leftAs = (subject: string, to: string): Act => ({
    is: 'change',
    subject,
    to: to === NOTHING ? null : to,
  });
  for (const change of [...here, ...there]) {
    const [own, its] = [leftIn(here, change), leftIn(there, change)];
    if (own !== its) return [leftAs(change.subject, own), leftAs(change.subject, its)];
  }
  return undefined;
}

function differenceAt(
  here: unknown,
  there: unknown,
  path: string,
): readonly [here: Act, there: Act] | undefined {
  if (here === there) return undefined;
  if (isLong(here) && isLong(there)) return bytesAt(here, there, path);
  if (!isObject(here) || !isObject(there)) return [leaves(path, here), leaves(path, there)];
  for (const key of new Set([...Object.keys(here), ...Object.keys(there)])) {
    const found = differenceAt(here[key], there[key], path === '' ? key : `${path}.${key}`);
    if (found !== undefined) return found;
  }
  return undefined;
}

/** Bytes of a page, in hexadecimal digits: too many for a line. */
function isLong(value: unknown): value is string {
  return typeof value === 'string' && value.length > 24;
}

/** The first eight bytes from the first one that differs on. */
function bytesAt(here: string, there: string, path: string): readonly [here: Act, there: Act] {
  const digits = [...here].findIndex((digit, i) => digit !== there[i]);
  const from = digits - (digits % 2);
  const subject = `${path}+0x${(from / 2).toString(16)}`;
  return [leaves(subject, here.slice(from, from + 16)), leaves(subject, there.slice(from, from + 16))];
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null;
}

function leaves(subject: string, value: unknown): Act {
  const isThere = value !== undefined && value !== null && value !== '';
  return { is: 'change', subject, to: isThere ? brief(value) : null };
}

/** A value that is a whole object is not printed. */
function brief(value: unknown): string {
  return isObject(value) ? (Object.keys(value).length === 0 ? 'empty' : 'filled') : String(value);
}
