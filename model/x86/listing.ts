import { Decoder, DecoderOptions, Formatter, FormatterSyntax, Mnemonic } from 'iced-x86';

/** Bytes and mnemonic of the first instruction in `bytes`, for the message about one that is not modelled. */
export function mnemonicOf(bytes: Uint8Array): { bytes: string; mnemonic: string } {
  const decoder = new Decoder(64, bytes, DecoderOptions.None);
  const instruction = decoder.decode();
  const mnemonic = instruction.isInvalid ? 'not an instruction' : (Mnemonic[instruction.mnemonic] ?? '?').toLowerCase();
  const length = instruction.isInvalid ? Math.min(1, bytes.length) : instruction.length;
  instruction.free();
  decoder.free();
  return { bytes: hexBytes(bytes.subarray(0, length)), mnemonic };
}

/** Two lower-case digits a byte, separated by blanks. */
export function hexBytes(bytes: Uint8Array): string {
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join(' ');
}
