import fc from 'fast-check';
import type { Action } from '../../../model/client/all.ts';
import { opsOfFile } from '../../../model/client/filter-file.ts';
import type { SetFtraceFilter } from '../../../model/client/set-ftrace-filter.ts';
import type { SetFtraceNotrace } from '../../../model/client/set-ftrace-notrace.ts';
import type { Promises } from '../../../model/contract/promises.ts';
import { globMatches, isPattern } from '../../../model/ftrace/glob.ts';
import type { AttachCase } from '../attach-case.ts';
import type { Weighed } from '../draw/weighed.ts';
import { rarely, weighed } from '../draw/weighed.ts';
import { GOPS, OPS } from './drawn-names.ts';
import { opsObject, ownerOfOps } from './ops-life.ts';
import { isMade } from './promised-now.ts';
import type { Drawing } from './searched-call.ts';
import { count } from './searched-call.ts';

type Write = SetFtraceFilter | SetFtraceNotrace;

/** Writes to the files of instances, and as often as `weight` says to that by which function graph of 6.1 goes. */
export function writes(
  file: Write['do'],
  weight: number,
  { profile: { fgraph }, ip }: Drawing,
): readonly Weighed[] {
  const written = fc
    .tuple(ip, rarely, fc.nat(9))
    .map(([name, remove, n]): Write => ({ do: file, ...words(name, remove, n) }));
  const ofGraph = GOPS.map((name) => `${name}.ops`);
  const instances = fgraph === 'multi' ? fc.oneof(OPS, ofGraph) : OPS;
  return [
    weighed(fgraph === 'single' ? weight : 0, written),
    weighed(
      1,
      fc.tuple(written, instances).map(([write, ops]) => ({ ...write, ops })),
    ),
  ];
}

/** Mostly one function; four times in ten a pattern, or a filter that begins with it, or an empty one. */
function words(name: string, remove: boolean, n: number): Pick<Write, 'glob' | 'remove' | 'truncate'> {
  if (n === 9) return { glob: '', remove: false, truncate: true };
  if (n === 8) return { glob: name, remove: false, truncate: true };
  if (n === 7) return { glob: `*${name.slice(-1)}`, remove };
  return { glob: n === 6 ? `${name.slice(0, 1)}*` : name, remove };
}

/** The files of the tracing directory are always there, those of an instance with its tracer. */
export function isLikelyWrite(p: Promises, { ops }: Write): boolean {
  return ops === undefined || isMade(p, ops);
}

/** The options of a write. */
export function writeEffort({ glob, remove, truncate = false }: Write): number {
  return count(isPattern(glob), remove, truncate);
}

/** The same without truncating, adding instead of removing, or with one function instead of a pattern. */
export function plainerWrites(action: Write, { functions }: AttachCase): readonly Action[] {
  const { glob, remove, truncate = false } = action;
  const { truncate: _, ...appended } = action;
  const matching = isPattern(glob) ? functions.filter(({ name }) => globMatches(glob, name)) : [];
  return [
    ...(truncate && glob !== '' ? [appended] : []),
    ...(remove ? [{ ...action, remove: false }] : []),
    ...matching.map(({ name }) => ({ ...action, glob: name })),
  ];
}

/** The life of the ops whose file it is. */
export function ownerOfFile(action: Write): string {
  return ownerOfOps({ ops: opsOfFile(action) });
}

/** That ops as an object that clients share. */
export function objectsOfFile(action: Write): readonly string[] {
  return opsObject({ ops: opsOfFile(action) });
}
