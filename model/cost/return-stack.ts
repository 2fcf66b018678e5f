import type { Word } from '../x86/word.ts';
import { equal } from '../x86/word.ts';

/**
 * The return addresses of the calls under way, as a CPU remembers them (its return stack buffer): a return to
 * somewhere else was predicted wrongly. It is as deep as calls are nested.
 */
export class ReturnStack {
  private readonly back: (Word | 'a function in C')[] = [];

  called({ hi, lo }: Word): void {
    this.back.push({ hi, lo });
  }

  /** Whether a return was predicted. */
  returns(to: Word): boolean {
    const predicted = this.back.pop();
    return predicted === 'a function in C' || (predicted !== undefined && equal(predicted, to));
  }

  /** A function in C resumes: it returns to its caller, or it calls code through a pointer, which returns to it. */
  leavesC(to: Word): void {
    const predicted = this.back.at(-1);
    if (predicted !== undefined && predicted !== 'a function in C' && equal(predicted, to)) this.back.pop();
    else this.back.push('a function in C');
  }
}
