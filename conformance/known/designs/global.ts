import type { AttachBreach } from '../../../checker/sequences/played.ts';
import type { FunctionName, Ip, ProgId } from '../../../model/core/ids.ts';
import { entry } from '../../../model/core/present.ts';
import { FTRACE_OPS_FL_DIRECT } from '../../../model/ftrace/ops.ts';
import type { KernelView } from '../../../model/kernel.ts';
import { dataOf, findMd, listOf, nodesOf } from '../../../model/trampoline/designs/global/kfunc-md.ts';
import { equal, ZERO } from '../../../model/x86/word.ts';
import type { AttachFindingOf } from '../../../properties/finding/attach-finding.ts';
import type { KnownAttach } from '../attach.ts';
import { known } from '../attach.ts';
import { failuresOf, isAbsent, isBelow, programNumber } from '../cause.ts';
import { KNOWN_GLOBAL_CALLS, OF_GLOBAL } from './global-calls.ts';
import { KNOWN_GLOBAL_REGS } from './global-regs.ts';

/** `prog#1 on f1` for each program of a multi link in the metadata of a function. The file is long on purpose: one table. */
function attached(k: KernelView): Set<string> {
  const { nodes } = dataOf(k);
  const found = new Set<string>();
  for (const link in k.bpf.links) {
    const { prog, targets, kind } = entry(k.bpf.links, link);
    if (kind !== 'tracing multi') continue;
    const list = listOf(entry(k.bpf.progs, prog).program.kind);
    for (const target of targets) {
      const md = dataOf(k).mds[findMd(k, target)];
      if (md !== undefined && nodesOf(k, md, list).some((number) => entry(nodes, number).prog === prog))
        found.add(`prog#${prog} on ${target}`);
    }
  }
  return found;
}

/** A refused link has removed a program that another link had attached. */
function takesAnotherOff({ moment: { before, after, action, outcome } }: AttachBreach): boolean {
  if (action.do !== 'BPF_LINK_CREATE' || outcome.errno === 0) return false;
  const left = attached(after);
  return [...attached(before)].some((name) => !left.has(name));
}

/** Sixteen functions: the hash grows for the last of them. */
const SIXTEEN = Array.from({ length: 16 }, (_, i) => `f${i + 1} = function(u64 -> u64)`).join('; ');

function named(from: number, to: number): string {
  return Array.from({ length: to - from + 1 }, (_, i) => `f${from + i}`).join(', ');
}

/** Links of the global trampoline have a program on it. */
function hasPrograms(k: KernelView, target: FunctionName): boolean {
  return (dataOf(k).mds[findMd(k, target)]?.progCount ?? 0) > 0;
}

/** Functions that stay in the filter of the ops although their last program was detached. */
export function leftInFilters(k: KernelView): readonly Ip[] {
  return Object.entries(k.ftrace.ops).flatMap(([name, { filter, flags }]) =>
    name.startsWith('tr(global_tr_array[') && (flags & FTRACE_OPS_FL_DIRECT) !== 0
      ? filter.filter((ip) => !hasPrograms(k, ip))
      : [],
  );
}

function staysInTheFilter({ moment: { after } }: AttachBreach): boolean {
  return leftInFilters(after).length > 0;
}

/** Several fmod_ret programs are on a function in this call, and one of them stops it. */
function isAmongModifiers({ bpf }: KernelView, prog: ProgId): boolean {
  const isModifier = (id: number) =>
    bpf.progs[id]?.program.kind === 'fmod_ret' && bpf.progs[id].program.multi;
  const links = Object.values(bpf.links).filter((link) => isModifier(link.prog));
  const own = links.filter((link) => link.prog === prog).flatMap(({ targets }) => targets);
  const beside = links.filter((link) => link.targets.some((target) => own.includes(target)));
  return (
    beside.some((link) => link.prog !== prog) &&
    beside.some((link) => !equal(entry(bpf.progs, link.prog).returns, ZERO))
  );
}

/** A function of the global trampoline's ops has an unrequested direct call. */
function isLedByGlobal({ tracing, expected, observed }: AttachFindingOf<'site-differs'>): boolean {
  return (
    tracing.length === 1 &&
    GLOBAL_OPS.test(tracing[0] ?? '') &&
    expected.is === 'an unrequested direct call' &&
    observed.is === 'call'
  );
}

/** The ops of the global trampoline, by the number of arguments that it saves; and its entry code. */
const GLOBAL_OPS = /^tr\(global_tr_array\[\d\]\)\.fops$/;
const GLOBAL_CALLER = /^bpf_global_caller_\d$/;

const ROLLBACK =
  '[PATCH bpf-next v2 05/18] bpf: introduce bpf_gtramp_link  bpf_gtrampoline_link_prog: on_fallback; __bpf_gtrampoline_unlink_prog walks to link->entry_cnt, and returns at the first kfunc_md_bpf_unlink() that fails';
const UPDATE =
  '[PATCH bpf-next v2 05/18] bpf: introduce bpf_gtramp_link  __bpf_gtrampoline_unlink_prog: the answer of bpf_gtrampoline_update_all() is dropped; kfunc_md_bpf_ips: kmalloc_array()';

/** D3, and other failures of rollback. */
const UNDONE: readonly KnownAttach[] = [
  known({
    ...OF_GLOBAL,
    name: 'global-rollback-takes-an-earlier-link-off',
    sentence:
      'D3: a link is refused for a function that already has its program; the rollback removes the program from all functions of the link, including the node of the earlier link.',
    evidence: ROLLBACK,
    law: 'ftrace/failed-calls-have-no-effect',
    finding: 'refusal-leaves-a-trace',
    when: ({ errno }, breach) => (errno === 'EEXIST' || errno === 'ENOMEM') && takesAnotherOff(breach),
    example:
      'f1 = function(u64 -> u64); prog#1 = BPF_PROG_LOAD(fentry multi); link#1 = BPF_LINK_CREATE(prog#1, { f1 }); link#2 = BPF_LINK_CREATE(prog#1, { f1 })',
  }),
  known({
    ...OF_GLOBAL,
    name: 'global-rollback-leaks-users',
    sentence:
      'D3: the rollback stops at the first function of the link that the program did not reach, and the users of the functions before it stay counted: their metadata is never freed.',
    evidence: ROLLBACK,
    law: 'ftrace/multi-link-bookkeeping-is-consistent',
    finding: 'user-count-differs',
    when: ({ expected, observed }, { moment: { action, outcome } }) =>
      action.do === 'BPF_LINK_CREATE' && outcome.errno !== 0 && observed > expected,
    example:
      'f1 = function(u64 -> u64); f2 = function(u64 -> u64); f3 = function(u64 -> u64); prog#1 = BPF_PROG_LOAD(fentry multi); prog#2 = BPF_PROG_LOAD(fentry multi); link#1 = BPF_LINK_CREATE(prog#1, { f2 }); link#2 = BPF_LINK_CREATE(prog#2, { f2, f3 }); link#3 = BPF_LINK_CREATE(prog#1, { f1, f2, f3 })',
  }),
  known({
    ...OF_GLOBAL,
    name: 'global-rollback-leaks-users-seen-by-failed-calls-have-no-effect',
    sentence:
      'The same metadata of the functions before that one, as the trace of a refused link; also where ftrace is dead.',
    evidence: ROLLBACK,
    law: 'ftrace/failed-calls-have-no-effect',
    finding: 'refusal-leaves-a-trace',
    when: ({ errno, changes }, { moment: { action } }) =>
      errno === 'ENOMEM' &&
      action.do === 'BPF_LINK_CREATE' &&
      action.targets.length > 1 &&
      changes.every(({ place }) => isBelow(place, 'bpf', 'design')),
    example:
      'prog#1 = BPF_PROG_LOAD(fentry multi); link#1 = BPF_LINK_CREATE(prog#1, { f1 }); prog#2 = BPF_PROG_LOAD(fentry multi); the 2nd allocation in kfunc_md_bpf_link fails; link#2 = BPF_LINK_CREATE(prog#2, { f2, f1 })',
  }),
  known({
    ...OF_GLOBAL,
    name: 'global-rollback-warns',
    sentence:
      'D3: the rollback comes to functions that the link has not reached, and warns of each that has no metadata.',
    evidence: ROLLBACK,
    law: 'ftrace/no-warning-without-misuse',
    finding: 'call-warns',
    when: ({ action, warnings }, { moment: { outcome } }) =>
      action === 'BPF_LINK_CREATE' && outcome.errno !== 0 && warnings.every(({ is }) => is === 'no metadata'),
    example:
      'prog#1 = BPF_PROG_LOAD(fentry multi); the next allocation in kfunc_md_create fails; link#1 = BPF_LINK_CREATE(prog#1, { f1 })',
  }),
  known({
    ...OF_GLOBAL,
    name: 'global-rollback-leaves-the-site',
    sentence:
      'D3: when the rollback stops early, the filter is not set again: a function that lost its last program still calls the global trampoline.',
    evidence: ROLLBACK,
    law: 'ftrace/call-sites-match-ops',
    finding: 'site-differs',
    when: (finding, breach) =>
      isLedByGlobal(finding) &&
      takesAnotherOff(breach) &&
      staysInTheFilter(breach) &&
      breach.moment.faults.length === 0,
    example:
      'f1 = function(u64 -> u64); f2 = function(u64 -> u64); prog#1 = BPF_PROG_LOAD(fentry multi); prog#2 = BPF_PROG_LOAD(fentry multi); link#1 = BPF_LINK_CREATE(prog#1, { f1 }); link#2 = BPF_LINK_CREATE(prog#2, { f2 }); link#3 = BPF_LINK_CREATE(prog#1, { f1, f2 })',
  }),
  known({
    ...OF_GLOBAL,
    name: 'global-update-fails-after-a-detach',
    sentence:
      'A program is detached without memory for the list of remaining functions: no error is returned, the call site still calls the global trampoline, and the next call finds no metadata.',
    evidence: UPDATE,
    law: 'ftrace/call-sites-match-ops',
    finding: 'site-differs',
    when: (finding, breach) =>
      isLedByGlobal(finding) && staysInTheFilter(breach) && breach.moment.faults.length > 0,
    example:
      'f1 = function(u64 -> u64); prog#1 = BPF_PROG_LOAD(fentry multi); link#1 = BPF_LINK_CREATE(prog#1, { f1 }); the next allocation in bpf_gtrampoline_update fails; close(link#1)',
  }),
  known({
    ...OF_GLOBAL,
    name: 'global-update-fails-beside-another-ops',
    sentence:
      'The same where another ops traces the function, or tracing is off: its site is right, its direct call is not.',
    evidence: UPDATE,
    law: 'ftrace/direct-functions-match-direct-ops',
    finding: 'direct-entry-differs',
    when: ({ ip, owner, expected, observed }, breach) => {
      const { records, enabled } = breach.moment.after.ftrace;
      return (
        GLOBAL_OPS.test(owner ?? '') &&
        expected === null &&
        GLOBAL_CALLER.test(observed ?? '') &&
        staysInTheFilter(breach) &&
        (entry(records, ip).count > 1 || !enabled)
      );
    },
    example:
      'f1 = function(u64 -> u64); prog#1 = BPF_PROG_LOAD(fentry multi); link#1 = BPF_LINK_CREATE(prog#1, { f1 }); register_kprobe(kprobe#1, f1); the next allocation in bpf_gtrampoline_update fails; close(link#1)',
  }),
  known({
    ...OF_GLOBAL,
    name: 'global-failed-reset-leaves-direct-calls',
    sentence:
      'A function is added to direct_functions, and then memory is short for the filter: the entry stays and blocks every other direct call of the function.',
    evidence:
      '[PATCH bpf-next v2 04/18] ftrace: add reset_ftrace_direct_ips  after a failing ftrace_set_filter_ips() only functions of the old hash are taken out of direct_functions',
    law: 'ftrace/direct-functions-match-direct-ops',
    finding: 'direct-entry-differs',
    when: ({ owner, observed }, breach) =>
      owner === null &&
      GLOBAL_CALLER.test(observed ?? '') &&
      failuresOf(breach).some(({ what }) => what === 'allocation'),
    example:
      'f1 = function(u64 -> u64); f2 = function(u64 -> u64); prog#1 = BPF_PROG_LOAD(fentry multi); link#1 = BPF_LINK_CREATE(prog#1, { f1 }); the next allocation in ftrace_set_hash fails; link#2 = BPF_LINK_CREATE(prog#1, { f2 })',
  }),
  known({
    ...OF_GLOBAL,
    name: 'global-refused-link-takes-a-stale-entry-away',
    sentence:
      'The entry of a function whose last program was detached without memory stays, until a link that is refused as well takes it out of direct_functions.',
    evidence: UPDATE,
    law: 'ftrace/failed-calls-have-no-effect',
    finding: 'refusal-leaves-a-trace',
    when: ({ changes }, { moment: { action, before } }) =>
      action.do === 'BPF_LINK_CREATE' &&
      changes.every(
        ({ place, observed }) =>
          isBelow(place, 'ftrace', 'directFunctions') &&
          isAbsent(observed) &&
          !hasPrograms(before, String(place.at(-1))),
      ),
    example:
      'f1 = function(u64 -> u64); prog#1 = BPF_PROG_LOAD(fentry multi); link#1 = BPF_LINK_CREATE(prog#1, { f1 }); the next poke in ftrace_replace_code fails; register_kprobe(kprobe#1, f1); the next allocation in bpf_gtrampoline_update fails; close(link#1); the next allocation in bpf_gtrampoline_update fails; link#1 = BPF_LINK_CREATE(prog#1, { f1 })',
  }),
  known({
    ...OF_GLOBAL,
    variants: ['global int in rax'],
    name: 'global-failed-resize-keeps-its-array',
    sentence:
      'D7: memory is short for a copy of the metadata: the copies made so far are freed, the new array is not. The entry count of the remaining array is right.',
    evidence:
      '[PATCH bpf-next v2 01/18] bpf: add function hash table for tracing-multi  kfunc_md_array_adjust: err_out frees the entries of new_mds, and not new_mds',
    law: 'ftrace/multi-link-bookkeeping-is-consistent',
    finding: 'array-is-never-freed',
    when: (_, breach) => failuresOf(breach).some(({ where }) => where === '__kfunc_md_create'),
    example: `${SIXTEEN}; prog#1 = BPF_PROG_LOAD(fentry multi); link#1 = BPF_LINK_CREATE(prog#1, { ${named(1, 7)} }); link#2 = BPF_LINK_CREATE(prog#1, { ${named(8, 16)} }); the next allocation in __kfunc_md_create fails; close(link#1)`,
  }),
];

/** Breaches of the global trampoline; D1 and D2 need overlapping tasks, and are listed with those. */
export const KNOWN_GLOBAL: readonly KnownAttach[] = [
  ...UNDONE,
  known({
    ...OF_GLOBAL,
    name: 'global-trampoline-meets-a-live-patch',
    sentence:
      'D5: an IPMODIFY ops joins a function of the global trampoline, or the reverse: bpf_tramp_ftrace_ops_func() takes the entry of global_tr_array for a struct bpf_trampoline and locks the memory after it.',
    evidence:
      '[PATCH bpf-next v2 05/18] bpf: introduce bpf_gtramp_link  init_trampolines: fops->private = global_tr, fops->ops_func = bpf_tramp_ftrace_ops_func',
    law: 'ftrace/operations-neither-oops-nor-hang',
    finding: 'operation-dies',
    when: ({ died }) => died.is === 'no trampoline' && died.target.startsWith('global_tr_array['),
    example:
      'f1 = function(u64 -> u64); ops#1 = ftrace_ops(SAVE_REGS | IPMODIFY); ftrace_set_filter_ip(ops#1, f1); prog#1 = BPF_PROG_LOAD(fentry multi); link#1 = BPF_LINK_CREATE(prog#1, { f1 }); register_ftrace_function(ops#1)',
  }),
  known({
    ...OF_GLOBAL,
    name: 'global-oldest-program-first',
    sentence:
      "Programs are appended to a function's list: the oldest runs first, whereas in every image the newest does.",
    evidence: '[PATCH bpf-next v2 01/18] bpf: add function hash table for tracing-multi  kfunc_md_bpf_link',
    law: 'ftrace/newer-clients-run-first',
    finding: 'older-client-runs-first',
    when: ({ newer, older, kind }, { moment: { after } }) =>
      kind === 'program' &&
      [newer, older].every((who) => after.bpf.progs[programNumber(who)]?.program.multi === true),
    example:
      'f1 = function(u64 -> u64); prog#1 = BPF_PROG_LOAD(fentry multi); prog#2 = BPF_PROG_LOAD(fentry multi); link#1 = BPF_LINK_CREATE(prog#1, { f1 }); link#2 = BPF_LINK_CREATE(prog#2, { f1 }); task#1 calls f1(0x5100000071000000)',
  }),
  known({
    ...OF_GLOBAL,
    name: 'global-oldest-program-decides',
    sentence:
      'The same for two fmod_ret programs: the oldest runs first, and if it stops the call the newer one does not run.',
    evidence: '[PATCH bpf-next v2 01/18] bpf: add function hash table for tracing-multi  kfunc_md_bpf_link',
    law: 'ftrace/probes-fire-exactly-once',
    finding: 'hits-differ',
    when: ({ who, kind, expected, observed }, { moment: { after } }) =>
      kind === 'program' && expected + observed === 1 && isAmongModifiers(after, programNumber(who)),
    example:
      'f1 = function(u64 -> u64); prog#1 = BPF_PROG_LOAD(fmod_ret multi returns=0x5eed); prog#2 = BPF_PROG_LOAD(fmod_ret multi); link#1 = BPF_LINK_CREATE(prog#1, { f1 }); link#2 = BPF_LINK_CREATE(prog#2, { f1 }); task#1 calls f1(0x5100000071000000)',
  }),
  ...KNOWN_GLOBAL_CALLS,
  ...KNOWN_GLOBAL_REGS,
];
