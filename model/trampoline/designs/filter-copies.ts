import type { BpfWorld } from '../world.ts';
import type { CountRow } from './count.ts';
import { counted } from './count.ts';
import type { LinkArgs } from './design.ts';

/*
 * ftrace_set_filter_ip() takes one function, and copies the hash for it: the nth call copies n−1 entries and
 * moves n. The model sets all of them at once, since no call can see an ops that is not registered; the copies of
 * the series of 2021 are counted.
 */

/** The entries that one call per function copies, beyond those of a single call. */
export function filterCopies(
  attach: string,
  ips: (k: BpfWorld, locals: LinkArgs) => readonly string[],
): CountRow {
  return counted<LinkArgs>(attach, 'one filter after the other', (k, locals) => {
    const count = ips(k, locals).length;
    return { entriesCopied: count * (count - 1) };
  });
}
