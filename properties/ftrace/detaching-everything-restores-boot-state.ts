import type { Action } from '../../model/client/all.ts';
import type { Promises } from '../../model/contract/promises.ts';
import { entry } from '../../model/core/present.ts';
import { isCoreOps } from '../../model/ftrace/ops.ts';
import { FTRACE_FL_REGS } from '../../model/ftrace/record.ts';
import type { KernelView } from '../../model/kernel.ts';
import { apply } from '../../model/step.ts';
import { NOP5 } from '../../model/text/text.ts';
import type { Leftover } from '../finding/answer-finding.ts';
import type { AttachLaw } from '../law/sequence-law.ts';
import { isAlive } from '../law/sequence-law.ts';
import { copyKernel } from '../observed/copy-kernel.ts';
import { detachOf, removalOf } from '../observed/detach.ts';

/** I-24, I-26 and S12, on a copy of the kernel whenever time passes. */
export const detachingEverythingRestoresBootState: AttachLaw = {
  name: 'ftrace/detaching-everything-restores-boot-state',
  sentence:
    'After every client has detached and all grace periods are over, text is as at boot, and no page, table entry, image, reference or pool is left.',
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
function detaches({ clients, probes }: Promises): Action[] {
  const seen = new Set<string>();
  const detached = clients.toReversed().flatMap((client) => {
    if (seen.has(client.object)) return [];
    seen.add(client.object);
    return [detachOf(client, true)];
  });
  return [...detached, ...probes.toReversed().map(removalOf)];
}

/** Open file descriptors of programs. */
function closes({ bpf }: KernelView): Action[] {
  return Object.entries(bpf.progs).flatMap(([prog, { refs, freed }]) => {
    const links = Object.values(bpf.links).filter((link) => link.prog === Number(prog)).length;
    return !freed && refs > links ? [{ do: 'close(prog)' as const, prog: Number(prog) }] : [];
  });
}

/** What should be gone. The trampolines of the kernel's own ops are kept for the next use. */
function leftovers({ text, ftrace, fgraph, probes, bpf, deferred }: KernelView): Leftover[] {
  const sites = Object.keys(text.sites).filter((ip) => text.sites[ip] !== NOP5);
  const records = Object.entries(ftrace.records).filter(
    ([, rec]) => rec.count > 0 || (rec.flags & ~FTRACE_FL_REGS) !== 0,
  );
  const pages = Object.keys(text.pages).filter(
    (name) => !isCoreOps(name.replace(/\.trampoline$/, '')) && entry(text.pages, name).isPermanent !== true,
  );
  const programs = Object.keys(bpf.progs).filter((prog) => !entry(bpf.progs, Number(prog)).freed);
  return [
    ...left('call site', sites),
    ...left(
      'record',
      records.map(([ip]) => ip),
    ),
    ...left('page', pages),
    ...left('ops', ftrace.opsList),
    ...left('direct entry', Object.keys(ftrace.directFunctions)),
    ...left('descriptor', Object.keys(ftrace.directFuncs)),
    ...left('subops', fgraph.subops),
    ...left('ftrace_graph_active', fgraph.active > 0 ? [''] : []),
    ...left('kprobe', Object.keys(probes.kprobeTable)),
    ...left('pool', Object.keys(probes.rethooks)),
    ...left('fprobe', Object.keys(probes.fprobes)),
    ...left('trampoline', Object.keys(bpf.trampolines)),
    ...left('image', Object.keys(bpf.images)),
    ...left('link', Object.keys(bpf.links)),
    ...left(
      'program',
      programs.map((prog) => `prog#${prog}`),
    ),
    ...left(
      'deferred routine',
      deferred.map(({ routine }) => routine),
    ),
  ];
}

function left(is: Leftover['is'], names: readonly string[]): Leftover[] {
  return names.map((of) => ({ is, of }));
}
