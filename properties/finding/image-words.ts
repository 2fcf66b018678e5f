import { placeName } from '../../model/abi/x86-64.ts';
import { groupName, RETURN, RETURN_HIGH, tagName } from '../../model/trampoline/stage/groups.ts';
import { faultText } from '../../model/x86/fault-words.ts';
import { UNDEFINED } from '../../model/x86/origin.ts';
import type { ImageFinding, Neighbour } from './image-finding.ts';
import { givenText, programText, returnText, stepText, wordText } from './image-value-words.ts';
import type { SaidWords } from './said.ts';
import { saidOf } from './said.ts';

/** Expectations that several findings share. */
const RETURNS = 'the call returns to the caller';
const STORES = 'the image writes only below its saved rbp';

/** The words for an image: its bytes, a call through it, and what that call shows. One table on purpose. */
export const IMAGE_WORDS: SaidWords<ImageFinding> = {
  'in-own-words': ({ expected, observed }) => ({ expected, observed }),
  'branch-leads-astray': ({ observed }) => ({
    expected: 'the branch targets a known function or instruction',
    observed: `it targets ${typeof observed === 'number' ? `${inImage(observed)}, inside an instruction` : `${observed}, where there is no code`}`,
  }),
  'image-is-longer-than-asked': ({ expected, observed }) => ({
    expected: `the image has at most the ${expected} bytes that its size pass computed`,
    observed: `it has ${observed}`,
  }),
  'second-generation-differs': ({ expected, observed: { is, count } }) => ({
    expected: `the second generation gives the same ${expected} bytes`,
    observed: `it gives ${is === 'bytes' ? `${count} bytes` : `a different byte at ${inImage(count)}`}`,
  }),
  'entry-is-not-counted': () => ({
    expected: 'the entry is accounted first',
    observed: 'another instruction comes first',
  }),
  'entry-is-no-target': () => ({
    expected: 'an image that is called through a pointer starts with endbr64',
    observed: 'another instruction comes first',
  }),
  'call-is-not-counted': ({ callee }) => ({
    expected: `the call of ${callee} is accounted`,
    observed: 'no accounting precedes it',
  }),
  'return-is-another': ({ thunk, observed }) => ({
    expected: thunk === null ? 'the image has a ret' : `the image returns through ${thunk}`,
    observed: `it has ${observed}`,
  }),
  'caller-passes-elsewhere': ({ argument, expected, observed }) => ({
    expected: `the caller passes argument word ${argument} in ${placeName(expected)}`,
    observed: observed === null ? 'it does not' : `it passes it in ${placeName(observed)}`,
  }),
  'original-is-entered-elsewhere': ({ expected, observed }) => ({
    expected: `the original is entered at f+0x${expected.toString(16)}`,
    observed: `it is entered at f+0x${observed.toString(16)}`,
  }),
  'runs-where-nothing-starts': ({ place }) => ({
    expected: RETURNS,
    observed: `it executes ${place}, where no instruction starts`,
  }),
  'runs-without-end': () => ({ expected: RETURNS, observed: 'it loops forever' }),
  'access-is-refused': ({ fault }) => ({ expected: RETURNS, observed: faultText(fault) }),
  'depends-on-a-value': ({ what, tag }) => ({
    expected: `no ${what} depends on the value of an argument`,
    observed: `this ${what} depends on ${tagName(tag)}`,
  }),
  'store-is-refused': ({ fault }) => ({ expected: STORES, observed: faultText(fault) }),
  'image-stores-elsewhere': ({ observed }) => ({
    expected: STORES,
    observed: `it ${typeof observed === 'string' ? `overwrites ${OVER[observed]}` : `writes to ${observed.address}`}`,
  }),
  'enter-is-given-no-program': ({ observed }) => ({
    expected: 'enter gets an attached program',
    observed: `it gets ${wordText(observed)}`,
  }),
  'exit-is-given-another-program': ({ expected, observed }) => ({
    expected: expected === null ? 'no exit without an enter' : `exit gets ${programText(expected)}`,
    observed: `exit gets ${givenText(observed)}`,
  }),
  'exit-is-given-another-start': ({ program, observed }) => ({
    expected: `exit of ${programText(program)} gets the value that enter returned`,
    observed: `it gets ${wordText(observed)}`,
  }),
  'program-is-not-exited': ({ program, missed }) => ({
    expected: `${programText(program)} is exited${missed ? ', although enter returned zero' : ''}`,
    observed: 'it is not',
  }),
  'missed-program-runs': ({ program }) => ({
    expected: `${programText(program)} does not run: enter returned zero`,
    observed: 'it runs',
  }),
  'program-runs-unasked': ({ program, again }) => ({
    expected: 'only the entered program runs',
    observed: `${programText(program)} runs${again ? ' again' : ''}`,
  }),
  'entered-program-does-not-run': ({ program }) => ({
    expected: `${programText(program)} runs`,
    observed: 'it is exited without having run',
  }),
  'step-is-another': ({ expected, observed }) => ({
    expected: `${stepText(expected)} comes next`,
    observed: observed.is === 'return' ? 'the call returns' : `${stepText(observed)} does`,
  }),
  'image-is-entered-again': () => ({ expected: 'one __bpf_tramp_enter', observed: 'a second one' }),
  'image-is-left-once-more': () => ({
    expected: 'one __bpf_tramp_exit after the enter',
    observed: 'another one',
  }),
  'helper-is-given-another-image': ({ observed }) => ({
    expected: "the helper gets the image's own structure",
    observed: `it gets ${wordText(observed)}`,
  }),
  'image-is-not-pinned': ({ observed }) => ({
    expected: 'the image is pinned while it runs programs or the original',
    observed:
      observed === 'not entered yet' ? 'no __bpf_tramp_enter came first' : '__bpf_tramp_exit came first',
  }),
  'pin-is-left-over': ({ callsOriginal, observed }) => ({
    expected: callsOriginal
      ? '__bpf_tramp_exit on every path'
      : 'no __bpf_tramp_enter without an original call',
    observed: observed === 'pinned' ? 'the image stays pinned' : 'it is missing',
  }),
  'program-arguments-differ': ({ program, words: [{ argument, observed }] }) => ({
    expected: `ctx[${argument}] of ${programText(program)} holds argument word ${argument + 1}`,
    observed: `it holds ${wordText(observed)}`,
  }),
  'upper-bytes-differ': ({ program, bytes: [{ argument, byte, expected, observed }] }) => ({
    expected: `byte ${byte} of ctx[${argument}] in ${programText(program)} is ${expected === 'zero' ? 'zero' : 'what the caller left there'}`,
    observed: observed === UNDEFINED ? 'it was never written' : `it is ${tagName(observed)}`,
  }),
  'return-in-context-differs': ({ program, slot, expected, observed }) => ({
    expected: `${programText(program)} finds ${returnText(expected)} in ctx[${slot}]`,
    observed: `it finds ${wordText(observed)}`,
  }),
  'argument-count-differs': ({ program, expected, observed }) => {
    const count = observed.value.lo & 0xff;
    return {
      expected: `ctx[−1] of ${programText(program)} counts ${expected} argument words`,
      observed: count === expected ? `it is ${wordText(observed)}` : `it counts ${count}`,
    };
  },
  'told-function-differs': ({ program, expected, observed }) => ({
    expected: `ctx[−2] of ${programText(program)} is ${expected}, the function`,
    observed: `it is ${wordText(observed)}`,
  }),
  'told-half-differs': ({ program, expected }) => ({
    expected: `${programText(program)} sees that this is its ${expected} half`,
    observed: `it sees its ${expected === 'entry' ? 'exit' : 'entry'} half`,
  }),
  'run-context-has-another-cookie': ({ program, expected, observed }) => ({
    expected: `the run context of ${programText(program)} holds the cookie ${expected}`,
    observed: `it holds ${wordText(observed)}`,
  }),
  'exit-is-given-another-context': ({ observed }) => ({
    expected: 'exit gets the run context that enter got',
    observed: `it gets ${wordText(observed)}`,
  }),
  'outer-context-is-lost': ({ observed }) => ({
    expected: 'current->bpf_ctx is what it was before the call',
    observed: `it is ${wordText(observed)}`,
  }),
  'session-cookie-differs': ({ program, expected, observed }) => ({
    expected: `the session cookie of ${programText(program)} is ${expected === 'zero' ? 'zero at first' : 'what its entry half stored'}`,
    observed: `it is ${wordText(observed)}`,
  }),
  'original-runs-again': () => ({ expected: 'the original runs once', observed: 'it runs a second time' }),
  'original-runs-all-the-same': ({ stopper }) => ({
    expected: `the original does not run: ${programText(stopper)} returned a value in its place`,
    observed: 'it runs',
  }),
  'original-does-not-run': () => ({
    expected: 'the original runs',
    observed: 'the call returns without it',
  }),
  'stack-is-misaligned': ({ observed }) => ({
    expected: 'rsp is a multiple of 16 at the call of the original',
    observed: `it is ${observed} bytes above one`,
  }),
  'arguments-of-the-original-differ': ({ words: [{ argument, place, observed }] }) => ({
    expected: `the original finds argument word ${argument + 1} in ${placeName(place)}`,
    observed: `it finds ${wordText(observed)}`,
  }),
  'tail-call-counter-is-lost': ({ observed }) => ({
    expected: 'rax is the tail-call counter at the original',
    observed: `it is ${wordText(observed)}`,
  }),
  'returns-to-another-place': ({ expected, off, observed }) => ({
    expected: `the image returns ${expected === 'past the function' ? 'past the function to the caller' : expected}`,
    observed: `rsp is ${Math.abs(off)} bytes too ${off < 0 ? 'low' : 'high'}: it returns to ${observed}`,
  }),
  'caller-finds-another-rsp': ({ off }) => ({
    expected: "the caller's rsp is unchanged",
    observed: `it is off by ${off} bytes`,
  }),
  'saved-register-is-lost': ({ register, observed }) => ({
    expected: `${register} is the caller's ${register}`,
    observed: `${register} is ${wordText(observed)}`,
  }),
  'returned-register-differs': ({ register, expected, observed }) => ({
    expected:
      expected.is === 'of a program'
        ? `${register} is what ${programText(expected.program)} returned`
        : `${register} is ${groupName(register === 'rax' ? RETURN : RETURN_HIGH)}`,
    observed: `${register} is ${wordText(observed)}`,
  }),
  'patched-image-breaks': ({ law, skipped, offset, finding }) => {
    const { expected, observed } = saidOf(IMAGE_WORDS, finding);
    const patch = `with ${skipped === 0 ? 'all fexit programs' : `prog#${skipped}`} patched out at ${inImage(offset)}`;
    return { expected: `${expected} (${law})`, observed: `${patch}: ${observed}` };
  },
};

function inImage(offset: number): string {
  return `tramp#1+0x${offset.toString(16)}`;
}

const OVER: Readonly<Record<Neighbour, string>> = {
  'saved rbp': 'the saved rbp',
  'return address': 'its return address',
  "caller's frame": "the caller's frame",
};
