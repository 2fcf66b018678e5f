import type { KernelProgram } from '../../model/call/kernel-program.ts';
import type { Flavour } from '../../model/core/part.ts';
import { blockedOn } from '../../model/core/run.ts';
import type { Frame } from '../../model/core/world.ts';
import type { Kernel } from '../../model/kernel.ts';
import type { Client, Work } from './parts.ts';

/** Somebody who cannot go on, what for, and who could change that: a client, background work, a task. */
export interface Wait {
  readonly who: string;
  /** `direct_mutex`, `a grace period of rcu_tasks`, `the reference counter of tramp#1`. */
  readonly what: string;
  readonly holders: readonly string[];
  /** What they do with it: `which client#2 holds`. */
  readonly how: string;
}

/** What somebody waits for: a lock, a grace period, a reference counter; undefined when he can go on. */
export function waitOf(
  program: KernelProgram,
  k: Kernel,
  who: string,
  { frames, waits, holdouts }: Pick<Client | Work, 'frames' | 'waits' | 'holdouts'>,
): Wait | undefined {
  if (frames === null) return undefined;
  const lock = blockedOn(program, k, { frames: frames as Frame[] });
  if (lock !== undefined)
    return { who, what: lock, holders: [k.locks[lock]!], how: `which ${k.locks[lock]} holds` };
  return waits === null ? undefined : waitForPeriod(k, who, { waits, holdouts, frames });
}

function waitForPeriod(
  k: Kernel,
  who: string,
  { waits, holdouts, frames }: { waits: Flavour; holdouts: number; frames: readonly Frame[] },
): Wait | undefined {
  const holders = callersIn(holdouts);
  if (holders.length > 0)
    return {
      who,
      what: `a grace period of ${waits}`,
      holders,
      how: `which ${holders.join(', ')} ${holders.length > 1 ? 'hold' : 'holds'} up`,
    };
  if (waits !== 'percpu_ref') return undefined;
  const image = String(frames.at(-1)!.locals['image']);
  const refs = k.bpf.images[image]?.refs;
  return { who, what: `the reference counter of ${image}`, holders: [], how: `which is ${refs}` };
}

/** `client#1 waits for direct_mutex, which client#2 holds`. */
export function spellWait({ who, what, how }: Wait): string {
  return `${who} waits for ${what}, ${how}`;
}

/** The shortest circle of those who wait for one another, from the one that is named first on; empty: there is none. */
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
    for (const holder of way.at(-1)!.holders) {
      if (holder === first.who) return way;
      const next = waits.find(({ who }) => who === holder);
      if (next === undefined || known.has(holder)) continue;
      known.add(holder);
      open.push([...way, next]);
    }
  return undefined;
}

function callersIn(holdouts: number): string[] {
  const tasks: string[] = [];
  for (let i = 0; holdouts >> i !== 0; i++) if (((holdouts >> i) & 1) !== 0) tasks.push(`task#${i + 1}`);
  return tasks;
}
