import { profileNamed } from '../../model/core/profile.ts';
import type { Kernel } from '../../model/kernel.ts';
import type { Client } from '../../model/promises.ts';

/** Whether an fprobe hooks returns through function graph: then it keeps something on the shadow stack. */
export function hooksThroughGraph({ profile }: Kernel, { kind, exit }: Client): boolean {
  return exit && (kind === 'fprobe' || kind === 'kprobe.multi') && profileNamed(profile).fprobe === 'fgraph';
}
