import type { AttachFinding } from '../../properties/finding/attach-finding.ts';
import { rendered } from '../../properties/finding/render.ts';
import type { Said, SaidWords } from '../../properties/finding/said.ts';
import { listed, saidOf } from '../../properties/finding/said.ts';
import type { TakenFunction } from './transcript.ts';

/** What a running kernel shows beside what the laws judge of a call: plain data, distinguished by its tag. */
export type ShownFinding =
  /** Lines of its console. */
  | { readonly is: 'console-warns'; readonly action: string; readonly lines: readonly string[] }
  /** It stopped answering. */
  | {
      readonly is: 'kernel-lost';
      readonly action: string;
      readonly hangs: boolean;
      readonly lines: readonly string[];
    }
  /** A function that no client has asked for is patched. */
  | { readonly is: 'patched-without-a-client'; readonly fn: string; readonly entry: string }
  /** A refused call has changed what a function shows. */
  | {
      readonly is: 'refusal-shows';
      readonly errno: string;
      readonly fn: string;
      readonly before: string;
      readonly after: string;
    }
  /** Functions that are patched after everything was taken off, and the answer to a new direct call. */
  | {
      readonly is: 'left-patched';
      readonly functions: readonly string[];
      readonly direct: string;
      readonly taken: readonly TakenFunction[];
    };

export type ObservedFinding = AttachFinding | ShownFinding;

const SHOWN_WORDS: SaidWords<ShownFinding> = {
  'console-warns': ({ action, lines }) => ({
    expected: `no WARN in ${action}`,
    observed: listed(lines, 'nothing'),
  }),
  'kernel-lost': ({ action, hangs, lines }) => ({
    expected: `the kernel continues after ${action}`,
    observed: `it ${hangs ? 'hangs' : 'crashes'}: ${listed(lines, 'its console is silent')}`,
  }),
  'patched-without-a-client': ({ fn, entry }) => ({
    expected: `${fn} has the nop of the boot, as no client has asked for it`,
    observed: `${fn} has ${entry}`,
  }),
  'refusal-shows': ({ errno, fn, before, after }) => ({
    expected: `${fn} shows what it did before the call that was refused with ${errno}: ${before}`,
    observed: `${fn} shows ${after}`,
  }),
  'left-patched': ({ functions, direct, taken }) => ({
    expected: 'with every client detached, no call site is patched, and a direct call is accepted',
    observed: [
      `patched: ${listed(functions, 'none')}`,
      ...(direct === '0' ? [] : [`a direct call answers ${direct}`]),
      ...taken.map(({ fn, errno }) => `a direct call of ${fn} answers ${errno}`),
    ].join('; '),
  }),
};

/** A finding in words, for a report alone. */
export function saidOfObserved(finding: ObservedFinding): Said {
  return finding.is in SHOWN_WORDS
    ? saidOf(SHOWN_WORDS, finding as ShownFinding)
    : rendered(finding as AttachFinding);
}
