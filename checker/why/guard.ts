import type { Errno } from '../../model/core/errno.ts';
import type { RefuseInstruction } from '../../model/core/instruction.ts';
import type { Locals } from '../../model/core/part.ts';
import { item } from '../../model/core/present.ts';
import { unreachable } from '../../model/core/unreachable.ts';
import type { WorldView } from '../../model/core/world.ts';
import type { Kernel } from '../../model/kernel.ts';
import { copyKernel, copyPart } from '../../properties/observed/copy-kernel.ts';
import type { Read } from '../refinement/read-watch.ts';
import { ReadWatch } from '../refinement/read-watch.ts';

/** One read of a guard: its place in the kernel's state, or among the routine's locals, and its value. */
export interface Looked {
  readonly in: 'kernel' | 'locals';
  /** From the outside in: `ftrace`, `records`, `f1`, `flags`. */
  readonly path: readonly string[];
  /** A plain value, or undefined where there is none. */
  readonly value: unknown;
}

/** Evaluates the guard of a return site again, on copies, and records its reads, in order. */
export function watchGuard(site: RefuseInstruction, k: WorldView, ofRoutine: Locals): readonly Looked[] {
  const kernel = new ReadWatch(copyKernel(k as Kernel), CONSTANT);
  const locals = new ReadWatch(copyPart(ofRoutine) as Locals, NOTHING);
  site.find(kernel.front, locals.front);
  return [...lookedAt(locals.reads, 'locals'), ...lookedAt(kernel.reads, 'kernel')];
}

/** Constants explain nothing, nor do values that the guard names itself. */
const CONSTANT: ReadonlySet<string> = new Set(['profile', 'boot', 'functions', 'warnings']);
const NOTHING: ReadonlySet<string> = new Set();

/** Whether a guard only passes on the answer of a callee. */
export function passesOn(looked: readonly Looked[], errno: Errno): boolean {
  return looked.some((looked) => looked.in === 'locals' && looked.value === errno);
}

function lookedAt(reads: readonly Read[], where: Looked['in']): Looked[] {
  return reads.flatMap((read) => {
    const item = plainly(pathOf(reads, read), read);
    return item === undefined ? [] : [{ in: where, ...item }];
  });
}

/** Plain values, and missing names. An object itself explains nothing, nor does the list of its names. */
function plainly(path: readonly string[], { ask, found }: Read): Omit<Looked, 'in'> | undefined {
  switch (ask) {
    case 'value':
      return typeof found === 'symbol' ? undefined : { path, value: found };
    case 'has':
      return found === true ? undefined : { path, value: undefined };
    case 'keys':
      return undefined;
    default:
      return unreachable(ask);
  }
}

function pathOf(reads: readonly Read[], { of, key }: Read): string[] {
  return of === 0 ? [key] : [...pathOf(reads, item(reads, of - 1)), key];
}
