import { printSignature } from '../../model/trampoline/signature.ts';
import type { AbiFinding, SharedFinding } from './abi-finding.ts';
import { IMAGE_WORDS } from './image-words.ts';
import type { SaidWords } from './said.ts';
import { saidOf } from './said.ts';

/** The words for argument locations and shared images. */
export const ABI_WORDS: SaidWords<AbiFinding> = {
  'two-words-in-a-place': ({ place, signature }) => ({
    expected: `one word in ${place} of ${printSignature(signature)}`,
    observed: 'there are two',
  }),
  'argument-lies-in-two-kinds': ({ argument, signature }) => ({
    expected: `argument ${argument + 1} of ${printSignature(signature)} is in registers or on the stack`,
    observed: 'it is split between both',
  }),
  'functions-are-served-otherwise': ({ expected, observed }) => ({
    expected: `functions ${expected.join(', ')} each have one image`,
    observed: `images serve functions ${observed.join(', ')}`,
  }),
  'image-count-differs': ({ functions, expected, observed: { images, classes, empty } }) => ({
    expected: `1 to ${expected} images for ${functions} functions, none without a function`,
    observed: `${images}, ${classes} classes, ${empty} of them empty`,
  }),
  'fewer-functions-need-more': ({ expected, observed }) => ({
    expected: `at most ${expected} images without the last function`,
    observed: `${observed}`,
  }),
  'prefixes-need-more': ({ expected, observed }) => ({
    expected: `at most ${expected} images, the number for exact plans`,
    observed: `${observed}`,
  }),
  'sharers-depend-on-the-order': ({ order, expected, observed }) => ({
    expected: `these share: ${sharers(expected)}`,
    observed: `in the order ${order.join(' ')}: ${sharers(observed)}`,
  }),
  'plan-is-of-no-function': ({ plan }) => ({
    expected: `a function with the plan ${plan.join(' ')}`,
    observed: 'none',
  }),
  'shared-image-breaks': ({ called, made, finding }) => {
    const { expected, observed } = saidOf(SHARED_WORDS, finding);
    const call = `in a call of f(${printSignature(called)}) through the image of f(${printSignature(made)})`;
    return { expected, observed: `${observed}, ${call}` };
  },
};

/** `{0 2} {1}`. */
function sharers(sets: readonly (readonly number[])[]): string {
  return sets.map((members) => `{${members.join(' ')}}`).join(' ');
}

/** The words for a call through a shared image, before the call itself is named. */
const SHARED_WORDS: SaidWords<SharedFinding> = {
  ...IMAGE_WORDS,
  'image-is-refused': ({ errno }) => ({ expected: 'an image', observed: errno }),
  'call-is-not-seen-to-its-end': ({ law, finding }) => ({
    expected: 'the call returns',
    observed: `${saidOf(SHARED_WORDS, finding).observed} (${law})`,
  }),
  'context-is-copied-otherwise': ({ slot, expected, observed }) => ({
    expected: `ctx[${slot}] is copied from ${expected}`,
    observed: `the image copies ${observed ?? 'nothing'} there`,
  }),
};
