import type { Dialect, MovedFrom, MoveState } from './moves.ts';
import { globalAt } from './moves.ts';

/** AT&T syntax of x86, 64-bit or 32-bit. */
export function x86Dialect(bits: 64 | 32): Dialect {
  const wide = bits === 64 ? 'r' : 'e';
  const sp = `${wide}sp`;
  return {
    stackWord: (offset) => `${offset}(%${sp})`,
    follow: (state, mnemonic, operands) => {
      if (/^(jmp|ret)/.test(mnemonic)) return 'end';
      const [source = '', destination = ''] = operands;
      if (destination === `%${sp}`) state.lowerStack(stackChange(mnemonic, source));
      else put(state, destination, /^mov/.test(mnemonic) ? held(state, source, wide) : 'computed', wide);
      return 'on';
    },
  };
}

function stackChange(mnemonic: string, source: string): number {
  const bytes = /^\$(\d+)$/.exec(source);
  if (bytes === null || !/^(add|sub)[lq]$/.test(mnemonic))
    throw new Error(`${mnemonic} ${source}: not followed`);
  return (mnemonic.startsWith('sub') ? 1 : -1) * Number(bytes[1]);
}

function held(state: MoveState, operand: string, wide: string): MovedFrom {
  if (operand.startsWith('$')) return 'computed';
  if (operand.startsWith('%')) return state.register(wholeRegister(operand, wide));
  return state.load(addressOf(state, operand, wide));
}

function put(state: MoveState, operand: string, value: MovedFrom, wide: string): void {
  if (operand.startsWith('%')) state.set(wholeRegister(operand, wide), value);
  else state.stored.set(addressOf(state, operand, wide), value);
}

/** `sink4`, `result+8(%rip)`, `-8(%rsp)`, `4(%eax)`. */
function addressOf(state: MoveState, operand: string, wide: string): MovedFrom {
  const global = /^([a-z_]\w*)(?:\+(\d+))?(?:\(%rip\))?$/.exec(operand);
  if (global !== null) return globalAt(global[1]!, Number(global[2] ?? 0));
  const based = /^(-?\d*)\((%\w+)\)$/.exec(operand);
  if (based === null) throw new Error(`${operand}: an address that is not followed`);
  const [, offset = '', base = ''] = based;
  if (base === `%${wide}sp`) return state.onStack(Number(offset));
  return state.through(wholeRegister(base, wide), Number(offset));
}

/** The register that `%dil`, `%edi` or `%r8d` is a part of. */
function wholeRegister(operand: string, wide: string): string {
  const name = operand.slice(1);
  const numbered = /^(r\d+)[bwd]?$/.exec(name);
  if (numbered !== null) return numbered[1]!;
  const two = /^[abcd][lh]$/.test(name) ? `${name[0]}x` : name.replace(/^[re]/, '').replace(/l$/, '');
  return `${wide}${two}`;
}
