import type { StageEvent } from '../../model/trampoline/stage/event.ts';
import { wordOf } from '../../model/trampoline/stage/event.ts';
import { equal } from '../../model/x86/word.ts';
import type { Finding, Law } from '../law/image-law.ts';
import { describe, finding } from '../observed/seen.ts';
import type { Subject } from '../observed/subject.ts';

/** Memory: 0 before __bpf_tramp_enter, 1 after it, 2 after __bpf_tramp_exit. */
export const imageIsPinned: Law = {
  name: 'trampoline/image-is-pinned',
  sentence:
    'An image that calls the original holds a reference to itself from before the first program until after the last, on every path.',
  source: 'kernel/bpf/trampoline.c  __bpf_tramp_enter, __bpf_tramp_exit',
  premise: ({ flags }) => flags.CALL_ORIG,
  witness: 'the image called the original',
  on: {
    trampEnter: (memory, event, subject) =>
      memory === 0 ? given(event, subject, 1) : finding(event, 'one __bpf_tramp_enter', 'a second one'),
    trampExit: (memory, event, subject) =>
      memory === 1
        ? given(event, subject, 2)
        : finding(event, 'one __bpf_tramp_exit after the enter', 'another one'),
    enter: needsPin,
    original: needsPin,
  },
  conclude: (memory, _end, { flags }) => {
    const wanted = flags.CALL_ORIG ? 2 : 0;
    if (memory === wanted) return undefined;
    const times =
      wanted === 0 ? 'no __bpf_tramp_enter without an original call' : '__bpf_tramp_exit on every path';
    return { expected: times, observed: memory === 1 ? 'the image stays pinned' : 'it did not happen' };
  },
};

/** Programs and the original run only while the image is pinned. */
function needsPin(memory: number, event: StageEvent, { flags }: Subject): number | Finding {
  if (memory === 1 || !flags.CALL_ORIG) return memory;
  const first = memory === 0 ? 'no __bpf_tramp_enter came first' : '__bpf_tramp_exit came first';
  return finding(event, 'the image is pinned while it runs programs or the original', first);
}

/** The helper is given this image. */
function given(event: StageEvent, subject: Subject, next: number): number | Finding {
  const { imageStruct } = subject.addresses;
  if (imageStruct === undefined || equal(wordOf(event, 2), imageStruct)) return next;
  return finding(event, "the helper is given the image's own structure", `it is given ${describe(event, 2)}`);
}
