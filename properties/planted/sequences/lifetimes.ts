import { fails } from '../../../model/core/world.ts';
import { deadFtraceStaysDead } from '../../ftrace/dead-ftrace-stays-dead.ts';
import { detachNeedsNoMemory } from '../../ftrace/detach-needs-no-memory.ts';
import { detachingEverythingRestoresBootState } from '../../ftrace/detaching-everything-restores-boot-state.ts';
import { emptyFilterDoesNotTraceEverything } from '../../ftrace/empty-filter-does-not-trace-everything.ts';
import { independentOperationsCommute } from '../../ftrace/independent-operations-commute.ts';
import { onlyRequestedFunctionsAreTraced } from '../../ftrace/only-requested-functions-are-traced.ts';
import { userCountsMatchUsers } from '../../ftrace/user-counts-match-users.ts';
import { imageMatchesAttachedPrograms } from '../../trampoline/image-matches-attached-programs.ts';
import { noJumpUnderALivePatch } from '../../trampoline/no-jump-under-a-live-patch.ts';
import { referenceCountsAreExact } from '../../trampoline/reference-counts-are-exact.ts';
import {
  attached,
  direct,
  F1,
  F2,
  failing,
  filter,
  fprobe,
  graph,
  kprobe,
  kprobeInBody,
  link,
  load,
} from './actions.ts';
import { bare, dropped, edit, followedBy } from './edits.ts';
import type { AttachPlanted } from './planted.ts';

/** Planted bugs for the laws on what is left behind. */
export const PLANTED_LIFETIMES: readonly AttachPlanted[] = [
  {
    name: 'dead-ftrace-accepts-clients',
    sentence: 'ftrace_startup() does not check whether ftrace is dead.',
    history: undefined,
    law: deadFtraceStaysDead,
    profile: '6.12',
    edits: [edit('ftrace_startup', 'ftrace is dead', dropped)],
    smallest: [filter('direct#1'), failing('poke', 'ftrace_replace_code'), kprobe(1), direct(1)],
    finding: 'ftrace/records/f1/count stays 1 while ftrace is dead / it is 2',
  },
  {
    name: 'ops-that-ftrace-dies-over-stays-on-the-list',
    sentence:
      'ftrace_startup() does not check whether ftrace has died over the ops: the registration returns 0.',
    history: 'ftrace: Fix use-after-free for dynamic ftrace_ops (6.1; 6.0.8)',
    law: deadFtraceStaysDead,
    profile: '6.12',
    edits: [edit('ftrace_startup', 'ftrace died over it', dropped)],
    smallest: [failing('poke', 'ftrace_replace_code'), kprobe(1)],
    finding: 'kprobe_ftrace_ops has left ftrace_ops_list: ftrace died over it / it is on the list',
  },
  {
    name: 'disabled-kprobe-stays-armed',
    sentence: 'disable_kprobe() sets the flags of the probe and its address, and does not disarm it.',
    history: undefined,
    law: userCountsMatchUsers,
    profile: '6.12',
    edits: [edit('disable_kprobe', 'attempt', dropped)],
    smallest: [kprobe(1), { do: 'disable_kprobe', kp: 'kprobe#1' }],
    finding: 'the number of armed kprobes is 0 / it is 1',
  },
  {
    name: 'kprobe-in-a-body-stays-armed',
    sentence: 'A kprobe leaves the table, and its int3 stays.',
    history: undefined,
    law: userCountsMatchUsers,
    profile: '6.12',
    edits: [edit('arch_disarm_kprobe', 'lock text_mutex', dropped)],
    smallest: [kprobeInBody(1), { do: 'unregister_kprobe', kprobe: 'kprobe#1' }],
    finding: 'the number of armed kprobes is 0 / it is 1',
  },
  {
    name: 'failed-program-stays-in-the-list',
    sentence: 'A program whose image could not be attached stays on the list of its trampoline.',
    history: undefined,
    law: imageMatchesAttachedPrograms,
    profile: '6.12',
    edits: [edit('__bpf_trampoline_link_prog', 'attempt', bare)],
    smallest: [load(1), failing('allocation', '__ftrace_hash_move_and_update_ops'), link(1)],
    finding: 'the image of f1 is generated for prog#1 / there is none',
  },
  {
    name: 'reference-of-a-failed-link-is-lost',
    sentence: "A program's second link that fails keeps its reference on the trampoline.",
    history: undefined,
    law: referenceCountsAreExact,
    profile: '6.12',
    edits: [edit('bpf_tracing_prog_attach', 'a reference was taken', dropped)],
    smallest: [...attached('fentry'), link(2, 1)],
    finding: 'the trampoline of f1 has 1 references / it has 2',
  },
  {
    name: 'failed-user-of-graph-is-counted',
    sentence: 'A failed register_ftrace_graph() leaves ftrace_graph_active raised.',
    history: undefined,
    law: userCountsMatchUsers,
    profile: '6.12',
    edits: [edit('register_ftrace_graph (many users)', 'give the index back', dropped)],
    smallest: [graph(1), graph(1)],
    finding: 'ftrace_graph_active is 1 / it is 2',
  },
  {
    name: 'notifier-of-a-refused-graph-user-stays',
    sentence:
      'ftrace_suspend_notifier stays registered after a failed register_ftrace_graph() of the first user.',
    history: 'trace/fgraph: Fix the warning caused by missing unregister notifier (6.12.45)',
    law: userCountsMatchUsers,
    profile: '6.12',
    edits: [edit('register_ftrace_graph (many users)', 'no user is left', dropped)],
    smallest: [failing('allocation', 'register_ftrace_graph (many users)'), graph(1)],
    finding: 'the number of registered ftrace_suspend_notifiers is 0 / it is 1',
  },
  {
    name: 'kprobe-replaces-the-shared-filter',
    sentence: 'Arming a kprobe removes the other kprobes from the filter of their ops.',
    history: undefined,
    law: independentOperationsCommute,
    profile: '6.12',
    edits: [
      edit('__arm_kprobe_ftrace', 'ftrace_set_filter_ip', (part) =>
        part.kind === 'call'
          ? [{ ...part, give: (k, locals) => ({ ...part.give(k, locals), reset: true }) }]
          : [part],
      ),
    ],
    functions: [F1, F2],
    smallest: [kprobe(1), kprobe(2, false, 'f2')],
    finding:
      'text/sites/f1 is nop5 in either order / in the other order it is call kprobe_ftrace_ops.trampoline',
  },
  {
    name: 'fprobe-of-another-kind-keeps-the-function',
    sentence:
      'unregister_fprobe() leaves a function in the filter of its ops while an fprobe of the other kind is on it, which another ops serves.',
    history: 'tracing/fprobe: Check the same type fprobe on table as the unregistered one (7.1)',
    law: onlyRequestedFunctionsAreTraced,
    profile: '7.2',
    edits: [
      edit(
        'unregister_fprobe (fgraph)',
        'leave the tables',
        followedBy((k, locals) => {
          locals['gone'] = (locals['gone'] as string[]).filter(
            (ip) => k.probes.fprobeTable[ip] === undefined,
          );
        }),
      ),
    ],
    functions: [F1, F2],
    smallest: [
      fprobe(1),
      fprobe(2, false, true),
      fprobe(3, false, true, 'f2'),
      { do: 'unregister_fprobe', fprobe: 'fprobe#2' },
      { do: 'unregister_fprobe', fprobe: 'fprobe#1' },
    ],
    finding: 'no ops traces f1: no client has asked for it / its record counts 1',
  },
  {
    name: 'disarmed-kprobe-stays-in-the-filter',
    sentence: '__disarm_kprobe_ftrace() leaves the function in the filter of the ops of kprobes.',
    history: undefined,
    law: onlyRequestedFunctionsAreTraced,
    profile: '6.12',
    edits: [edit('__disarm_kprobe_ftrace', 'ftrace_set_filter_ip', dropped)],
    functions: [F1, F2],
    smallest: [kprobe(1), kprobe(2, false, 'f2'), { do: 'unregister_kprobe', kprobe: 'kprobe#1' }],
    finding: 'no ops traces f1: no client has asked for it / its record counts 1',
  },
  {
    name: 'fprobe-unregister-needs-memory',
    sentence: 'unregister_fprobe() allocates memory, and without it the fprobe stays registered.',
    history: 'tracing/fprobe: Unregister fprobe even if memory allocation fails (7.1)',
    law: detachNeedsNoMemory,
    profile: '7.2',
    edits: [
      edit('unregister_fprobe (fgraph)', 'the fprobe is not registered', (part) => [
        part,
        {
          kind: 'allocate',
          id: 'allocate the list of addresses',
          lacks: (k) => fails(k, 'allocation', 'unregister_fprobe (fgraph)'),
        },
      ]),
    ],
    smallest: [
      fprobe(1),
      failing('allocation', 'unregister_fprobe (fgraph)'),
      { do: 'unregister_fprobe', fprobe: 'fprobe#1' },
    ],
    finding:
      'unregister_fprobe succeeds although unregister_fprobe (fgraph) gets no memory / it returns ENOMEM',
  },
  {
    name: 'jump-under-a-live-patch',
    sentence:
      'The owner of a direct call that shares with a live patch still has its image entered by a jump.',
    history: undefined,
    law: noJumpUnderALivePatch,
    profile: '7.2',
    edits: [edit('bpf_tramp_ftrace_ops_func', 'the image has to change', dropped)],
    smallest: [...attached('fexit'), kprobe(1, true)],
    finding: 'the direct call of f1 is entered by a call: an IPMODIFY ops traces it / jmp tramp#1',
  },
  {
    name: 'kprobe-is-removed-from-the-filter-first',
    sentence: 'The last kprobe is removed from the filter of its ops before the ops is unregistered.',
    history: undefined,
    law: emptyFilterDoesNotTraceEverything,
    profile: '6.12',
    edits: [edit('__disarm_kprobe_ftrace', 'it is the last', dropped)],
    smallest: [kprobe(1), { do: 'unregister_kprobe', kprobe: 'kprobe#1' }],
    finding:
      'kprobe_ftrace_ops traces the functions of its filter / its filter is empty: it traces everything',
  },
  {
    name: 'retired-image-is-never-freed',
    sentence: 'An image that no call site points to any more is never queued for a grace period.',
    history: undefined,
    law: detachingEverythingRestoresBootState,
    profile: '6.12',
    edits: [edit('bpf_tramp_image_put', 'wait for its users in the background', dropped)],
    smallest: [...attached('fentry'), { do: 'settle' }],
    finding: 'nothing is left after every client has detached / the page of tramp#1 is left',
  },
];
