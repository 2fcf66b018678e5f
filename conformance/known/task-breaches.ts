import type { KnownTaskBreach } from '../../properties/task/known-task-breach.ts';

/** A law of interleavings that real kernels break, and where their source says so. */
export interface KnownTask extends KnownTaskBreach {
  readonly sentence: string;
  /** The recording, the answer of a kernel, or the source that shows it. */
  readonly evidence: string;
}

/** The breaches of laws of interleavings that real kernels show: reported under their names, and not hidden. */
export const KNOWN_TASK: readonly KnownTask[] = [
  {
    name: 'image-freed-under-a-sleepable-program',
    sentence:
      'A task that is preempted in the first instructions of an image of entry programs while rcu_tasks_trace passes, and sleeps in a sleepable program while rcu_tasks passes, comes back to freed memory.',
    evidence: 'kernel/bpf/trampoline.c  bpf_tramp_image_put waits for the two one after the other',
    law: 'task/no-fetch-from-freed-memory',
    kernels: ['6.1', '6.12', '7.2'],
    shows:
      /\/ fetch of 1 byte at page \d+\+0x[0-9a-f]+: unmapped, at (prog#\d+|__bpf_prog_exit_sleepable\w*)$/,
  },
  {
    name: 'retired-image-loses-exits',
    sentence:
      'A call that is under way in an image when it is retired does not run the exit programs of that image, also those that stay attached.',
    evidence: 'kernel/bpf/trampoline.c  bpf_tramp_image_put patches the nop behind the original',
    law: 'task/probes-see-old-or-new',
    kernels: ['6.1', '6.12'],
    shows: /sees f\d \(program\) once \/ prog#\d+ sees f\d \(program\) never$/,
  },
];
