import { PROFILES } from '../../model/core/profile.ts';
import { ARG_BYTES_MAX, ARGS_MAX } from '../../model/trampoline/load-target.ts';

const NO_FUNCTION_MODEL =
  `the target takes more than ${ARGS_MAX} arguments, or a structure of more than ${ARG_BYTES_MAX} bytes, or returns a ` +
  'structure';

const ON_A_LIST =
  'it may not sleep, and the program does; or it does not return, and the program runs after it';

const WIDE_RETURN = 'the target returns more than 8 bytes, and the program runs after it';

/** The condition of a guard that checks several at once, by the name of its return site. */
export const FOUND: Readonly<Record<string, string>> = {
  'bpf_prog_load: EINVAL  the verifier refuses the kprobe program':
    'the program reads its arguments by the helpers of tracing programs, or a session returns neither 0 nor 1',
  'bpf_prog_load: EINVAL  the verifier refuses the program for its target': `${NO_FUNCTION_MODEL}; or this kernel does not attach a program of this kind to it`,
  'bpf_prog_load: EOPNOTSUPP  the verifier refuses the program for its target': WIDE_RETURN,
  'bpf_prog_load: EINVAL  its target is on a list, or on none': ON_A_LIST,
  'bpf_prog_load: EACCES  the verifier refuses what the program does': `the program reads an argument of 16 bytes that is no structure, or a return value stored after ${ARGS_MAX} words`,
  'bpf_trampoline_multi_attach: EINVAL  the program cannot attach to the function': `${NO_FUNCTION_MODEL}; ${ON_A_LIST}`,
  'bpf_trampoline_multi_attach: EOPNOTSUPP  the program cannot attach to the function': WIDE_RETURN,
  'bpf_trampoline_update: ENOTSUPP  the image cannot be generated': `the arguments of the target take more words than an image can carry: ${PROFILES['6.1'].trampolineSlotsMax} on 6.1`,
  'bpf_trampoline_update: EFAULT  the image cannot be generated':
    'the programs fill the memory that an image may have',
};
