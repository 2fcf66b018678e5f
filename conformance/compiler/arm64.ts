import { item } from '../../model/core/present.ts';
import type { Dialect, MovedFrom, MoveState } from './moves.ts';

/**
 * The arm64 instructions that a compiler uses to move values: loads and stores, also of pairs, and whatever preserves
 * the lowest byte.
 */
export const ARM64_DIALECT: Dialect = {
  stackWord: (offset) => (offset === 0 ? '[sp]' : `[sp, #${offset}]`),
  follow: (state, mnemonic, operands) => {
    if (mnemonic === 'b' || mnemonic === 'ret') return 'end';
    const [first = '', second = '', third = '', fourth] = operands;
    if (first === 'sp') state.lowerStack((mnemonic === 'sub' ? 1 : -1) * immediate(third));
    else if (/^(ld|st)p$/.test(mnemonic)) pair(state, mnemonic, [first, second], third);
    else if (mnemonic.startsWith('str')) state.stored.set(addressOf(state, second, 0), held(state, first));
    else if (mnemonic.startsWith('ldr')) state.set(whole(first), state.load(addressOf(state, second, 0)));
    else state.set(whole(first), kept(state, mnemonic, [second, third, fourth]));
    return 'on';
  },
};

/** Two registers, and the same size of memory. */
function pair(
  state: MoveState,
  mnemonic: string,
  registers: readonly [string, string],
  address: string,
): void {
  const bytes = registers[0].startsWith('w') ? 4 : 8;
  const addresses = registers.map((_, i) => addressOf(state, address, bytes * i));
  addresses.forEach((site, i) => {
    if (mnemonic === 'stp') state.stored.set(site, held(state, item(registers, i)));
    else state.set(whole(item(registers, i)), state.load(site));
  });
}

/** The lowest byte after an instruction that only moves it. */
function kept(
  state: MoveState,
  mnemonic: string,
  [second, third, fourth]: (string | undefined)[],
): MovedFrom {
  switch (mnemonic) {
    case 'adrp':
      return `&${second}`;
    case 'add':
      return third?.startsWith(':lo12:') ? `&${third.slice(6)}` : 'computed';
    case 'mov':
    case 'uxtb':
    case 'uxth':
    case 'sxtw':
      return held(state, second!);
    case 'and':
      return third === '255' || third === '65535' ? held(state, second!) : 'computed';
    case 'bfi':
      return third === '0' && fourth !== undefined ? held(state, second!) : 'computed';
    default:
      return 'computed';
  }
}

function held(state: MoveState, operand: string): MovedFrom {
  return /^[xw]\d+$/.test(operand) ? state.register(whole(operand)) : 'computed';
}

/** `[sp, 8]`, `[x0]`, `[x0, #:lo12:sink4]`. */
function addressOf(state: MoveState, operand: string, more: number): MovedFrom {
  const [, base = '', rest = ''] = /^\[(\w+)(?:,\s*([^\]]+))?\]$/.exec(operand) ?? [];
  if (base === '') throw new Error(`${operand}: an address that is not followed`);
  const offset = (rest === '' || rest.includes(':lo12:') ? 0 : immediate(rest)) + more;
  return base === 'sp' ? state.onStack(offset) : state.through(whole(base), offset);
}

function immediate(text: string): number {
  const value = Number(text.replace('#', ''));
  if (!Number.isInteger(value)) throw new Error(`${text}: not a number`);
  return value;
}

/** The register whose lower half is `w0`. */
function whole(name: string): string {
  return name.replace(/^w/, 'x');
}
