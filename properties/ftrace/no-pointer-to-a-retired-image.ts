import type { Ip } from '../../model/core/ids.ts';
import { entry } from '../../model/core/present.ts';
import { ftraceJmpGet } from '../../model/ftrace/jmp.ts';
import type { KernelView } from '../../model/kernel.ts';
import { allocatedOn } from '../../model/text/allocated-on.ts';
import { branchTarget, PAGE_BYTES, SPACE } from '../../model/text/space.ts';
import { isAllocated, NOP5, siteAddress } from '../../model/text/text.ts';
import type { Lead } from '../finding/state-finding.ts';
import type { AttachLaw } from '../law/sequence-law.ts';

/** S5, and the part of I-20 that one CPU shows. It holds for a dead ftrace too, which leaves its sites alone. */
export const noPointerToARetiredImage: AttachLaw = {
  name: 'ftrace/no-pointer-to-a-retired-image',
  sentence: 'No call site, direct call, ops or trampoline points to retired or freed executable memory.',
  source:
    'kernel/bpf/trampoline.c  bpf_trampoline_update, bpf_tramp_image_put; kernel/trace/ftrace.c  ftrace_trampoline_free',
  witness: 'a pointer to executable memory that can be freed',
  settled: true,
  judge: ({ after: k, outcome }) => {
    if (outcome.died !== undefined) return 'not applicable';
    const freed = k.ftrace.opsList.find((name) => k.ftrace.ops[name] === undefined);
    if (freed !== undefined) return { is: 'ops-is-freed-on-the-list', ops: freed };
    let witness = false;
    for (const [from, page] of leads(k)) {
      witness = true;
      if (!isAllocated(k, page)) return { is: 'leads-to-memory-that-left', from, page, state: 'freed' };
      if (k.bpf.images[page]?.state === 'draining')
        return { is: 'leads-to-memory-that-left', from, page, state: 'retired' };
    }
    return witness ? 'held' : 'not applicable';
  },
};

/** All pointers to allocated memory: the place, and the page it points to. */
export function leads(k: KernelView): [Lead, string][] {
  const found: [Lead, string][] = [];
  for (const ip in k.text.sites) {
    const page = pageOfSite(k, ip);
    if (page !== '') found.push([{ is: 'call site', of: ip }, page]);
  }
  for (const ip in k.ftrace.directFunctions) {
    const target = ftraceJmpGet(entry(k.ftrace.directFunctions, ip));
    if (target.startsWith('tramp#')) found.push([{ is: 'direct call', of: ip }, target]);
  }
  for (const name of k.ftrace.opsList) {
    const { trampoline } = entry(k.ftrace.ops, name);
    if (trampoline.endsWith('.trampoline')) found.push([{ is: 'ops', of: name }, trampoline]);
  }
  for (const target in k.bpf.trampolines) {
    const { curImage } = entry(k.bpf.trampolines, target);
    if (curImage !== '') found.push([{ is: 'BPF trampoline', of: target }, curImage]);
  }
  return found;
}

/** The page that a site's branch targets; empty when it targets permanent text. */
function pageOfSite(k: KernelView, ip: Ip): string {
  const bytes = entry(k.text.sites, ip);
  if (bytes === NOP5) return '';
  const to = branchTarget(bytes, siteAddress(k, ip));
  const offset = (to.lo - SPACE.PAGES.lo) | 0;
  if (to.hi !== SPACE.PAGES.hi || offset < 0) return '';
  const index = Math.floor(offset / PAGE_BYTES);
  return allocatedOn(k, index, offset % PAGE_BYTES)?.name ?? `page ${index}`;
}
