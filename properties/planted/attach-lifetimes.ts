import { countersAreTheNumberOfUsers } from '../ftrace/counters-are-the-number-of-users.ts';
import { deadIsAbsorbing } from '../ftrace/dead-is-absorbing.ts';
import { detachingEverythingReturnsToBoot } from '../ftrace/detaching-everything-returns-to-boot.ts';
import { detachingNeedsNoMemory } from '../ftrace/detaching-needs-no-memory.ts';
import { filtersDoNotBecomeEverything } from '../ftrace/filters-do-not-become-everything.ts';
import { independentOperationsCommute } from '../ftrace/independent-operations-commute.ts';
import { noJumpUnderALivePatch } from '../ftrace/no-jump-under-a-live-patch.ts';
import { programsAndImageAgree } from '../ftrace/programs-and-image-agree.ts';
import { referencesAreCounted } from '../ftrace/references-are-counted.ts';
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
} from './attach-actions.ts';
import type { PlantedRecord } from './attach-record.ts';
import { bare, dropped, edit } from './attach-record.ts';

/** Planted bugs of the laws about what is left behind. */
export const PLANTED_LIFETIMES: readonly PlantedRecord[] = [
  {
    name: 'dead-ftrace-takes-clients',
    sentence: 'ftrace_startup() does not look whether ftrace is dead.',
    history: undefined,
    law: deadIsAbsorbing,
    profile: '6.12',
    edits: [edit('ftrace_startup', 'ftrace is dead', dropped)],
    smallest: [
      filter('direct#1', 'f2'),
      failing('poke', 'ftrace_replace_code'),
      kprobe(1, 'rec'),
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
    smallest: [failing('allocation', 'register_ftrace_direct'), load(5, 'fentry', 'cb'), link(8, 5)],
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
    name: 'kprobe-has-the-filter-to-itself',
    sentence: 'A kprobe that is armed takes the others out of the filter of their ops.',
    history: undefined,
    law: independentOperationsCommute,
    profile: '6.12',
    edits: [
      edit('__arm_kprobe_ftrace', 'ftrace_set_filter_ip', (part) =>
        part.kind === 'call'
          ? [{ ...part, give: (k, at) => ({ ...part.give(k, at), reset: true }) }]
          : [part],
      ),
    ],
    smallest: [kprobe(1, 'f1'), kprobe(2, 'f2')],
    finding: 'text/sites/f1 is nop5, in both orders / in the other it is call kprobe_ftrace_ops.trampoline',
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
  {
    name: 'retired-image-is-never-freed',
    sentence: 'An image that no call site leads to any more is not handed to a grace period.',
    history: undefined,
    law: detachingEverythingReturnsToBoot,
    profile: '6.12',
    edits: [edit('bpf_tramp_image_put', 'wait for its users in the background', dropped)],
    smallest: [load(1, 'fentry', 'f1'), link(1, 1), { do: 'settle' }],
    finding: 'nothing is left when everybody has detached / the page of tramp#1 is left',
  },
];
