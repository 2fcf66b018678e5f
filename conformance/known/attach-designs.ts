import type { KnownAttach, KnownForm } from './attach.ts';
import { known } from './attach.ts';
import { keepsRegs } from './kept-regs.ts';

const KEEPS_REGS: Pick<KnownForm<'refusal-leaves-a-trace'>, 'evidence' | 'law' | 'finding' | 'when'> = {
  evidence:
    'kernel/trace/ftrace.c of all three  ftrace_shutdown: nothing clears the flags of a record without users while tracing is off',
  law: 'ftrace/failed-calls-have-no-effect',
  finding: 'refusal-leaves-a-trace',
  when: ({ changes }, { moment }) =>
    moment.action.do === 'BPF_LINK_CREATE' && changes.every((change) => keepsRegs(change, moment)),
};

/** A link to a function, and to one with more arguments that already has a direct call. */
const BESIDE_A_DIRECT_CALL =
  'f1 = function(u64 x2 -> u64); f2 = function(u64 -> u64); ftrace_set_filter_ip(direct#1, f1); register_ftrace_direct_multi(direct#1, my_tramp1); sysctl kernel.ftrace_enabled=0; prog#1 = BPF_PROG_LOAD(fentry multi); link#1 = BPF_LINK_CREATE(prog#1, { f2, f1 })';

const REFUSED_BESIDE =
  'With kernel.ftrace_enabled=0, a link is attached to some of its functions, refused for others that have a direct call, and rolled back: the record keeps REGS.';

/** Breaches that only multi links of unmerged designs show. */
export const KNOWN_OF_DESIGNS: readonly KnownAttach[] = [
  known({
    ...KEEPS_REGS,
    name: 'rollback-keeps-regs',
    sentence:
      'With kernel.ftrace_enabled=0, a link is attached to one function, refused for the next and rolled back: the record keeps REGS, as after a single link that is attached and detached.',
    kernels: ['6.1', '6.12', '7.2'],
    restsOn: ['disabledBySysctl'],
    multiLinks: 'one by one',
    example:
      'f1 = function(u64 -> u64); f13 = function(u64 x13 -> u64); prog#1 = BPF_PROG_LOAD(fentry multi); sysctl kernel.ftrace_enabled=0; link#1 = BPF_LINK_CREATE(prog#1, { f1, f13 })',
  }),
  known({
    ...KEEPS_REGS,
    name: 'rollback-of-splitting-keeps-regs',
    sentence: REFUSED_BESIDE,
    kernels: ['6.1', '6.12', '7.2'],
    restsOn: ['disabledBySysctl'],
    multiLinks: 'splitting',
    example: BESIDE_A_DIRECT_CALL,
  }),
  known({
    ...KEEPS_REGS,
    name: 'rollback-of-program-sets-keeps-regs',
    sentence: REFUSED_BESIDE,
    kernels: ['6.1', '6.12', '7.2'],
    restsOn: ['disabledBySysctl'],
    multiLinks: 'program sets',
    example: BESIDE_A_DIRECT_CALL,
  }),
  known({
    ...KEEPS_REGS,
    name: 'rollback-of-global-keeps-regs',
    sentence: REFUSED_BESIDE,
    kernels: ['6.12'],
    multiLinks: 'global',
    variants: ['global int in rax', 'global padding'],
    example: BESIDE_A_DIRECT_CALL.replace('register_ftrace_direct_multi', 'register_ftrace_direct'),
  }),
];
