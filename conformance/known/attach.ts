import type { KnownAttachBreach } from '../../properties/attach/run-sequence.ts';

/** A law of attaching that a real kernel breaks, and where that was seen. */
export interface KnownAttach extends KnownAttachBreach {
  readonly sentence: string;
  /** The recording, the answer of a kernel, or the source that shows it. */
  readonly evidence: string;
}

export const KNOWN_FIRINGS: readonly KnownAttach[] = [
  {
    name: 'graph-exit-without-entry',
    sentence:
      'The user of function graph that holds index 0 is told of every return that any other user follows: bit 0 of the bitmap also marks tail calls.',
    evidence: 'recorded on 6.12.117 and 7.2.13 (gon f2; gon f6): a call of f6 shows entry, exit, exit',
    law: 'ftrace/every-probe-fires-once',
    kernels: ['6.12', '7.2'],
    shows: /\(graph exit\) (never|once|\d+ times) \/ (once|\d+ times)$/,
  },
  {
    name: 'kprobe-is-registered-and-dead',
    sentence:
      'register_kprobe() answers 0 although the probe could not be armed; it never fires, and is not even in the table.',
    evidence:
      'recorded on 7.2.13 (38 cases, common 18 among them); kernel/kprobes.c  __register_kprobe drops the errno of arm_kprobe',
    law: 'ftrace/every-probe-fires-once',
    kernels: ['7.2'],
    shows: /\((kprobe|kprobe post|kretprobe|kretprobe entry)\) (once|\d+ times) \/ never$/,
    when: ({ finding, moment: { after } }) => {
      const who = finding.expected.split(' sees ')[0]!;
      return !Object.values(after.probes.kprobeTable).some(
        ({ probes }) => probes.includes(who) || probes.includes(`${who}.kp`),
      );
    },
  },
  {
    name: 'live-patch-then-entry-then-exit',
    sentence:
      'An image that is made anew for a live patch resets the ops of a trampoline that is registered: its func is NULL when it is called.',
    evidence: 'recorded on 6.1.192 (common 21, common 105): WARN in arch_ftrace_ops_list_func',
    law: 'ftrace/ftrace-stays-alive',
    kernels: ['6.1'],
    shows: /fops has no func/,
  },
];
