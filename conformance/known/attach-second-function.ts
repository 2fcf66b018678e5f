import type { Action } from '../../model/client/all.ts';
import type { FunctionName, Ip } from '../../model/core/ids.ts';
import type { KernelView } from '../../model/kernel.ts';
import { reachOf } from '../../model/trampoline/traced-function.ts';
import type { KnownAttach } from './attach.ts';
import { known } from './attach.ts';
import type { Led } from './cause.ts';
import { isPatched, KPROBE_ARMS, stepsOf } from './cause.ts';

const SECOND_FUNCTION = {
  sentence:
    'The owner of a direct call is not notified of a function that joins a registered IPMODIFY ops: its image still calls the body past the call site, not the replacement.',
  evidence:
    'correction 8 (F2); kernel/trace/ftrace.c of all three  ftrace_set_hash: __ftrace_hash_update_ipmodify() alone, and no FTRACE_OPS_CMD_ENABLE_SHARE_IPMODIFY_PEER',
  kernels: ['6.1', '6.12', '7.2'],
  example:
    'ops#1 = ftrace_ops(SAVE_REGS | IPMODIFY); ftrace_set_filter_ip(ops#1, f1); prog#1 = BPF_PROG_LOAD(fexit, f2); link#1 = BPF_LINK_CREATE(prog#1); register_ftrace_function(ops#1); ftrace_set_filter_ip(ops#1, f2); task#1 calls f2(0x5100000071000000)',
} as const;

/** The same breach, shown by the caller's return value and by what runs: in the call, or in one that it makes. */
const KEEPS_ITS_BODY: readonly KnownAttach[] = [
  known({
    ...SECOND_FUNCTION,
    name: 'second-ipmodify-function-keeps-its-body-seen-by-caller-gets-the-return-value',
    law: 'ftrace/caller-gets-the-return-value',
    finding: 'return-value-differs',
    when: ({ fn }, breach) => callsUnasked(breach, fn),
  }),
  known({
    ...SECOND_FUNCTION,
    name: 'second-ipmodify-function-keeps-its-body-seen-by-body-or-replacement-runs-once',
    law: 'ftrace/body-or-replacement-runs-once',
    finding: 'runs-differ',
    when: ({ fn, expected, observed }, breach) =>
      expected.some(({ is }) => is === 'replacement') &&
      observed.some(({ is }) => is === 'body') &&
      callsUnasked(breach, fn),
  }),
];

/** A function joins a live patch whose ops is registered: its trampoline is not queried to share. */
export const KNOWN_SECOND_FUNCTION: readonly KnownAttach[] = [
  known({
    name: 'second-ipmodify-function-is-not-negotiated',
    sentence:
      'The owner of a direct call is not notified of a function that joins a registered IPMODIFY ops: its image is entered by a jump.',
    evidence:
      'recorded on 7.2.13 (b+ f2 0 fexit; kpon f6 1; kpon f2 1: 0xdc bytes beside IPMODIFY; correction 8, F2)',
    law: 'trampoline/no-jump-under-a-live-patch',
    kernels: ['7.2'],
    finding: 'direct-call-is-jumped-to',
    when: ({ ip }, breach) => hasJoinedUnasked(breach, ip),
    restsOn: ['jmpEntry'],
    example:
      'prog#1 = BPF_PROG_LOAD(fexit, f1); link#1 = BPF_LINK_CREATE(prog#1); register_kprobe(kprobe#1, f2, post_handler); register_kprobe(kprobe#2, f1, post_handler)',
  }),
  ...KEEPS_ITS_BODY,
];

/** A function joined the filter of a registered IPMODIFY ops, and its trampoline was not queried to share. */
function hasJoinedUnasked(breach: Led, ip: Ip): boolean {
  return kernelsOfJoining(breach, ip).some((k) => isUnasked(k, ip));
}

/** The kernels after a function has joined the filter of a registered IPMODIFY ops. */
function kernelsOfJoining(breach: Led, ip: Ip): KernelView[] {
  return stepsOf(breach).flatMap(({ action, before, after }) =>
    JOINS.includes(action.do) && !isPatched(before, ip) && isPatched(after, ip, before.ftrace.opsList)
      ? [after]
      : [],
  );
}

/** It joined while a link of a design has the function on one image with others, which nothing queries. */
export function hasJoinedAShared(breach: Led, ip: Ip): boolean {
  return kernelsOfJoining(breach, ip).some(({ bpf }) => (bpf.trampolines[ip]?.nodes.length ?? 0) === 0);
}

const JOINS: readonly Action['do'][] = [...KPROBE_ARMS, 'ftrace_set_filter_ip'];

function isUnasked({ bpf }: KernelView, ip: Ip): boolean {
  return bpf.trampolines[ip]?.flags.SHARE_IPMODIFY === false;
}

/** A function that does not share, or one that it calls. */
function callsUnasked(breach: Led, fn: FunctionName): boolean {
  const { after } = breach.moment;
  return [...reachOf(after.functions, fn)].some(
    (name) => isPatched(after, name) && isUnasked(after, name) && hasJoinedUnasked(breach, name),
  );
}
