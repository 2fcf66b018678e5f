import type { Word } from './word.ts';

/** An instruction as messages name it. */
export interface NamedInstruction {
  /** Two digits a byte. */
  readonly bytes: string;
  readonly mnemonic: string;
  /** No instruction begins with these bytes: a CPU raises #UD. */
  readonly isInvalid: boolean;
}

/** An instruction that the machine does not model; the message names its bytes, its mnemonic and the place. */
export class UnsupportedInstruction extends Error {
  override name = 'UnsupportedInstruction';
  /** Address of its first byte. */
  readonly at: Word;
  /** No instruction begins with these bytes: a CPU raises #UD. */
  readonly isInvalid: boolean;

  /** `place` is `<symbol>+<offset>`. */
  constructor({ bytes, mnemonic, isInvalid }: NamedInstruction, place: string, address: Word) {
    super(`unsupported instruction ${bytes} (${mnemonic}) at ${place}`);
    this.at = address;
    this.isInvalid = isInvalid;
  }
}
