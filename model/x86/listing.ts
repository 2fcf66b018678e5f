import type { Instruction } from 'iced-x86';
import { Decoder, DecoderOptions, FlowControl, Formatter, FormatterSyntax, Mnemonic, OpKind } from 'iced-x86';
import type { ListingLine } from './listing-line.ts';
import { hexBytes, inColumns } from './listing-line.ts';
import type { NamedInstruction } from './unsupported.ts';
import type { Word } from './word.ts';
import { fromBigInt, toBigInt } from './word.ts';

export type { ListingLine } from './listing-line.ts';
export { hexBytes } from './listing-line.ts';

/**
 * Bytes and mnemonic of the first instruction in `bytes`, for the message about one that is not modelled.
 * `isInvalid`: a CPU raises #UD. iced knows all instructions, the emulator few: it names what ours refuses.
 */
export function mnemonicOf(bytes: Uint8Array): NamedInstruction {
  const decoder = new Decoder(64, bytes, DecoderOptions.None);
  const instruction = decoder.decode();
  const { isInvalid } = instruction;
  const mnemonic = isInvalid ? 'not an instruction' : (Mnemonic[instruction.mnemonic] ?? '?').toLowerCase();
  const length = isInvalid ? Math.min(1, bytes.length) : instruction.length;
  instruction.free();
  decoder.free();
  return { bytes: hexBytes(bytes.subarray(0, length)), mnemonic, isInvalid };
}

/** Disassembles some bytes that lie at `base`. `nameOf` names addresses, of branches and in immediates. */
export function disassemble(
  bytes: Uint8Array,
  base: Word,
  nameOf: (address: Word) => string | undefined,
): ListingLine[] {
  const decoder = new Decoder(64, bytes, DecoderOptions.None);
  decoder.ip = toBigInt(base);
  const formatter = newFormatter();
  const lines: ListingLine[] = [];
  while (decoder.canDecode) {
    const offset = decoder.position;
    const instruction = decoder.decode();
    const text = formatLine(formatter, instruction, nameOf);
    lines.push({ offset, bytes: bytes.slice(offset, offset + instruction.length), text });
    instruction.free();
  }
  formatter.free();
  decoder.free();
  return lines;
}

/**
 * As objdump writes it: hexadecimal, lower case. iced's objects are memory of WebAssembly, and have to be
 * freed.
 */
function newFormatter(): Formatter {
  const formatter = new Formatter(FormatterSyntax.Gas);
  formatter.hexPrefix = '0x';
  formatter.hexSuffix = '';
  formatter.uppercaseHex = false;
  formatter.smallHexNumbersInDecimal = false;
  return formatter;
}

/** What iced writes before a mnemonic. */
const PREFIXED = /^((?:(?:bnd|rep|repe|repne|lock|notrack|xacquire|xrelease) )*\S+) ?(.*)$/;

function formatLine(
  formatter: Formatter,
  instruction: Instruction,
  nameOf: (address: Word) => string | undefined,
): string {
  const [, mnemonic = '', operands = ''] = PREFIXED.exec(formatter.format(instruction)) ?? [];
  return inColumns(mnemonic, operands === '' ? '' : namedOperands(operands, instruction, nameOf));
}

/**
 * A branch target, or an eight-byte immediate, by its name. Only an immediate of 64 bits, or one that is
 * sign-extended to them, can be a kernel address.
 */
function namedOperands(
  operands: string,
  instruction: Instruction,
  nameOf: (address: Word) => string | undefined,
): string {
  const direct = instruction.opCount > 0 && instruction.opKind(0) === OpKind.NearBranch64;
  if (direct && instruction.flowControl !== FlowControl.Next)
    return nameOf(fromBigInt(instruction.nearBranchTarget)) ?? operands;
  const kind = instruction.opCount > 1 ? instruction.opKind(1) : OpKind.Register;
  if (kind !== OpKind.Immediate64 && kind !== OpKind.Immediate32to64) return operands;
  const name = nameOf(fromBigInt(BigInt.asUintN(64, instruction.immediate(1))));
  return name === undefined ? operands : operands.replace(/\$[^,]+/, () => `$${name}`);
}
