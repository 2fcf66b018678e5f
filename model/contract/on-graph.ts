import { profileNamed } from '../core/profile.ts';
import type { KernelView } from '../kernel.ts';
import { designOf } from '../trampoline/designs/chosen.ts';
import type { PromisedClient } from './promises.ts';

/**
 * Whether a client that is no user of function graph itself hooks returns through it: then it keeps
 * something on the shadow stack.
 */
export function hooksThroughGraph(k: KernelView, client: PromisedClient): boolean {
  const { kind, exit } = client;
  if (kind === 'program') return isCalledByGraph(k, client);
  if (kind === 'kretprobe') return profileNamed(k.profile).kretprobe === 'ret_stack';
  return (
    exit && (kind === 'fprobe' || kind === 'kprobe.multi') && profileNamed(k.profile).fprobe === 'fgraph'
  );
}

/**
 * Whether a client is a program of a multi link that function graph calls: its frames
 * lie there, whatever it sees.
 */
export function isCalledByGraph(k: KernelView, { program }: PromisedClient): boolean {
  return program?.multi === true && multiLinksOnGraph(k);
}

/** Whether the kernel's multi links are users of function graph. */
export function multiLinksOnGraph({ profile }: KernelView): boolean {
  return designOf(profileNamed(profile))?.onGraph === true;
}
