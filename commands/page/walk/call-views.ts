import type { ExplainedMoment, StackWord } from '../../../checker/explain/moment.ts';
import type { KernelView } from '../../../model/kernel.ts';
import type { ImagePlan } from '../../../model/trampoline/plan/planner.ts';
import { toHex } from '../../../model/x86/word.ts';
import { Activations, namedWord } from '../../explain/activations.ts';
import type { MachineView, Remembered, StackRow } from './machine-view.ts';
import { CodeNames, listed } from './machine-view.ts';

/** The stack and the code of a call that is observed from one piece of code to the next, in order. */
export class CallViews {
  private readonly frames: Activations;
  private readonly code: CodeNames;

  constructor(k: KernelView, plans: Readonly<Record<string, ImagePlan>>, remembered: Remembered) {
    this.frames = new Activations(plans);
    this.code = new CodeNames(k, remembered);
  }

  /** The next one. */
  view(task: string, moment: ExplainedMoment): MachineView {
    if (moment.how !== 'done in C') this.frames.come(moment);
    const { at: place, to, stack } = moment;
    const words = stack.map(({ value }) => value);
    const page = [place, ...words].flatMap((word) => this.code.placeOf(word)?.page ?? [])[0];
    return {
      task,
      place: to,
      stack: stack.map((word, i) => this.row(word, i)).reverse(),
      listing: page === undefined ? undefined : listed(this.code, page, place, words),
    };
  }

  private row(word: StackWord, i: number): StackRow {
    const { name, isAddress: isCode } = namedWord(this.frames, word);
    const text = word.code ?? toHex(word.value);
    const value = word.written ? text : 'not written yet';
    return { offset: 8 * i, value, name: isCode ? '' : name, isCode };
  }
}
