import { FTRACE_OPS_FL_DIRECT } from '../../../model/ftrace/ops.ts';
import type { Kernel } from '../../../model/kernel.ts';
import { dataOf, findMd, listOf, nodesOf } from '../../../model/trampoline/designs/global/kfunc-md.ts';
import type { AttachBreach } from '../../../properties/attach/run-sequence.ts';
import type { KnownAttach } from '../attach.ts';

/** What all of these have in common: where they were found, and with which designs. */
const OF_GLOBAL = {
  kernels: ['6.12'],
  multiLinks: 'global',
  variants: ['global int in rax', 'global padding'],
} as const;

/** `prog#1 on f1` for each program of a multi link that stands in a function's metadata. */
function attached(k: Kernel): Set<string> {
  const { nodes } = dataOf(k);
  const found = new Set<string>();
  for (const link in k.bpf.links) {
    const { prog, targets, kind } = k.bpf.links[link]!;
    if (kind !== 'tracing multi') continue;
    const list = listOf(k.bpf.progs[prog]!.program.kind);
    for (const target of targets) {
      const md = dataOf(k).mds[findMd(k, target)];
      if (md !== undefined && nodesOf(k, md, list).some((number) => nodes[number]!.prog === prog))
        found.add(`prog#${prog} on ${target}`);
    }
  }
  return found;
}

/** A refused link has taken a program off that another link had put there. */
function takesAnotherOff({ moment: { before, after, action, outcome } }: AttachBreach): boolean {
  if (action.do !== 'BPF_LINK_CREATE' || outcome.errno === 0) return false;
  const left = attached(after);
  return [...attached(before)].some((one) => !left.has(one));
}

/** A function stays in the filter of the ops although its last program has left. */
function staysInTheFilter({ moment: { after } }: AttachBreach): boolean {
  return Object.entries(after.ftrace.ops).some(
    ([name, { filter, flags }]) =>
      name.startsWith('tr(global_tr_array[') &&
      (flags & FTRACE_OPS_FL_DIRECT) !== 0 &&
      filter.some((ip) => (dataOf(after).mds[findMd(after, ip)]?.progCount ?? 0) === 0),
  );
}

/** What the global trampoline breaks, by reading D3, D5 and D7 among it. */
export const KNOWN_GLOBAL: readonly KnownAttach[] = [
  {
    ...OF_GLOBAL,
    name: 'global-rollback-takes-an-earlier-link-off',
    sentence:
      'D3: a link is refused for a function that has its program already; the rollback takes the program off all functions of the link, and with it the node of the link that was there before.',
    evidence:
      '[PATCH bpf-next v2 05/18] bpf: introduce bpf_gtramp_link  bpf_gtrampoline_link_prog: on_fallback; __bpf_gtrampoline_unlink_prog walks to link->entry_cnt, not to cnt',
    law: 'ftrace/refused-calls-leave-no-trace',
    shows: /^(EEXIST|ENOMEM), and \S+ is .*, as before \/ it is .*$/,
    when: takesAnotherOff,
    example:
      'f1 = function(u64 -> u64); prog#1 = BPF_PROG_LOAD(fentry multi); link#1 = BPF_LINK_CREATE(prog#1, { f1 }); link#2 = BPF_LINK_CREATE(prog#1, { f1 })',
  },
  {
    ...OF_GLOBAL,
    name: 'global-update-fails-behind-a-detach',
    sentence:
      'A program is taken off, and there is no memory for the list of functions that are left: nobody is told, the call site goes on leading to the global trampoline, and the next call finds no metadata.',
    evidence:
      '[PATCH bpf-next v2 05/18] bpf: introduce bpf_gtramp_link  __bpf_gtrampoline_unlink_prog: the answer of bpf_gtrampoline_update_all() is dropped; kfunc_md_bpf_ips: kmalloc_array()',
    law: 'ftrace/sites-follow-from-the-ops',
    shows:
      /^\w+, traced by tr\(global_tr_array\[\d\]\)\.fops, holds call a direct call that nobody asked for \/ /,
    when: staysInTheFilter,
    example:
      'f1 = function(u64 -> u64); prog#1 = BPF_PROG_LOAD(fentry multi); link#1 = BPF_LINK_CREATE(prog#1, { f1 }); the next allocation in bpf_gtrampoline_update fails; close(link#1)',
  },
  {
    ...OF_GLOBAL,
    name: 'global-oldest-program-first',
    sentence:
      'Programs are appended to the list of a function: the oldest runs first, where the newest does in every image.',
    evidence:
      '[PATCH bpf-next v2 01/18] bpf: add function hash table for tracing-multi  kfunc_md_bpf_link: "add the new prog to the list tail"',
    law: 'ftrace/newer-clients-run-first',
    shows:
      /^prog#\d+, newer than prog#\d+, sees a call of \w+ before it \/ prog#\d+ \(program\) sees it first$/,
    example:
      'f1 = function(u64 -> u64); prog#1 = BPF_PROG_LOAD(fentry multi); prog#2 = BPF_PROG_LOAD(fentry multi); link#1 = BPF_LINK_CREATE(prog#1, { f1 }); link#2 = BPF_LINK_CREATE(prog#2, { f1 }); task#1 calls f1(0x5100000071000000)',
  },
];
