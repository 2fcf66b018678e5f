import type { KnownAttach } from '../attach.ts';
import { known } from '../attach.ts';
import { hasJoinedAShared } from '../attach-second-function.ts';

/** Breaches of the generic trampoline of June 2021 alone; `batch.ts` has those of its stub. */
export const KNOWN_OF_GENERIC: readonly KnownAttach[] = [
  known({
    name: 'second-ipmodify-function-is-not-known-by-its-return-address',
    sentence:
      'The image looks for its function at the return address below the call site; of a function that joins a registered IPMODIFY ops, whose direct calls nothing notifies, that is the replacement: the programs run for no function of the link.',
    evidence:
      'Olsa, June 2021: the ip of a shared image comes from the return address on the stack; correction 8 (F2)',
    law: 'ftrace/probes-fire-exactly-once',
    kernels: ['6.1', '6.12', '7.2'],
    multiLinks: 'generic',
    variants: ['generic with fixed slot', 'generic with helpers'],
    finding: 'hits-differ',
    when: ({ fn, kind, observed, who }, breach) =>
      kind === 'program' &&
      observed === 0 &&
      hasJoinedAShared(breach, fn) &&
      breach.moment.outcome.call?.events.some((event) => event.kind === 'program' && event.who === who) ===
        true,
    example:
      'ops#1 = ftrace_ops(SAVE_REGS | IPMODIFY); ftrace_set_filter_ip(ops#1, f1); prog#1 = BPF_PROG_LOAD(fentry multi); link#1 = BPF_LINK_CREATE(prog#1, { f2 }); register_ftrace_function(ops#1); ftrace_set_filter_ip(ops#1, f2); task#1 calls f2(0x5100000071000000)',
  }),
];
