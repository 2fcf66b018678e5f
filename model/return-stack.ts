import type { Word } from './x86/word.ts';
import { equal } from './x86/word.ts';

/**
 * Where the calls under way come back to, as a processor remembers it (its return stack buffer): a return to somewhere
 * else was predicted wrongly. It is as deep as calls are nested.
 */
export class ReturnStack {
  private readonly back: Word[] = [];

  called({ hi, lo }: Word): void {
    this.back.push({ hi, lo });
  }

  /** Whether a return was predicted. */
  returns(to: Word): boolean {
    const predicted = this.back.pop();
    return predicted !== undefined && equal(predicted, to);
  }
}
