import type { DeleteModule } from '../../model/client/delete-module.ts';
import type { InitModule } from '../../model/client/init-module.ts';
import type { LoadedProgram, Promises } from '../../model/contract/promises.ts';
import type { ProgId } from '../../model/core/ids.ts';
import type { Profile } from '../../model/core/profile.ts';
import type { AskedCall, CallErrnos, Holds } from './contract.ts';
import { reason } from './contract.ts';

/*
 * Modules: init_module(2) and delete_module(2). EWOULDBLOCK, which is EAGAIN, while the module is held.
 */

export const INIT_MODULE: CallErrnos<InitModule> = {
  stages: [
    [
      reason('EEXIST', 'the module is loaded', ({ action, promised }) => {
        return promised.modules[action.module]?.live === true;
      }),
    ],
  ],
};

/** A program that was loaded for a function of the module. */
function isForModule(p: Promises, { module }: DeleteModule, { target, btf }: LoadedProgram): boolean {
  return btf === module || (p.modules[module]?.functions ?? []).includes(target);
}

/** One that may be linked to functions of any module. */
function isForAny({ probe, program }: LoadedProgram): boolean {
  return program.multi || ['entry', 'return', 'session'].includes(probe);
}

function isLinked(p: Promises, { module }: DeleteModule, prog: ProgId): boolean {
  const functions = p.modules[module]?.functions ?? [];
  return p.clients.some(({ who, ips }) => who === `prog#${prog}` && ips.some((ip) => functions.includes(ip)));
}

/**
 * An image of a trampoline holds the module of its function, or a loaded program that of its target, and a kprobe.multi link
 * those of its functions, as a multi link does in some designs. Such a hold may outlast its reason by a grace period.
 */
function isHeld({ action, promised: p, profile }: AskedCall<DeleteModule>): Holds {
  const programs = Object.values(p.programs).filter((load) => isForModule(p, action, load) || isForAny(load));
  if (programs.some((load) => holds(p, action, load, profile))) return true;
  return programs.length > 0 && 'perhaps';
}

function holds(p: Promises, action: DeleteModule, load: LoadedProgram, { moduleHeldBy }: Profile): boolean {
  const { id } = load.program;
  if (isLinked(p, action, id)) return true;
  return moduleHeldBy === 'program' && isForModule(p, action, load) && p.open.includes(id);
}

export const DELETE_MODULE: CallErrnos<DeleteModule> = {
  stages: [
    [
      reason('ENOENT', 'no such module is loaded', ({ action, promised }) => {
        return promised.modules[action.module]?.live !== true;
      }),
    ],
    [reason('EAGAIN', 'the module is held', isHeld)],
  ],
};
