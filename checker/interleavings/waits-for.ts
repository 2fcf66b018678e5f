import type { KernelProgram } from '../../model/call/kernel-program.ts';
import type { Flavour } from '../../model/core/part.ts';
import { entry, last } from '../../model/core/present.ts';
import { blockedOn } from '../../model/core/run.ts';
import type { RoutineFrame } from '../../model/core/world.ts';
import type { KernelView } from '../../model/kernel.ts';
import type { Wait } from '../../properties/law/wait.ts';
import { holdersOf } from '../../properties/law/wait.ts';
import { taskName } from './actor-names.ts';
import type { ClientParts, Work } from './parts.ts';

/** What an actor waits for: a lock, a grace period, a reference counter; undefined when it can move. */
export function waitOf(
  program: KernelProgram,
  k: KernelView,
  who: string,
  { frames, waits, holdouts }: Pick<ClientParts | Work, 'frames' | 'waits' | 'holdouts'>,
): Wait | undefined {
  if (frames === null) return undefined;
  const lock = blockedOn(program, k, { frames: frames as RoutineFrame[] });
  if (lock !== undefined) return { who, is: 'lock', lock, holder: entry(k.locks, lock) };
  return waits === null ? undefined : waitForPeriod(k, who, { waits, holdouts, frames });
}

function waitForPeriod(
  k: KernelView,
  who: string,
  { waits, holdouts, frames }: { waits: Flavour; holdouts: number; frames: readonly RoutineFrame[] },
): Wait | undefined {
  const holders = callersIn(holdouts);
  if (holders.length > 0) return { who, is: 'grace period', flavour: waits, holders };
  if (waits !== 'percpu_ref') return undefined;
  const image = String(last(frames).locals['image']);
  return { who, is: 'counter', image, refs: k.bpf.images[image]?.refs };
}

/** The shortest cycle of actors that wait for one another, from the one that is named first; empty: there is none. */
export function circleOf(waits: readonly Wait[]): readonly Wait[] {
  const circles = waits.flatMap((first) => {
    const found = circleFrom(waits, first);
    return found === undefined ? [] : [found];
  });
  return circles.sort((a, b) => a.length - b.length)[0] ?? [];
}

function circleFrom(waits: readonly Wait[], first: Wait): readonly Wait[] | undefined {
  const open: (readonly Wait[])[] = [[first]];
  const known = new Set<string>();
  for (const way of open)
    for (const holder of holdersOf(last(way))) {
      if (holder === first.who) return way;
      const next = waits.find(({ who }) => who === holder);
      if (next === undefined || known.has(holder)) continue;
      known.add(holder);
      open.push([...way, next]);
    }
  return undefined;
}

/** The tasks of a bit set. */
export function callersIn(holdouts: number): string[] {
  const tasks: string[] = [];
  for (let i = 0; holdouts >> i !== 0; i++) if (((holdouts >> i) & 1) !== 0) tasks.push(taskName(i));
  return tasks;
}
