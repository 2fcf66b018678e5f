import type { Action } from '../../model/client/all.ts';
import type { Promises } from '../../model/contract/promises.ts';
import type { KernelView } from '../../model/kernel.ts';
import { apply } from '../../model/step.ts';
import type { AttachLaw } from '../law/sequence-law.ts';
import { isAlive } from '../law/sequence-law.ts';
import { copyKernel } from '../observed/copy-kernel.ts';
import { detachOf, removalsOf } from '../observed/detach.ts';
import { leftovers } from '../observed/leftovers.ts';

/** I-24, I-26 and S12, on a copy of the kernel whenever time passes. */
export const detachingEverythingRestoresBootState: AttachLaw = {
  name: 'ftrace/detaching-everything-restores-boot-state',
  sentence:
    'After every client has detached and all grace periods are over, text is as at boot, and no allocation is left: no page, hash, table or entry of one, image, reference, pool or array of probes.',
  source:
    'kernel/trace/ftrace.c  ftrace_shutdown; kernel/bpf/trampoline.c  bpf_tramp_image_put, bpf_trampoline_put',
  witness: 'all grace periods elapsed with a client attached',
  judge: (moment) => {
    const { action, after, promises, program } = moment;
    if (action.do !== 'settle' || !isAlive(moment)) return 'not applicable';
    const k = copyKernel(after);
    k.fault = null;
    for (const detach of [...detaches(promises), ...closes(k), { do: 'settle' } as const]) {
      const { died } = apply(k, detach, program);
      if (died !== undefined) return { is: 'detaching-dies', action: detach.do, died };
    }
    const [first, ...others] = leftovers(k);
    if (first !== undefined) return { is: 'leftovers', what: [first, ...others] };
    return promises.clients.length + promises.probes.length > 0 ? 'held' : 'not applicable';
  },
};

/** The calls that detach every client, newest first, and then every probe of a tracepoint. */
export function detaches(promises: Promises): Action[] {
  const seen = new Set<string>();
  const detached = promises.clients.toReversed().flatMap((client) => {
    if (seen.has(client.object)) return [];
    seen.add(client.object);
    return [detachOf(client, true)];
  });
  return [...detached, ...removalsOf(promises)];
}

/** Open file descriptors of programs. */
function closes({ bpf }: KernelView): Action[] {
  return Object.entries(bpf.progs).flatMap(([prog, { refs, freed }]) => {
    const links = Object.values(bpf.links).filter((link) => link.prog === Number(prog)).length;
    return !freed && refs > links ? [{ do: 'close(prog)' as const, prog: Number(prog) }] : [];
  });
}
