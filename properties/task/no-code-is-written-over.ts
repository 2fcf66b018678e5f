import { crashLaw } from '../observed/crash-law.ts';

/** C1, where memory is not given back but used again: the images of generation A. */
export const noCodeIsWrittenOver = crashLaw({
  name: 'task/no-code-is-written-over',
  sentence:
    'A task that comes back finds the code that it left: nothing else has been written there, and it touches only what is there.',
  source: 'kernel/bpf/trampoline.c bpf_trampoline_update, bpf_image_alloc',
  witness: 'a call overlapped an operation',
  expected: 'a call touches only memory that is there',
  isBreach: (kind) => FAULTS.includes(kind),
  isPremise: (happening) => happening.is === 'call over' && happening.during.length > 0,
});

/** Faults of an instruction that was fetched, a call that goes on for ever, bytes that are no instruction of an image. */
const FAULTS: readonly string[] = [
  'unmapped',
  'not readable',
  'not writable',
  'bad address',
  'endless',
  'written over',
];
