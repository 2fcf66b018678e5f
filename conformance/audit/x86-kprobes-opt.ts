import { DETOUR_ALWAYS, READ_IN_6_12 } from './reasons.ts';
import type { Audit } from './row.ts';
import { ALL, allocates, branches, gotos, modelled, omitted, returns, waits } from './row.ts';

const REPLACED = modelled('model/call/body-code.ts replacedBy');

/** Jumps of optimised kprobes. */
export const X86_KPROBES_OPT: Audit = {
  file: 'arch/x86/kernel/kprobes/opt.c',
  functions: [
    {
      fn: 'arch_prepare_optimized_kprobe',
      in: ALL,
      basis: READ_IN_6_12,
      rows: [
        returns(ALL, 'EILSEQ: can_optimize() answers no', modelled('model/call/body-code.ts codeAt')),
        allocates(ALL, 'a buffer: ENOMEM', omitted(DETOUR_ALWAYS)),
        gotos(ALL, 'out, ENOMEM: no slot for the detour', omitted(DETOUR_ALWAYS)),
        gotos(
          ALL,
          'err, ERANGE: the detour is out of reach of a jump',
          omitted('the pages of the model are within 2 GiB'),
        ),
        gotos(ALL, 'err, the errno of copy_optimized_instructions()', REPLACED),
      ],
    },
    {
      fn: 'copy_optimized_instructions',
      in: ALL,
      basis: READ_IN_6_12,
      rows: [
        returns(ALL, 'EINVAL: an instruction cannot be copied, or not boosted', REPLACED),
        returns(
          ALL,
          'EBUSY: text of ftrace, an alternative, a jump label or a static call',
          omitted('a body holds none after its call site'),
        ),
      ],
    },
    {
      fn: 'can_optimize',
      in: ALL,
      basis: READ_IN_6_12,
      rows: [
        returns(ALL, 'no: less than five bytes are left of the function', REPLACED),
        returns(
          ALL,
          'no: a jump leads among the instructions',
          modelled('model/call/body-code.ts jumpsInto'),
        ),
        returns(
          ALL,
          'no: no symbol, entry code, an entry of the exception table, an indirect jump, a breakpoint of kgdb',
          omitted('a body has none'),
        ),
      ],
    },
    {
      fn: 'arch_optimize_kprobes',
      in: ALL,
      basis: READ_IN_6_12,
      rows: [
        waits(
          ALL,
          'the three of text_poke_bp(), for each kprobe of the list',
          modelled('text_poke_bp_batch: sync after int3'),
        ),
      ],
    },
    {
      fn: 'arch_unoptimize_kprobe',
      in: ALL,
      basis: READ_IN_6_12,
      rows: [
        waits(ALL, 'text_poke_sync() after the int3', modelled('arch_unoptimize_kprobe: sync after int3')),
        waits(
          ALL,
          'text_poke_sync() after the other four bytes',
          modelled('arch_unoptimize_kprobe: sync after the instructions'),
        ),
      ],
    },
    {
      fn: 'optimized_callback',
      in: ALL,
      basis: READ_IN_6_12,
      rows: [
        returns(
          ALL,
          'the kprobe is disabled, and waits to be unoptimised',
          modelled('optimized_callback: the kprobe is disabled'),
        ),
        branches(
          ALL,
          'a kprobe runs on the CPU: a miss is counted',
          modelled('optimized_callback: count the miss'),
        ),
      ],
    },
    {
      fn: 'setup_detour_execution',
      in: ALL,
      basis: READ_IN_6_12,
      rows: [
        returns(
          ALL,
          '1: KPROBE_FLAG_OPTIMIZED, and execution resumes in the copies',
          modelled('model/ftrace/run/kprobe-int3.ts kprobeInt3Handler'),
        ),
      ],
    },
  ],
};
