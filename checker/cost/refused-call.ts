import type { Action } from '../../model/client/all.ts';
import type { Errno } from '../../model/core/errno.ts';
import type { RefuseInstruction } from '../../model/core/instruction.ts';
import type { Watch } from '../../model/core/run.ts';
import type { Kernel } from '../../model/kernel.ts';
import { apply, KERNEL_PROGRAM } from '../../model/step.ts';

/** The refusal of a call: the errno, and the return site that gives it first. */
export interface RefusedCall {
  readonly errno: Errno;
  readonly routine: string;
  /** The condition of the return site's guard, in words. */
  readonly guard: string;
}

/** Makes the calls of a client; undefined: all succeed. Callers that pass the errno outward are not named. */
export function refusedBy(k: Kernel, action: Action, watch: Watch = {}): RefusedCall | undefined {
  const sites: RefusedCall[] = [];
  const refused = ({ routine, id }: RefuseInstruction, errno: Errno) => {
    sites.push({ errno, routine, guard: id });
  };
  const { errno } = apply(k, action, KERNEL_PROGRAM, { ...watch, refused });
  if (errno === 0) return undefined;
  return sites.find((site) => site.errno === errno) ?? { errno, routine: action.do, guard: NO_CALL };
}

const NO_CALL = 'this kernel has no such call';
