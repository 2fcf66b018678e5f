import { DATA_ORIGIN } from '../../model/tracepoint/execute-stub.ts';
import { failureText } from '../../model/tracepoint/failure-words.ts';
import { CONSTANT } from '../../model/x86/origin.ts';
import { toHex } from '../../model/x86/word.ts';
import type { SaidWords } from './said.ts';
import type { StubFinding } from './stub-finding.ts';

/** The words for stubs of raw tracepoints. */
export const STUB_WORDS: SaidWords<StubFinding> = {
  'stub-does-not-arrive': ({ failure }) => ({
    expected: 'the stub calls __bpf_trace_run()',
    observed: failureText(failure),
  }),
  'data-of-the-probe-is-lost': ({ observed }) => ({
    expected: 'rdi holds the data of the probe',
    observed: `it holds ${toHex(observed.value)}`,
  }),
  'context-byte-differs': ({ slot, byte, expected, observed }) => ({
    expected: `byte ${byte} of ctx[${slot}] is ${sourceName(expected)}`,
    observed: `it is ${sourceName(observed)}`,
  }),
  'context-is-not-zero-extended': ({ slot, bytes, observed }) => ({
    expected: `ctx[${slot}] is zero above ${bytes} bytes`,
    observed: `it is ${toHex(observed.value)}`,
  }),
};

function sourceName(tag: number): string {
  if (tag === 0) return 'never written';
  if (tag === CONSTANT) return 'the same for all arguments';
  if (tag < 8) return 'computed';
  const origin = tag >>> 3;
  return origin === DATA_ORIGIN
    ? `byte ${tag & 7} of the data`
    : `byte ${tag & 7} of argument ${origin - DATA_ORIGIN}`;
}
