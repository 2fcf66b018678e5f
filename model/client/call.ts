import type { CallRequest } from '../call/call-frame.ts';
import { InputError } from '../core/input-error.ts';
import { item, present } from '../core/present.ts';
import { DISPATCHER_FUNC } from '../dispatcher/dispatcher.ts';
import { isThere } from '../text/module.ts';
import type { Word } from '../x86/word.ts';
import { fromHex, toHex, ZERO } from '../x86/word.ts';
import { argumentSlots, isHit } from './argument-slots.ts';
import type { ClientCall } from './client-call.ts';
import { nothingTouched, unchanged } from './client-call.ts';
import type { Spelling } from './spelling.ts';
import { argumentsOf, called } from './spelling.ts';
import { parseWord } from './word-text.ts';

/*
 * A task that calls a traced function, from the caller's `call` instruction to the instruction after it. No
 * kernel function serves it: the machine code at the site runs, and what that calls. Words are those of the
 * calling convention, not of the prototype: a struct of 16 bytes is two words, and one that does not fit into
 * the remaining registers is on the stack as a whole.
 */

/** A task calls a traced function, or hits a tracepoint, with these argument words. */
export interface Call extends CallRequest {
  readonly do: 'call';
}

/**
 * rdi, rsi, rdx, rcx, r8, r9. The first word differs from zero, so that a client that is given the wrong
 * register sees something else than the caller passed.
 */
const FIRST_WORD = [fromHex('0x1001'), ZERO, ZERO, ZERO, ZERO, ZERO];

export const callCall: ClientCall<Call> = {
  sentence: 'A task calls a function, or hits a tracepoint, with a word for each argument word.',
  examples: [{ do: 'call', fn: 'f1', registers: FIRST_WORD, stack: [] }],
  service: { by: 'task', request: ({ fn, registers, stack }) => ({ fn, registers, stack }) },
  role: 'something else',
  // The caller of a function of a module is that module's own, or holds it: no call is made into text that is
  // gone. The function of the dispatcher jumps wherever its caller says.
  isMisuse: (k, { fn }) => !isThere(k, fn) || fn === DISPATCHER_FUNC,
  promised: unchanged,
  /** The clients on its way follow from the promises to others: `properties/observed/footprint.ts` has them. */
  touched: nothingTouched,
  print: (action, spelling) =>
    `task#1 ${isHit(action.fn, spelling) ? 'hits' : 'calls'} ${printCall(action, spelling)}`,
  parse({ text }, spelling) {
    const [, verb, made = ''] = /^task#1 (calls|hits) (.+)$/.exec(text) ?? [];
    return verb === undefined ? undefined : { do: 'call', ...parseCall(made, spelling, verb === 'hits') };
  },
};

/** A call, or a hit of a tracepoint: its argument words in the order of the declaration. */
export function printCall({ fn, registers, stack }: CallRequest, spelling: Spelling): string {
  const words = present(argumentSlots(fn, spelling), fn).map(({ place }) =>
    toHex((place.in === 'register' ? registers : stack)[place.index] ?? ZERO),
  );
  return called(fn, ...words);
}

/**
 * Reads `f1(0x1)`: a word for each argument word of the function, or of the tracepoint. `hits` says which of the
 * two it has to be; either when it is left out.
 */
export function parseCall(text: string, spelling: Spelling, hits?: boolean): CallRequest {
  const [, fn = '', inside = ''] = /^([\w.]+)\((.*)\)$/.exec(text) ?? [];
  if (fn === '') throw new InputError(`"${text}" is no call of a function`, text);
  if (fn === DISPATCHER_FUNC) throw new InputError(`${fn} is called by the devices`, fn);
  const slots = argumentSlots(fn, spelling);
  if (slots === undefined || (hits !== undefined && hits !== isHit(fn, spelling)))
    throw new InputError(`${fn} is not declared as a ${hits === true ? 'tracepoint' : 'function'}`, fn);
  const args = argumentsOf(inside);
  if (slots.length !== args.length)
    throw new InputError(`${fn} takes ${slots.length} argument words, not ${args.length}`, fn);
  const registers: Word[] = Array.from({ length: 6 }, () => ZERO);
  const stack: Word[] = [];
  slots.forEach(({ place }, i) => {
    (place.in === 'register' ? registers : stack)[place.index] = parseWord(item(args, i));
  });
  // Slots on the stack that no argument covers: padding before a struct that is aligned to 16 bytes.
  for (let i = 0; i < stack.length; i++) stack[i] ??= ZERO;
  return { fn, registers, stack };
}
