import { CHARGED, FIRST_FAILURE, NO_MEMORY_LEFT } from './reasons.ts';
import type { AuditedFunction } from './row.ts';
import {
  ALL,
  allocates,
  defers,
  gotos,
  locks,
  modelled,
  omitted,
  returns,
  UNTIL_6_12,
  V7_2,
  waits,
} from './row.ts';

const IMAGE = 'bpf_trampoline_update: allocate the image';
/** Images of trampolines, from their allocation to their end. */
export const IMAGES: readonly AuditedFunction[] = [
  {
    fn: 'bpf_tramp_image_alloc',
    in: ALL,
    rows: [
      allocates(ALL, 'struct bpf_tramp_image; out with ENOMEM', modelled(IMAGE)),
      allocates(
        V7_2,
        'the places of its programs (skips); out_free_im with the errno of the first, ENOMEM',
        omitted(FIRST_FAILURE),
      ),
      gotos(ALL, 'out_free_im, EPERM: over bpf_jit_limit', omitted(CHARGED)),
      allocates(ALL, 'executable memory; out_uncharge with ENOMEM', omitted(FIRST_FAILURE)),
      allocates(ALL, 'the per-CPU reference; out_free_image with ENOMEM', omitted(FIRST_FAILURE)),
      gotos(
        ALL,
        'out_free_image, out_uncharge, out_free_im: what was allocated is freed',
        omitted(NO_MEMORY_LEFT),
      ),
    ],
  },
  {
    fn: 'bpf_tramp_image_put',
    in: ALL,
    rows: [
      returns(
        UNTIL_6_12,
        'none, a WARN: the jump over the fexit programs could not be written',
        modelled('bpf_tramp_image_put: bpf_arch_text_poke'),
      ),
      defers(
        ALL,
        'call_rcu_tasks() for an image that calls the original: a task in its first instructions',
        modelled(
          'bpf_tramp_image_put: wait for its users in the background',
          '__bpf_tramp_image_put: wait for rcu_tasks',
        ),
      ),
      gotos(
        ALL,
        'none: percpu_ref_kill() at once without CONFIG_TASKS_RCU (6.1: without preemption)',
        omitted('the recorded kernels have PREEMPT_DYNAMIC, and with it CONFIG_TASKS_RCU: not compiled'),
      ),
      defers(
        ALL,
        'call_rcu_tasks_trace() for an image with entry programs only: a sleepable program that it called',
        modelled(
          'bpf_tramp_image_put: wait for its users in the background',
          '__bpf_tramp_image_put: wait for rcu_tasks_trace',
        ),
      ),
      returns(
        ALL,
        'none in these kernels: with imageLifecycle = A nothing is handed to the background',
        modelled('bpf_tramp_image_put: its half is used again'),
      ),
    ],
  },
  {
    fn: '__bpf_tramp_image_put_rcu_tasks',
    in: ALL,
    rows: [
      defers(
        ALL,
        'percpu_ref_kill() of an image that calls the original; its release waits for the last __bpf_tramp_exit()',
        modelled('__bpf_tramp_image_put: wait for percpu_ref'),
      ),
      defers(
        ALL,
        'the grace period of RCU in percpu_ref_kill(), before the reference is a single counter',
        omitted('it delays the release alone: the counter of the model is a single one from the start'),
      ),
      defers(
        ALL,
        'call_rcu_tasks() of an image with entry programs only: its own instructions',
        modelled('__bpf_tramp_image_put: wait for rcu_tasks (3)'),
      ),
    ],
  },
  {
    fn: '__bpf_tramp_image_release',
    in: ALL,
    rows: [
      defers(
        ALL,
        'call_rcu_tasks(): a task in the last instructions, after __bpf_tramp_exit()',
        modelled('__bpf_tramp_image_put: wait for rcu_tasks (2)'),
      ),
    ],
  },
  {
    fn: '__bpf_tramp_image_put_rcu',
    in: ALL,
    rows: [
      defers(
        ALL,
        'schedule_work(): freeing executable memory may sleep',
        modelled('__bpf_tramp_image_put: wait for workqueue'),
      ),
    ],
  },
  {
    fn: '__bpf_tramp_image_put',
    in: ALL,
    rows: [
      waits(
        ALL,
        'the name of the routine that the four callbacks above are: in the order of a single image',
        modelled(
          '__bpf_tramp_image_put: wait for rcu_tasks',
          '__bpf_tramp_image_put: wait for rcu_tasks_trace',
        ),
      ),
    ],
  },
  {
    fn: '__bpf_tramp_image_put_deferred',
    in: ALL,
    rows: [
      locks(
        V7_2,
        'the mutex of the trampoline: the image leaves its list',
        modelled('bpf_tramp_image_free: lock'),
      ),
      locks(
        V7_2,
        'none in these kernels: the mutex of a trampoline of several functions, where programs are skipped in its images',
        modelled('bpf_tramp_image_free: lock (2)'),
      ),
    ],
  },
  {
    fn: 'bpf_tramp_image_free',
    in: ALL,
    rows: [
      defers(
        ALL,
        'kfree_rcu() of struct bpf_tramp_image',
        omitted(
          'its readers under RCU are look-ups of symbols in kallsyms, which no client of the model makes',
        ),
      ),
    ],
  },
];
