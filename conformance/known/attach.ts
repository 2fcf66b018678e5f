import type { KnownAttachBreach } from '../../checker/sequences/run-sequence.ts';
import { KPROBE_FTRACE_OPS, KPROBE_IPMODIFY_OPS } from '../../model/ftrace/kprobe.ts';
import { opsReferencesIp } from '../../model/ftrace/ops.ts';
import { FTRACE_FL_REGS } from '../../model/ftrace/record.ts';
import type { KernelView } from '../../model/kernel.ts';

/** A law of attaching that a real kernel breaks, and where that was seen. */
export interface KnownAttach extends KnownAttachBreach {
  readonly sentence: string;
  /** The recording, the answer of a kernel, or the source that shows it. */
  readonly evidence: string;
  /**
   * Client calls on f1 and f2, with `; ` between them, in the spelling of the first of its kernels: in each of them
   * they break the law in this way as long as it is listed, and in no other.
   */
  readonly example: string;
}

/** A kprobe or kretprobe that should have seen a call has not seen any. */
export const KPROBE_NEVER = /\((kprobe|kprobe post|kretprobe|kretprobe entry)\) (once|\d+ times) \/ never$/;

/** Whether one of the two ops of kprobes traces a function. */
export function isArmed(k: KernelView, ip: string): boolean {
  return [KPROBE_FTRACE_OPS, KPROBE_IPMODIFY_OPS].some((ops) => opsReferencesIp(k, ops, ip));
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
    when: ({ finding, moment: { after } }) => after.fgraph.gops[finding.expected.split(' ')[0]!]?.idx === 0,
    example:
      'ftrace_set_filter_ip(gops#1.ops, f1); register_ftrace_graph(gops#1); register_ftrace_graph(gops#2); task#1 calls f2(0x5100000071000000)',
  },
  {
    name: 'kprobe-is-registered-and-dead',
    sentence:
      'register_kprobe() answers 0 although the probe could not be armed; it never fires, and is not even in the table.',
    evidence:
      'recorded on 7.2.13 (38 cases, common 18 among them); kernel/kprobes.c  __register_kprobe drops the errno of arm_kprobe',
    law: 'ftrace/every-probe-fires-once',
    kernels: ['7.2'],
    shows: KPROBE_NEVER,
    when: ({ finding, moment: { after } }) => {
      const who = finding.expected.split(' sees ')[0]!;
      return !Object.values(after.probes.kprobeTable).some(
        ({ probes }) => probes.includes(who) || probes.includes(`${who}.kp`),
      );
    },
    example:
      'the next allocation in __ftrace_hash_move_and_update_ops fails; register_kprobe(kprobe#1, f1); task#1 calls f1(0x5100000071000000)',
  },
  {
    name: 'live-patch-then-entry-then-exit',
    sentence:
      'An image that is made anew for a live patch resets the ops of a trampoline that is registered: its func is NULL when it is called.',
    evidence: 'recorded on 6.1.192 (common 21, common 105): WARN in arch_ftrace_ops_list_func',
    law: 'ftrace/ftrace-stays-alive',
    kernels: ['6.1'],
    shows: /fops has no func/,
    example:
      'ops#1 = ftrace_ops(SAVE_REGS | IPMODIFY); ftrace_set_filter_ip(ops#1, f1); register_ftrace_function(ops#1); prog#1 = BPF_PROG_LOAD(fentry, f1); prog#2 = BPF_PROG_LOAD(fexit, f1); link#1 = BPF_LINK_CREATE(prog#1); link#2 = BPF_LINK_CREATE(prog#2); task#1 calls f1(0x5100000071000000)',
  },
  {
    name: 'ftrace-dies-of-a-record-without-users',
    sentence:
      'A function that left the filter of a registered ops with SAVE_REGS while kernel.ftrace_enabled was 0 keeps REGS: when the last ops goes, ftrace finds it and is dead.',
    evidence:
      'kernel/trace/ftrace.c of all three  test_rec_ops_needs_regs, ftrace_check_record, ftrace_shutdown (FTRACE_WARN_ON_ONCE)',
    law: 'ftrace/ftrace-stays-alive',
    kernels: ['6.1', '6.12', '7.2'],
    shows: /^ftrace goes on working \/ it is dead: /,
    when: ({ moment: { before, outcome } }) =>
      outcome.warnings.some(({ is }) => is === 'flags without ops') &&
      Object.values(before.ftrace.records).some(
        ({ count, flags }) => count === 0 && (flags & FTRACE_FL_REGS) !== 0,
      ),
    example:
      'register_kprobe(kprobe#1, f1); register_kprobe(kprobe#2, f2); sysctl kernel.ftrace_enabled=0; unregister_kprobe(kprobe#1); sysctl kernel.ftrace_enabled=1; unregister_kprobe(kprobe#2)',
  },
];
