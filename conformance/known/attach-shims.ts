import type { ProgId } from '../../model/core/ids.ts';
import { entry } from '../../model/core/present.ts';
import { FTRACE_FL_REGS } from '../../model/ftrace/record.ts';
import type { KernelView } from '../../model/kernel.ts';
import type { Changed } from '../../properties/finding/answer-finding.ts';
import type { KnownAttach } from './attach.ts';
import { known } from './attach.ts';

/** Shims that the images of a hook call. */
function shimsOf({ bpf }: KernelView, hook: string): number {
  return (
    bpf.trampolines[hook]?.nodes.filter(({ prog }) => entry(bpf.progs, prog).program.shim === true).length ??
    0
  );
}

/** Breaches by programs of BPF LSM for cgroups. */
export const KNOWN_SHIMS: readonly KnownAttach[] = [
  known({
    name: 'shim-on-its-way-out-runs-the-programs-again',
    sentence:
      'The last program of a hook that is detached leaves its shim to a work item; a program that is attached before that has run gets a shim of its own, and runs once for each.',
    evidence:
      'images of 6.12.117 read after close(link) and BPF_LINK_CREATE: two calls of __cgroup_bpf_run_lsm_current in 23 of 40, one in all of 6.1.192; with call-depth tracking in 8 of 40 of 7.2.13; kernel/bpf/syscall.c of 6.12.117 and 7.2.13  bpf_link_put: schedule_work(); kernel/bpf/trampoline.c  bpf_trampoline_link_cgroup_shim: bpf_link_inc_not_zero() fails, and a shim is made beside the one that is listed',
    law: 'ftrace/probes-fire-exactly-once',
    kernels: ['6.12', '7.2'],
    restsOn: ['linkPut'],
    finding: 'hits-differ',
    when: ({ kind, fn, expected, observed }, { moment: { after } }) =>
      kind === 'program' && observed > expected && shimsOf(after, fn) > 1,
    example:
      'f1 = function(u64 -> u64) lsm; prog#1 = BPF_PROG_LOAD(fmod_ret lsm cgroup returns=0x1, f1); link#1 = BPF_LINK_CREATE(prog#1); close(link#1); link#1 = BPF_LINK_CREATE(prog#1); task#1 calls f1(0x5100000071000000)',
  }),
  known({
    name: 'refused-link-of-a-cgroup-keeps-regs',
    sentence:
      'With kernel.ftrace_enabled=0, a link to a cgroup puts its shim on the hook and then lacks memory: the shim is taken off again, and the record keeps REGS.',
    evidence:
      'kernel/bpf/cgroup.c of all three  __cgroup_bpf_attach: bpf_trampoline_unlink_cgroup_shim() in its cleanup; kernel/trace/ftrace.c of all three  ftrace_shutdown: nothing clears the flags of a record without users while tracing is off',
    law: 'ftrace/failed-calls-have-no-effect',
    kernels: ['6.1', '6.12', '7.2'],
    restsOn: ['disabledBySysctl'],
    finding: 'refusal-leaves-a-trace',
    when: ({ changes }, { moment }) =>
      moment.action.do === 'BPF_LINK_CREATE' &&
      isForCgroups(moment.before, moment.action.prog) &&
      !moment.after.ftrace.enabled &&
      changes.every(isOfRegs),
    example:
      'f1 = function(u64 -> u64) lsm; prog#1 = BPF_PROG_LOAD(fmod_ret lsm cgroup, f1); sysctl kernel.ftrace_enabled=0; the 2nd allocation in __cgroup_bpf_attach fails; link#1 = BPF_LINK_CREATE(prog#1)',
  }),
];

/** A program for cgroups, which runs by a shim. */
function isForCgroups({ bpf }: KernelView, prog: ProgId): boolean {
  return bpf.progs[prog]?.program.cgroup === true;
}

/** A record has got REGS; a work item takes the shim off. */
function isOfRegs({ place: [room, table, , field], expected, observed }: Changed): boolean {
  return (
    room === 'ftrace' &&
    table === 'records' &&
    field === 'flags' &&
    expected === 0 &&
    observed === FTRACE_FL_REGS
  );
}
