import type { Action } from '../../model/action.ts';
import type { Promises } from '../../model/contract/promises.ts';
import { crashText } from '../../model/core/crash-words.ts';
import { isCoreOps } from '../../model/ftrace/ops.ts';
import { FTRACE_FL_REGS } from '../../model/ftrace/record.ts';
import type { Kernel } from '../../model/kernel.ts';
import { apply } from '../../model/step.ts';
import { NOP5 } from '../../model/text/text.ts';
import type { AttachLaw } from '../law/sequence-law.ts';
import { isAlive } from '../law/sequence-law.ts';
import { copyKernel } from '../observed/copy-kernel.ts';
import { detachOf } from '../observed/detach.ts';

/** I-24, I-26 and S12, of a copy of the kernel each time that time passes. */
export const detachingEverythingReturnsToBoot: AttachLaw = {
  name: 'ftrace/detaching-everything-returns-to-boot',
  sentence:
    'When everybody has detached and time has passed, nothing is left: text is as after the boot, and no page, table entry, image, reference or pool is kept.',
  source:
    'kernel/trace/ftrace.c  ftrace_shutdown; kernel/bpf/trampoline.c  bpf_tramp_image_put, bpf_trampoline_put',
  witness: 'somebody was attached when time passed',
  judge: (moment) => {
    const { action, after, promises, program } = moment;
    if (action.do !== 'settle' || !isAlive(moment)) return 'no say';
    const k = copyKernel(after);
    k.fault = null;
    for (const detach of [...detaches(promises), ...closes(k), { do: 'settle' } as const]) {
      const { died } = apply(k, detach, program);
      if (died !== undefined)
        return { expected: `${detach.do} of all that is attached`, observed: crashText(died) };
    }
    const left = leftovers(k)[0];
    if (left !== undefined)
      return { expected: 'nothing is left when everybody has detached', observed: `${left} is left` };
    return promises.clients.length > 0 ? 'held' : 'no say';
  },
};

/** The calls that take everybody off, the newest first. */
function detaches(promises: Promises): Action[] {
  const seen = new Set<string>();
  return promises.clients.toReversed().flatMap((client) => {
    if (seen.has(client.object)) return [];
    seen.add(client.object);
    return [detachOf(client, true)];
  });
}

/** File descriptors of programs that are open still. */
function closes({ bpf }: Kernel): Action[] {
  return Object.entries(bpf.progs).flatMap(([prog, { refs, freed }]) => {
    const links = Object.values(bpf.links).filter((link) => link.prog === Number(prog)).length;
    return !freed && refs > links ? [{ do: 'close(prog)' as const, prog: Number(prog) }] : [];
  });
}

/** What should not be there. The trampolines of the kernel's own ops are kept for the next time. */
function leftovers({ text, ftrace, fgraph, probes, bpf, deferred }: Kernel): string[] {
  const sites = Object.keys(text.sites).filter((ip) => text.sites[ip] !== NOP5);
  const records = Object.entries(ftrace.records).filter(
    ([, rec]) => rec.count > 0 || (rec.flags & ~FTRACE_FL_REGS) !== 0,
  );
  const pages = Object.keys(text.pages).filter(
    (name) => !isCoreOps(name.replace(/\.trampoline$/, '')) && text.pages[name]!.isPermanent !== true,
  );
  return [
    ...sites.map((ip) => `the patched call site of ${ip}`),
    ...records.map(([ip]) => `something in the record of ${ip}`),
    ...pages.map((name) => `the page of ${name}`),
    ...ftrace.opsList.map((name) => `${name} on ftrace_ops_list`),
    ...Object.keys(ftrace.directFunctions).map((ip) => `${ip} in direct_functions`),
    ...Object.keys(ftrace.directFuncs).map((addr) => `the descriptor of ${addr}`),
    ...fgraph.subops.map((name) => `${name} in the list of graph_ops`),
    ...(fgraph.active > 0 ? ['ftrace_graph_active'] : []),
    ...Object.keys(probes.kprobeTable).map((ip) => `a kprobe of ${ip}`),
    ...Object.keys(probes.rethooks).map((name) => `the pool of ${name}`),
    ...Object.keys(probes.fprobes).map((name) => `${name} among the fprobes`),
    ...Object.keys(bpf.trampolines).map((target) => `the trampoline of ${target}`),
    ...Object.keys(bpf.images),
    ...Object.keys(bpf.links),
    ...Object.entries(bpf.progs).flatMap(([prog, { freed }]) => (freed ? [] : [`prog#${prog}`])),
    ...deferred.map(({ routine }) => `${routine}, waiting`),
  ];
}
