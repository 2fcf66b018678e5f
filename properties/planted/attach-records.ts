import type { Action } from '../../model/action.ts';
import type { Edit } from '../../model/core/link.ts';
import type { Locals, Part } from '../../model/core/part.ts';
import type { KernelVersion } from '../../model/core/profile.ts';
import type { World } from '../../model/core/world.ts';
import { FTRACE_FL_TRAMP } from '../../model/ftrace/record.ts';
import { FTRACE_UPDATE_TRACE_FUNC } from '../../model/ftrace/update-code.ts';
import type { Kernel } from '../../model/kernel.ts';
import type { AttachLaw } from '../attach/moment.ts';
import { countersAreTheNumberOfUsers } from '../ftrace/counters-are-the-number-of-users.ts';
import { deadIsAbsorbing } from '../ftrace/dead-is-absorbing.ts';
import { detachingNeedsNoMemory } from '../ftrace/detaching-needs-no-memory.ts';
import { directTableIsTheUnionOfFilters } from '../ftrace/direct-table-is-the-union-of-filters.ts';
import { filtersDoNotBecomeEverything } from '../ftrace/filters-do-not-become-everything.ts';
import { innerCallsLeadToASafeHandler } from '../ftrace/inner-calls-lead-to-a-safe-handler.ts';
import { noJumpUnderALivePatch } from '../ftrace/no-jump-under-a-live-patch.ts';
import { nobodyLeadsToARetiredImage } from '../ftrace/nobody-leads-to-a-retired-image.ts';
import { privateTrampolinesCallTheirOps } from '../ftrace/private-trampolines-call-their-ops.ts';
import { programsAndImageAgree } from '../ftrace/programs-and-image-agree.ts';
import { recordFlagsFollowFromTheOps } from '../ftrace/record-flags-follow-from-the-ops.ts';
import { referencesAreCounted } from '../ftrace/references-are-counted.ts';
import { refusedCallsLeaveNoTrace } from '../ftrace/refused-calls-leave-no-trace.ts';
import { sitesFollowFromTheOps } from '../ftrace/sites-follow-from-the-ops.ts';
import { sitesHoldWhatIsInEffect } from '../ftrace/sites-hold-what-is-in-effect.ts';
import {
  direct,
  failing,
  filter,
  fprobe,
  graph,
  kprobe,
  kretprobe,
  link,
  livePatch,
  load,
  loadKprobeMulti,
} from './attach-actions.ts';

/** A deliberate fault of one routine, that one law has to catch. */
export interface PlantedAttach {
  readonly name: string;
  /** What is wrong, in one sentence. */
  readonly sentence: string;
  /** The real bug that it re-enacts: subject of its fix and first fixed release, when there is one. */
  readonly history: string | undefined;
  readonly law: AttachLaw;
  readonly profile: KernelVersion;
  readonly edits: readonly Edit[];
  /** The shortest sequence that shows it, as the search finds and shrinks it with seed 1. */
  readonly smallest: readonly Action[];
  /** What the law says of it: what was expected, and what was seen. */
  readonly finding: string;
}

function edit(routine: string, label: string, replace: Edit['replace']): Edit {
  return { routine, label, replace };
}

const dropped = (): Part[] => [];

/** The same step, and something more. */
function then(change: (k: Kernel, at: Locals) => void): Edit['replace'] {
  return (part) => [part, { kind: 'step', label: 'planted', run: change as (k: World, at: Locals) => void }];
}

/** The inner parts without what holds them together. */
function bare(part: Part): readonly Part[] {
  return part.kind === 'attempt' || part.kind === 'hold' ? part.parts : [part];
}

export const PLANTED_RECORDS: readonly PlantedAttach[] = [
  {
    name: 'tramp-survives-a-second-ops',
    sentence: 'TRAMP is not cleared when a second ops joins a site.',
    history: undefined,
    law: recordFlagsFollowFromTheOps,
    profile: '6.12',
    edits: [
      edit(
        'ftrace_startup',
        'count the ops in its records',
        then((k) => {
          for (const rec of Object.values(k.ftrace.records)) if (rec.count > 1) rec.flags |= FTRACE_FL_TRAMP;
        }),
      ),
    ],
    smallest: [kprobe(1, 'f1'), graph(1)],
    finding:
      'the record of f1: count 2, ENABLED | REGS | REGS_EN, traced by graph_ops, kprobe_ftrace_ops / count 2, ENABLED | REGS | REGS_EN | TRAMP | TRAMP_EN',
  },
  {
    name: 'slow-path-is-kept',
    sentence: 'A site whose count goes back to one stays on the way through the list.',
    history: 'ftrace: Enable trampoline when rec count returns back to one (5.3)',
    law: sitesFollowFromTheOps,
    profile: '6.12',
    edits: [
      edit(
        'ftrace_shutdown',
        'take the ops from its records',
        then((k) => {
          for (const rec of Object.values(k.ftrace.records)) rec.flags &= ~FTRACE_FL_TRAMP;
        }),
      ),
    ],
    smallest: [kprobe(1, 'f1'), fprobe(2, 'cb'), { do: 'unregister_fprobe', fprobe: 'fprobe#2' }],
    finding:
      'f1, traced by kprobe_ftrace_ops, holds call kprobe_ftrace_ops.trampoline / it holds call ftrace_regs_caller',
  },
  {
    name: 'change-without-a-detour',
    sentence:
      'The address of a direct call changes in the table alone: the record looks as before, and the site is not patched.',
    history: undefined,
    law: sitesHoldWhatIsInEffect,
    profile: '6.12',
    edits: [edit('__modify_ftrace_direct', 'register_ftrace_function_nolock', dropped)],
    smallest: [
      filter('direct#1', 'f1'),
      direct('direct#1', 1),
      { do: 'modify_ftrace_direct', ops: 'direct#1', addr: 'my_tramp3' },
    ],
    finding: 'f1 holds a branch to my_tramp3: its record says that this is in effect / call my_tramp1',
  },
  {
    name: 'one-handler-for-many',
    sentence: 'The inner calls are not led to the list when a second ops is registered.',
    history: undefined,
    law: innerCallsLeadToASafeHandler,
    profile: '6.12',
    edits: [
      edit(
        'ftrace_startup',
        'count the ops in its records',
        then((_, at) => {
          at['command'] = Number(at['command']) & ~FTRACE_UPDATE_TRACE_FUNC;
        }),
      ),
    ],
    smallest: [kprobe(1, 'f1')],
    finding: 'ftrace_call calls kprobe_ftrace_handler, with kprobe_ftrace_ops registered / call ftrace_stub',
  },
  {
    name: 'trampoline-of-another',
    sentence: 'A copy of the entry code hands the ops over that was registered before.',
    history: undefined,
    law: privateTrampolinesCallTheirOps,
    profile: '6.12',
    edits: [
      edit(
        '__register_ftrace_function',
        'update the trampoline of the ops',
        then((k, at) => {
          const [, before] = k.ftrace.opsList;
          const page = k.text.pages[`${String(at['ops'])}.trampoline`];
          const other = before === undefined ? undefined : k.text.pages[`${before}.trampoline`];
          if (page !== undefined && other !== undefined)
            page.bytes = page.bytes.slice(0, -16) + other.bytes.slice(-16);
        }),
      ),
    ],
    smallest: [kprobe(1, 'f1'), graph(1)],
    finding: 'graph_ops.trampoline hands graph_ops over / it hands kprobe_ftrace_ops over',
  },
  {
    name: 'direct-entry-is-left',
    sentence: 'A registration that fails leaves its entries in direct_functions.',
    history: 'ftrace: Fix BPF fexit with livepatch (6.18; 6.12.59)',
    law: directTableIsTheUnionOfFilters,
    profile: '6.12',
    edits: [edit('register_ftrace_direct', 'remove the direct calls', dropped)],
    smallest: [kprobe(1, 'cb', true), filter('direct#1', 'cb'), direct('direct#1', 1)],
    finding: 'direct_functions does not have cb: no direct ops has it / it leads to my_tramp1',
  },
  {
    name: 'no-rollback-of-a-direct-call',
    sentence: 'An ops whose registration as a direct call was refused keeps func and trampoline.',
    history: 'ftrace: Fix BPF fexit with livepatch (6.18; 6.12.59)',
    law: refusedCallsLeaveNoTrace,
    profile: '6.12',
    edits: [edit('register_ftrace_direct', 'reset the ops', dropped)],
    smallest: [kprobe(1, 'cb', true), filter('direct#1', 'cb'), direct('direct#1', 1)],
    finding: 'EBUSY, and ftrace/ops/direct#1/func is –, as before / it is call_direct_funcs',
  },
  {
    name: 'image-of-a-failed-attach-is-lost',
    sentence: 'The image that was made for an attach that fails is never freed.',
    history: 'bpf: Fix memleak due to fentry attach failure (6.5; 6.1.52)',
    law: refusedCallsLeaveNoTrace,
    profile: '6.12',
    edits: [edit('bpf_trampoline_update', 'it failed', dropped)],
    smallest: [filter('direct#1', 'cb'), direct('direct#1', 1), load(5, 'fentry', 'cb'), link(8, 5)],
    finding: 'EBUSY, and text/pages/tramp#1 is –, as before / it is there',
  },
  {
    name: 'image-is-retired-before-the-site-leaves-it',
    sentence: 'The new image is put instead of the old one, which no call site leads to any more.',
    history: undefined,
    law: nobodyLeadsToARetiredImage,
    profile: '6.12',
    edits: [
      edit(
        'modify_fentry',
        'switch to the image',
        then((_, at) => {
          at['old'] = at['image'];
        }),
      ),
    ],
    smallest: [load(1, 'fentry', 'f1'), link(8, 1), load(4, 'fentry', 'f1'), link(4, 4)],
    finding: 'what the call site of f1 leads to is in use / tramp#2 is retired',
  },
  {
    name: 'dead-ftrace-takes-clients',
    sentence: 'ftrace_startup() does not look whether ftrace is dead.',
    history: undefined,
    law: deadIsAbsorbing,
    profile: '6.12',
    edits: [edit('ftrace_startup', 'ftrace is dead', dropped)],
    smallest: [
      failing('poke', 'ftrace_replace_code'),
      loadKprobeMulti(7),
      filter('direct#1', 'f2'),
      link(8, 7, ['rec']),
      direct('direct#1', 1),
    ],
    finding: 'ftrace/records/f2/count stays 0 while ftrace is dead / it is 1',
  },
  {
    name: 'failed-program-stays-in-the-list',
    sentence: 'A program whose image cannot be led to stays in the list of its trampoline.',
    history: undefined,
    law: programsAndImageAgree,
    profile: '6.12',
    edits: [edit('__bpf_trampoline_link_prog', 'attempt', bare)],
    smallest: [filter('direct#1', 'cb'), direct('direct#1', 1), load(5, 'fentry', 'cb'), link(8, 5)],
    finding: 'the image of cb is the one for prog#5 / there is none',
  },
  {
    name: 'reference-of-a-failed-link-is-lost',
    sentence: 'A second link of a program that fails keeps its reference on the trampoline.',
    history: undefined,
    law: referencesAreCounted,
    profile: '6.12',
    edits: [edit('bpf_tracing_prog_attach', 'a reference was taken', dropped)],
    smallest: [load(2, 'fentry', 'f1'), link(8, 2), link(2, 2)],
    finding: 'the trampoline of f1 has 1 references / it has 2',
  },
  {
    name: 'failed-user-of-graph-is-counted',
    sentence: 'register_ftrace_graph() that fails leaves ftrace_graph_active raised.',
    history: undefined,
    law: countersAreTheNumberOfUsers,
    profile: '6.12',
    edits: [edit('register_ftrace_graph (many users)', 'give the index back', dropped)],
    smallest: [graph(3), graph(3)],
    finding: 'ftrace_graph_active is 1 / it is 2',
  },
  {
    name: 'fprobe-cannot-leave-without-memory',
    sentence: 'unregister_fprobe() needs memory, and without it the fprobe stays.',
    history: 'tracing/fprobe: Unregister fprobe even if memory allocation fails (7.1)',
    law: detachingNeedsNoMemory,
    profile: '7.2',
    edits: [
      edit('unregister_fprobe (fgraph)', 'the fprobe is not registered', (part) => [
        part,
        {
          kind: 'refuse',
          label: 'allocate the list of addresses',
          errnos: ['ENOMEM'],
          find: (k) => {
            if (k.fault?.where !== 'register_fprobe_ips (fgraph)') return undefined;
            k.fault = null;
            return 'ENOMEM';
          },
        },
      ]),
    ],
    smallest: [
      fprobe(2, 'v3'),
      failing('allocation', 'register_fprobe_ips (fgraph)'),
      { do: 'unregister_fprobe', fprobe: 'fprobe#2' },
    ],
    finding:
      'unregister_fprobe does without the memory that register_fprobe_ips (fgraph) lacks / it answers ENOMEM',
  },
  {
    name: 'jump-under-a-live-patch',
    sentence: 'The owner of a direct call that shares with a live patch still has its image jumped to.',
    history: undefined,
    law: noJumpUnderALivePatch,
    profile: '7.2',
    edits: [edit('bpf_tramp_ftrace_ops_func', 'the image has to change', dropped)],
    smallest: [
      livePatch('ops#2'),
      filter('ops#2', 'f1'),
      load(2, 'fsession', 'f1'),
      link(8, 2),
      { do: 'register_ftrace_function', ops: 'ops#2' },
    ],
    finding: 'the direct call of f1 is called: an IPMODIFY ops is there / jmp tramp#1',
  },
  {
    name: 'kprobe-leaves-the-filter-first',
    sentence: 'The last kprobe leaves the filter of its ops before that is unregistered.',
    history: undefined,
    law: filtersDoNotBecomeEverything,
    profile: '6.12',
    edits: [edit('__disarm_kprobe_ftrace', 'it is the last', dropped)],
    smallest: [kretprobe(2, 'f1'), { do: 'unregister_kretprobe', kretprobe: 'kretprobe#2' }],
    finding: 'kprobe_ftrace_ops traces the functions of its filter / its filter is empty: it traces all',
  },
];
