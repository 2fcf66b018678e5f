/** One instruction as text. */
export interface ListingLine {
  readonly offset: number;
  readonly bytes: Uint8Array;
  /** In AT&T syntax, with names for what has one: `call   __bpf_tramp_enter`. */
  readonly text: string;
}

/** Two lower-case digits a byte, separated by blanks. */
export function hexBytes(bytes: Uint8Array): string {
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join(' ');
}

/** Width of the column of mnemonics, without the blank after it. */
const MNEMONIC_COLUMNS = 6;

/** A line of a listing: a mnemonic, with its prefixes if it has any, and operands, which may be none. */
export function inColumns(mnemonic: string, operands: string): string {
  return operands === '' ? mnemonic : `${mnemonic.padEnd(MNEMONIC_COLUMNS)} ${operands}`;
}
