import { ftraceJmpGet } from '../../model/ftrace/jmp.ts';
import type { Kernel } from '../../model/kernel.ts';
import { branchTarget, PAGE_BYTES, SPACE } from '../../model/text/space.ts';
import { allocatedOn, isAllocated, NOP5, siteAddress } from '../../model/text/text.ts';
import type { AttachLaw } from '../law/sequence-law.ts';

/** S5, and the part of I-20 that one processor shows. A dead ftrace leaves its sites as they are: this still holds. */
export const nobodyLeadsToARetiredImage: AttachLaw = {
  name: 'ftrace/nobody-leads-to-a-retired-image',
  sentence:
    'No call site, direct call, ops or trampoline leads to executable memory that is retired or freed.',
  source:
    'kernel/bpf/trampoline.c  bpf_trampoline_update, bpf_tramp_image_put; kernel/trace/ftrace.c  ftrace_trampoline_free',
  witness: 'something led to memory that can be freed',
  judge: ({ after: k, outcome }) => {
    if (outcome.died !== undefined) return 'no say';
    const freed = k.ftrace.opsList.find((name) => k.ftrace.ops[name] === undefined);
    if (freed !== undefined)
      return { expected: `${freed} stays allocated: it is on ftrace_ops_list`, observed: 'it is freed' };
    let witness = false;
    for (const [who, page] of leads(k)) {
      witness = true;
      if (!isAllocated(k, page))
        return { expected: `what ${who} leads to stays mapped`, observed: `${page} is freed` };
      if (k.bpf.images[page]?.state === 'draining')
        return { expected: `what ${who} leads to is in use`, observed: `${page} is retired` };
    }
    return witness ? 'held' : 'no say';
  },
};

/** Everything that leads to memory that was allocated: who, and which page. */
function leads(k: Kernel): [string, string][] {
  const found: [string, string][] = [];
  for (const ip in k.text.sites) {
    const page = pageOfSite(k, ip);
    if (page !== '') found.push([`the call site of ${ip}`, page]);
  }
  for (const ip in k.ftrace.directFunctions) {
    const target = ftraceJmpGet(k.ftrace.directFunctions[ip]!);
    if (target.startsWith('tramp#')) found.push([`the direct call of ${ip}`, target]);
  }
  for (const name of k.ftrace.opsList) {
    const { trampoline } = k.ftrace.ops[name]!;
    if (trampoline.endsWith('.trampoline')) found.push([name, trampoline]);
  }
  for (const target in k.bpf.trampolines) {
    const { curImage } = k.bpf.trampolines[target]!;
    if (curImage !== '') found.push([`the BPF trampoline of ${target}`, curImage]);
  }
  return found;
}

/** The page that a site's branch lands on; empty when it leads to text that stays. */
function pageOfSite(k: Kernel, ip: string): string {
  const bytes = k.text.sites[ip]!;
  if (bytes === NOP5) return '';
  const to = branchTarget(bytes, siteAddress(k, ip));
  const offset = (to.lo - SPACE.PAGES.lo) | 0;
  if (to.hi !== SPACE.PAGES.hi || offset < 0) return '';
  const at = Math.floor(offset / PAGE_BYTES);
  return allocatedOn(k, at, offset % PAGE_BYTES)?.name ?? `page ${at}`;
}
