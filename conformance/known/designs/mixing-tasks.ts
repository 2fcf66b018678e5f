import { linkMulti, loadMulti } from '../../../checker/interleavings/family-multi.ts';
import { open, scenario } from '../../../properties/planted/interleavings/scenarios.ts';
import { F1, F2, load } from '../../../properties/planted/sequences/actions.ts';
import { probesSeeOldOrNew } from '../../../properties/task/probes-see-old-or-new.ts';
import type { KnownTask } from '../task-known.ts';
import { seenInstead } from '../task-shows.ts';

/** A link has both functions, and a single program joins the one that a task calls. */
const SINGLE_ON_A_SET = scenario({
  functions: [F1, F2],
  setup: [loadMulti(1, 'fentry'), load(2, 'fentry'), linkMulti(1, 'f1+f2')],
  clients: [[open(2)]],
});

/** The site is changed; or, with another client there that keeps it as it is, the ops leaves the list. */
const LEAVES = ['text_poke_bp_batch', '__unregister_ftrace_function'];

/** The calls lost while a trampoline of several functions is split. */
export const KNOWN_MIXING_TASKS: readonly KnownTask[] = [
  {
    name: 'lost-events-of-re-registration',
    sentence:
      'A single program joins one of two functions of a link: their common trampoline is unregistered before those of its parts are registered, and no program sees a call in between, though the link was attached throughout.',
    evidence:
      '[PATCH bpf-next 19/29] bpf_trampoline_split: bpf_trampoline_unregister(), bpf_trampoline_dup(), bpf_trampoline_register()',
    law: probesSeeOldOrNew,
    kernels: ['6.1', '6.12', '7.2'],
    others: [],
    multiLinks: 'splitting',
    restsOn: ['multiLinks'],
    shows: seenInstead(['program'], 0),
    cause: {
      stood: [{ at: 'anywhere', did: [{ by: LEAVES, within: 'bpf_trampoline_split' }] }],
    },
    scenario: SINGLE_ON_A_SET,
    moves: [29, 15, 15],
  },
  {
    name: 'lost-events-between-two-ops',
    sentence:
      'The same with one ops per program set: the function leaves one ops before it joins the other. With a single ops it is switched from image to image, and no call is lost.',
    evidence:
      'Dong, 17 July 2025, on the multi-fentry proposal: a short suspension for the programs that are there; kernel/trace/ftrace.c of 7.2  update_ftrace_direct_mod',
    law: probesSeeOldOrNew,
    kernels: ['6.1', '6.12'],
    others: ['7.2'],
    multiLinks: 'program sets',
    restsOn: ['multiLinks'],
    shows: seenInstead(['program'], 0),
    cause: {
      stood: [{ at: 'anywhere', did: [{ by: LEAVES, within: 'bpf_trampoline_split' }] }],
    },
    scenario: SINGLE_ON_A_SET,
    moves: [29, 15],
  },
];
