import { mnemonicOf } from './listing.ts';
import type { Word } from './word.ts';

/** An instruction that the machine does not model; the message names its bytes, its mnemonic and the place. */
export class UnsupportedInstruction extends Error {
  override name = 'UnsupportedInstruction';
  /** Address of its first byte. */
  readonly at: Word;
  /** No instruction begins with these bytes: a CPU raises #UD. */
  readonly isInvalid: boolean;

  /** `bytes` start with the instruction, `place` is `<symbol>+<offset>`. */
  constructor(bytes: Uint8Array, place: string, address: Word) {
    const { bytes: hex, mnemonic, isInvalid } = mnemonicOf(bytes);
    super(`unsupported instruction ${hex} (${mnemonic}) at ${place}`);
    this.at = address;
    this.isInvalid = isInvalid;
  }
}
