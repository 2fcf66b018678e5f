import type { FunctionName } from '../../model/core/ids.ts';
import type { KernelView } from '../../model/kernel.ts';

/** The shims of a hook that no program of a cgroup uses any more, and that a work item has yet to take off. */
export function leavingShims({ bpf: { cgroup } }: KernelView, hook: FunctionName): number {
  return Object.values(cgroup?.shims ?? {}).filter(({ target, refs }) => target === hook && refs <= 0).length;
}
