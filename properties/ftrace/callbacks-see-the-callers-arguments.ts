import type { PromisedClient } from '../../model/contract/promises.ts';
import type { CallEvent } from '../../model/core/event.ts';
import { wordsOfArguments } from '../../model/trampoline/signature.ts';
import { knownFunction } from '../../model/trampoline/traced-function.ts';
import type { AttachLaw, Moment } from '../law/sequence-law.ts';
import type { ExpectedCall } from '../observed/expectation.ts';
import { seenCall } from '../observed/seen-call.ts';

type FunctionTexts = Moment['after']['functions'];

/**
 * Handlers get registers; programs get all words as passed, or those that the verifier let them read; a body gets its
 * arguments narrowed to their types.
 */
export const callbacksSeeTheCallersArguments: AttachLaw = {
  name: 'ftrace/callbacks-see-the-callers-arguments',
  sentence:
    'Every handler, probe, direct trampoline and program, and the body, sees the arguments that the caller passed.',
  source:
    'arch/x86/kernel/ftrace_64.S  save_mcount_regs; arch/x86/net/bpf_jit_comp.c  save_args, restore_regs',
  witness: 'a call with arguments, with a client attached',
  judge: (moment) => {
    const seen = seenCall(moment);
    if (seen === undefined) return 'not applicable';
    let witness = false;
    for (const { event, call, client } of seen.events) {
      if (event.args === undefined || call === undefined) continue;
      witness ||= client !== undefined && call.words.length > 0;
      const wrong = difference(event, argumentsFor(event, call, client, moment.after.functions));
      if (wrong !== undefined) return wrong;
    }
    return witness ? 'held' : 'not applicable';
  },
};

function argumentsFor(
  { kind }: CallEvent,
  call: ExpectedCall,
  client: PromisedClient | undefined,
  functions: FunctionTexts,
): readonly (string | null)[] {
  if (kind === 'body') return call.narrowed;
  if (kind === 'xdp program') return call.registers.slice(0, XDP_WORDS);
  if (kind !== 'program' && kind !== 'extension') return call.registers;
  const accessed = client?.program?.accessed;
  if (accessed === undefined) return call.words.slice(0, client?.program?.wordsMost);
  const { signature } = knownFunction(functions, accessed.in);
  return wordsOfArguments(signature, accessed.numbers).map((word) => call.words[word] ?? null);
}

/** An XDP program is called with its context and its instructions. */
const XDP_WORDS = 2;

/** Registers that a call does not use hold anything; a program and a body know the number of words. */
function difference({ who, kind, fn, args }: CallEvent, expected: readonly (string | null)[]) {
  const exact = kind === 'body' || kind === 'program' || kind === 'extension';
  const seen = exact ? args! : args!.slice(0, expected.length);
  if (seen.length === expected.length && seen.every((word, i) => word === expected[i])) return undefined;
  return { is: 'arguments-differ', who, fn, expected, observed: seen } as const;
}
