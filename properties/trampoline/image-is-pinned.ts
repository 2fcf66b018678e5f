import type { StageEvent } from '../../model/trampoline/stage/event.ts';
import { wordOf } from '../../model/trampoline/stage/event.ts';
import { equal } from '../../model/x86/word.ts';
import type { FoundInImage, Law } from '../law/image-law.ts';
import { foundAt, seenWord } from '../observed/seen.ts';
import type { Subject } from '../observed/subject.ts';

/** Memory: 0 before __bpf_tramp_enter, 1 after it, 2 after __bpf_tramp_exit. */
export const imageIsPinned: Law = {
  name: 'trampoline/image-is-pinned',
  sentence:
    'An image that calls the original holds a reference to itself from before its first program until after its last, on every path.',
  source: 'kernel/bpf/trampoline.c  __bpf_tramp_enter, __bpf_tramp_exit',
  premise: ({ flags }) => flags.CALL_ORIG,
  witness: 'an image that calls the original',
  on: {
    trampEnter: (memory, event, subject) =>
      memory === 0 ? given(event, subject, 1) : foundAt(event, { is: 'image-is-entered-again' }),
    trampExit: (memory, event, subject) =>
      memory === 1 ? given(event, subject, 2) : foundAt(event, { is: 'image-is-left-once-more' }),
    enter: needsPin,
    original: needsPin,
  },
  conclude: (memory, _end, { flags }) => {
    const wanted = flags.CALL_ORIG ? 2 : 0;
    if (memory === wanted) return undefined;
    const observed = memory === 1 ? 'pinned' : 'not left';
    return { finding: { is: 'pin-is-left-over', callsOriginal: flags.CALL_ORIG, observed } };
  },
};

/** Programs and the original run only while the image is pinned. */
function needsPin(memory: number, event: StageEvent, { flags }: Subject): number | FoundInImage {
  if (memory === 1 || !flags.CALL_ORIG) return memory;
  const observed = memory === 0 ? 'not entered yet' : 'left already';
  return foundAt(event, { is: 'image-is-not-pinned', observed });
}

/** The helper gets this image. */
function given(event: StageEvent, subject: Subject, next: number): number | FoundInImage {
  const { imageStruct } = subject.addresses;
  if (imageStruct === undefined || equal(wordOf(event, 2), imageStruct)) return next;
  return foundAt(event, { is: 'helper-is-given-another-image', observed: seenWord(event, 2) });
}
