import type { Draft } from './draft.ts';
import { emit } from './draft.ts';
import { encodingOn } from './encodings.ts';
import type { Drawn, Reference } from './sequence.ts';
import { littleEndian } from './sequence.ts';

const MOV_ZV_IV = encodingOn('b8+r: MOV Zv,Iv');
const MOV_EV_IZ = encodingOn('c7 /0: MOV Ev,Iz');

/** Emits a `mov` of a constant to a register, in one of the forms that are long enough. */
export function emitConstant(draft: Draft, register: number, value: bigint): void {
  const forms = [wide(register, littleEndian(value, 8))];
  if (value < 0x1_0000_0000n) forms.push(narrow(register, value));
  if (BigInt.asUintN(64, BigInt.asIntN(32, value)) === value) forms.push(signExtended(register, value));
  emitMov(draft, register, draft.dice.oneOf(forms));
  draft.known[register] = value;
}

/** Emits a `mov` of the address of a later step. */
export function emitReference(draft: Draft, register: number, to: Reference): void {
  const fixup = { at: 2, bytes: 8, to, relative: false } as const;
  emitMov(draft, register, { ...wide(register, littleEndian(0n, 8)), fixup });
}

type Form = Pick<Drawn, 'encoding' | 'size' | 'body' | 'fixup'>;

function emitMov(draft: Draft, register: number, form: Form): void {
  emit(draft, { ...form, prefixes: [], condition: undefined, count: undefined, step: draft.step }, [
    register,
  ]);
}

/** REX.B when the register needs it. */
function extension(register: number): number {
  return register >= 8 ? 1 : 0;
}

function wide(register: number, immediate: readonly number[]): Form {
  const body = [0x48 | extension(register), 0xb8 | (register & 7), ...immediate];
  return { encoding: MOV_ZV_IV, size: 8, body, fixup: undefined };
}

function narrow(register: number, value: bigint): Form {
  const rex = register >= 8 ? [0x41] : [];
  const body = [...rex, 0xb8 | (register & 7), ...littleEndian(value, 4)];
  return { encoding: MOV_ZV_IV, size: 4, body, fixup: undefined };
}

function signExtended(register: number, value: bigint): Form {
  const body = [0x48 | extension(register), 0xc7, 0xc0 | (register & 7), ...littleEndian(value, 4)];
  return { encoding: MOV_EV_IZ, size: 8, body, fixup: undefined };
}
