import { blockedOn } from '../../model/core/run.ts';
import type { Frame } from '../../model/core/world.ts';
import type { Kernel } from '../../model/kernel.ts';
import type { KernelProgram } from '../../model/step.ts';
import type { Client, Work } from './parts.ts';

/** Who waits for what, in words: `client#1 waits for direct_mutex, which client#2 holds`. */
export function waitOf(
  program: KernelProgram,
  k: Kernel,
  who: string,
  { frames, waits, holdouts }: Pick<Client | Work, 'frames' | 'waits' | 'holdouts'>,
): string | undefined {
  if (frames === null) return undefined;
  const operation = { frames: frames as Frame[] };
  const lock = blockedOn(program, k, operation);
  if (lock !== undefined) return `${who} waits for ${lock}, which ${k.locks[lock]} holds`;
  if (waits === null) return undefined;
  const tasks = callersIn(holdouts);
  if (tasks.length > 0)
    return `${who} waits for a grace period of ${waits}, which ${tasks.join(', ')} holds up`;
  const image = frames.at(-1)!.locals['image'];
  return waits === 'percpu_ref'
    ? `${who} waits for the reference counter of ${String(image)}, which is ${k.bpf.images[String(image)]?.refs}`
    : undefined;
}

function callersIn(holdouts: number): string[] {
  const tasks: string[] = [];
  for (let i = 0; holdouts >> i !== 0; i++) if (((holdouts >> i) & 1) !== 0) tasks.push(`task#${i + 1}`);
  return tasks;
}
