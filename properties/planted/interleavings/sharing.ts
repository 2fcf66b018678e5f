import { entry } from '../../../model/core/present.ts';
import { FTRACE_OPS_FL_SAVE_REGS } from '../../../model/ftrace/ops.ts';
import { FTRACE_FL_REGS, FTRACE_FL_REGS_EN } from '../../../model/ftrace/record.ts';
import type { Kernel } from '../../../model/kernel.ts';
import { moduleGet } from '../../../model/text/module.ts';
import { moduleFunction } from '../../../model/trampoline/traced-function.ts';
import { recordFlagsMatchOps } from '../../ftrace/record-flags-match-ops.ts';
import { hashUpdatesDoNotWaitForRcuTasks } from '../../task/hash-updates-do-not-wait-for-rcu-tasks.ts';
import { imageReferencesAreReturned } from '../../task/image-references-are-returned.ts';
import { moduleTextStaysWhileInUse } from '../../task/module-text-stays-while-in-use.ts';
import { noDoubleInitialisation } from '../../task/no-double-initialisation.ts';
import { noLeakedImage } from '../../task/no-leaked-image.ts';
import { noUseAfterFree } from '../../task/no-use-after-free.ts';
import { noWarnAndNoOops } from '../../task/no-warn-and-no-oops.ts';
import { settled } from '../../task/settled-laws.ts';
import { referenceCountsAreExact } from '../../trampoline/reference-counts-are-exact.ts';
import { F1, F2, filter, load } from '../sequences/actions.ts';
import { bare, dropped, edit, followedBy } from '../sequences/edits.ts';
import type { TaskPlanted } from './planted.ts';
import { asleepIn, close, ENDS_IN_THE_FUNCTION, open, register, scenario, tracer } from './scenarios.ts';
import { waitFor } from './waits.ts';

const LEAVES_AND_COMES_AGAIN = scenario({
  setup: [load(1), open(1)],
  clients: [[close(1)], [open(1, 2)]],
  callers: [],
});

/** Planted bugs in what operations share: references, images, one-time initialisation, missing waits. */
export const PLANTED_SHARING: readonly TaskPlanted[] = [
  {
    name: 'trampoline-is-put-without-the-lock',
    sentence:
      'bpf_trampoline_put() takes no lock: a concurrent lookup gets a trampoline that is being freed.',
    history: 'bpf: Fix a UAF issue in bpf_trampoline_link_cgroup_shim (6.12.85)',
    law: noUseAfterFree,
    profile: '6.12',
    edits: [edit('bpf_trampoline_put', 'lock trampoline_mutex', bare)],
    scenario: LEAVES_AND_COMES_AGAIN,
    finding:
      'an object that an operation uses is allocated / use after free: the trampoline of f1 has been freed',
    moves: 44,
  },
  {
    name: 'second-link-takes-no-reference',
    sentence: 'Attaching a program again finds its trampoline and takes no reference.',
    history: undefined,
    law: noUseAfterFree,
    profile: '6.12',
    edits: [edit('bpf_trampoline_get', 'take a reference', dropped)],
    scenario: LEAVES_AND_COMES_AGAIN,
    finding:
      'an object that an operation uses is allocated / use after free: the trampoline of f1 has been freed',
    moves: 15,
  },
  {
    name: 'image-does-not-hold-its-trampoline',
    sentence: 'An image that is tracked by its trampoline takes no reference on it, but still drops one.',
    history: undefined,
    law: settled(referenceCountsAreExact),
    profile: '7.2',
    edits: [
      edit(
        'bpf_trampoline_update',
        'track the image',
        followedBy((k, locals) => {
          entry(k.bpf.trampolines, String(locals['target'])).refcnt--;
        }),
      ),
    ],
    scenario: scenario({ setup: [load(1), load(2), open(1)], clients: [[open(2)]], callers: [] }),
    finding: 'the trampoline of f1 has 3 references / it has 1',
    moves: 68,
  },
  {
    name: 'ops-is-initialised-twice',
    sentence:
      'Registering an ops and setting its filter both find it uninitialised, and the second one empties its hashes.',
    history: 'ftrace: Synchronize the initialization of ftrace_ops (6.12.110)',
    law: noDoubleInitialisation,
    profile: '6.12',
    edits: [
      edit('register_ftrace_function_nolock', 'ftrace_ops_init', (part) => [
        {
          kind: 'step',
          id: 'look whether it is fresh',
          run: (k, locals) => {
            locals['fresh'] = entry((k as Kernel).ftrace.ops, String(locals['ops'])).filter.length === 0;
          },
        },
        part,
        {
          kind: 'step',
          id: 'empty its hashes',
          run: (k, locals) => {
            if (locals['fresh'] === true) entry((k as Kernel).ftrace.ops, String(locals['ops'])).filter = [];
          },
        },
      ]),
    ],
    scenario: scenario({
      functions: [F1, F2],
      setup: [{ do: 'ftrace_ops', ops: 'ops#1', flags: 0, direct: false }],
      clients: [[filter('ops#1')], [register('ops#1')]],
      callers: [],
    }),
    finding: 'the filter of ops#1 is f1 / it is empty',
    moves: 34,
  },
  {
    name: 'entered-image-is-never-exited',
    sentence:
      'A task that exits in a function that does not return has entered an image and never leaves it.',
    history: 'bpf: Reject attaching fexit/fmod_ret to __noreturn functions (6.15; 6.12.27)',
    law: imageReferencesAreReturned,
    profile: '6.12, noreturnRefused = false',
    sound: '6.12',
    edits: [],
    scenario: ENDS_IN_THE_FUNCTION,
    finding: 'no task is in tramp#1 / its reference count is 1',
    moves: 98,
  },
  {
    name: 'replaced-image-is-never-freed',
    sentence: 'The deferred free forgets the image when its last user has left.',
    history: undefined,
    law: noLeakedImage,
    profile: '6.12',
    edits: [edit('bpf_tramp_image_free', 'its trampoline knows it', dropped)],
    scenario: scenario({
      setup: [load(1, 'fexit'), load(2, 'fexit'), open(1)],
      clients: [[open(2)]],
      callers: [asleepIn('body_hook')],
    }),
    finding: 'tramp#1 is freed once no task is in it / it is never freed',
    moves: 49,
  },
  {
    name: 'hash-add-waits-for-rcu-tasks',
    sentence: 'update_ftrace_direct_add() itself waits for the readers of the hash that it replaced.',
    history: undefined,
    law: hashUpdatesDoNotWaitForRcuTasks,
    profile: '7.2',
    edits: [
      edit('update_ftrace_direct_add', 'free the old direct_functions', (part) => [
        ...waitFor('rcu_tasks'),
        part,
      ]),
    ],
    scenario: scenario({ setup: [load(1)], clients: [[open(1)]], callers: [] }),
    finding: 'BPF_RAW_TRACEPOINT_OPEN waits for no RCU-tasks grace period / it waits for rcu_tasks',
    moves: 48,
  },
  {
    name: 'new-module-records-lack-regs',
    sentence:
      'The records of a newly loaded module count the ops that trace everything, but ignore the flags they require.',
    history: 'ftrace: Setup correct FTRACE_FL_REGS flags for module (5.8; 5.7.17)',
    law: settled(recordFlagsMatchOps),
    profile: '6.12',
    edits: [
      edit(
        'ftrace_module_enable',
        'enable its records',
        followedBy((k) => {
          entry(k.ftrace.records, 'f1').flags &= ~(FTRACE_FL_REGS | FTRACE_FL_REGS_EN);
        }),
      ),
    ],
    scenario: scenario({
      functions: [moduleFunction('f1', 1, 'u64 -> u64', 'm1'), F2],
      setup: [
        { do: 'delete_module', module: 'm1' },
        { do: 'ftrace_ops', ops: 'ops#1', flags: FTRACE_OPS_FL_SAVE_REGS, direct: false },
        register('ops#1'),
      ],
      clients: [[{ do: 'init_module', module: 'm1' }]],
      callers: [],
    }),
    finding:
      'the record of f1: count 1, ENABLED | REGS | REGS_EN | TRAMP | TRAMP_EN, traced by ops#1 / count 1, ENABLED | TRAMP | TRAMP_EN',
    moves: 10,
  },
  {
    name: 'trampoline-does-not-know-ftrace',
    sentence: "A trampoline writes to a call site that ftrace manages, without ftrace's knowledge.",
    history: 'bpf: Mark tracing_multi trampolines as ftrace managed (7.1)',
    law: noWarnAndNoOops,
    profile: '7.2',
    edits: [edit('register_fentry', 'check ftrace_location()', dropped)],
    scenario: scenario({
      setup: [load(1), ...tracer('ops#1')],
      clients: [[open(1)], [register('ops#1')]],
      callers: [],
    }),
    finding: 'no warning / ftrace bug: f1 does not hold the instruction that its record says',
    moves: 31,
  },
  {
    name: 'module-is-held-too-late',
    sentence:
      "A program takes the reference on its target's module when it has been loaded, not when the target is looked up.",
    history: 'kprobes: Fix possible use-after-free issue on kprobe registration (6.1.87)',
    law: moduleTextStaysWhileInUse,
    profile: '6.12',
    edits: [
      edit('bpf_prog_load', 'remember tgt_mod', dropped),
      edit(
        'bpf_prog_load',
        'keep the program',
        followedBy((k, locals) => moduleGet(k, [String(locals['target'])])),
      ),
    ],
    scenario: scenario({
      functions: [moduleFunction('f1', 1, 'u64 -> u64', 'm1')],
      clients: [[load(1), open(1)], [{ do: 'delete_module', module: 'm1' }]],
      callers: [],
    }),
    finding: 'the text of a function in use is loaded / use after free: the text of f1 has been freed',
    moves: 14,
  },
];
