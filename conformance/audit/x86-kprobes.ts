import { INT3_IN_ONE_STEP, NO_ANSWERS, NO_SLOT, USER_MODE } from './reasons.ts';
import type { Audit } from './row.ts';
import { ALL, allocates, branches, modelled, omitted, returns, SINCE_6_12, V6_1, waits } from './row.ts';

const HANDLER = 'model/ftrace/run/kprobe-int3.ts kprobeInt3Handler';
const BEGINS = modelled('register_kprobe: no instruction begins there');

/** Kprobes by int3. */
export const X86_KPROBES: Audit = {
  file: 'arch/x86/kernel/kprobes/core.c',
  functions: [
    {
      fn: 'arch_prepare_kprobe',
      in: ALL,
      rows: [
        returns(
          ALL,
          'EINVAL: text of an alternative',
          omitted('the prologue of a body holds no alternative'),
        ),
        returns(ALL, 'EILSEQ: can_probe() answers no', BEGINS),
        allocates(ALL, 'a slot for a copy of the instruction: ENOMEM', omitted(NO_SLOT)),
        returns(ALL, 'the errno of arch_copy_kprobe(); the slot is freed', omitted(NO_SLOT)),
      ],
    },
    {
      fn: 'can_probe',
      in: ALL,
      rows: [
        returns(ALL, 'no: the address is in no symbol', omitted('a probe of the model names a function')),
        returns(
          ALL,
          'no: an instruction before the address cannot be recovered from a breakpoint, or decoded, or is that of kgdb',
          omitted('a body has no int3 but those of kprobes, and bytes that decode'),
        ),
        returns(ALL, 'no: the last instruction before the address ends after it', BEGINS),
        returns(
          SINCE_6_12,
          'no: the instruction itself is an int3 or a ud2, or cannot be decoded, or belongs to a check of CFI',
          omitted('the prologue has no such instruction'),
        ),
      ],
    },
    {
      fn: 'arch_arm_kprobe',
      in: ALL,
      rows: [
        waits(
          ALL,
          'text_poke_sync() after the int3 (7.2: smp_text_poke_sync_each_cpu())',
          modelled('arch_arm_kprobe: sync after int3'),
        ),
      ],
    },
    {
      fn: 'arch_disarm_kprobe',
      in: ALL,
      rows: [
        waits(
          ALL,
          'text_poke_sync() after the opcode (7.2: smp_text_poke_sync_each_cpu())',
          modelled('arch_disarm_kprobe: sync after the opcode'),
        ),
      ],
    },
    {
      fn: 'kprobe_int3_handler',
      in: ALL,
      rows: [
        returns(ALL, '0: the trap comes from user mode', omitted(USER_MODE)),
        branches(ALL, 'a kprobe runs on the CPU: reenter_kprobe() counts a miss', modelled(HANDLER)),
        branches(ALL, 'a pre_handler answers nonzero, and the instruction is skipped', omitted(NO_ANSWERS)),
        branches(ALL, 'the second int3, after the copy of the instruction', omitted(INT3_IN_ONE_STEP)),
        returns(
          V6_1,
          '1: no kprobe, and no int3 in memory any more: the place is fetched again',
          modelled(HANDLER),
        ),
        returns(ALL, '0: no kprobe, and the trap is unhandled', modelled(HANDLER)),
      ],
    },
  ],
};
