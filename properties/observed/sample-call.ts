import type { ArgumentSlot } from '../../model/abi/slots.ts';
import type { ActionOf } from '../../model/client/all.ts';
import type { FunctionName } from '../../model/core/ids.ts';
import { tracepointSlots } from '../../model/raw-tracepoint/tracepoints.ts';
import type { DeclaredTracepoint } from '../../model/tracepoint/boot.ts';
import { abiSlots } from '../../model/trampoline/signature.ts';
import type { TracedFunction } from '../../model/trampoline/traced-function.ts';
import type { Word } from '../../model/x86/word.ts';
import { fromNumber, ZERO } from '../../model/x86/word.ts';
import type { CallerScript } from './scenario.ts';

/** The arguments of a call: a value with a distinct pattern in every byte of each word. */
export function callOf(fn: TracedFunction, salt: number): ActionOf<'call'> {
  const slots = abiSlots(fn.signature);
  return passing(fn.name, slots, (i) => (fn.nesting === 'rec' ? fromNumber(salt % 4) : argument(i, salt)));
}

/** The same for a hit of a tracepoint. */
export function hitOf({ name, prototype }: DeclaredTracepoint, salt: number): ActionOf<'call'> {
  return passing(name, tracepointSlots(prototype), (i) => argument(i, salt));
}

/** A task that makes one call of a function, with one argument. */
export function callerOf(fn: FunctionName): CallerScript {
  return { call: { fn, registers: [fromNumber(0x1001), ZERO, ZERO, ZERO, ZERO, ZERO], stack: [] } };
}

function passing(
  fn: FunctionName,
  slots: readonly ArgumentSlot[],
  value: (i: number) => Word,
): ActionOf<'call'> {
  const registers: Word[] = Array.from({ length: 6 }, () => ZERO);
  const stack: Word[] = [];
  slots.forEach(({ place }, i) => {
    (place.in === 'register' ? registers : stack)[place.index] = value(i);
  });
  for (let i = 0; i < stack.length; i++) stack[i] ??= ZERO;
  return { do: 'call', fn, registers, stack };
}

function argument(i: number, salt: number): Word {
  return {
    hi: (0x51000000 + i * 0x01010101 + salt * 0x10203) | 0,
    lo: (0x71000000 + i * 0x01030507 + salt) | 0,
  };
}
