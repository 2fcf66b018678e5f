import type { CastHistory } from '../kernels/history/cast-history.ts';
import type { HistoryVerdict } from '../kernels/history/history-verdict.ts';
import type { RunsHistories } from '../kernels/loop/tested-kernel.ts';

/**
 * A kernel that parts from the model in the first call that `isWrong` names. A history with a call that `damages` names
 * leaves no kernel for the next one.
 */
export class WrongIn implements RunsHistories {
  boots = 0;
  readonly asked: CastHistory[] = [];
  private isBooted = false;

  constructor(
    private readonly isWrong: (name: string) => boolean,
    private readonly damages: (name: string) => boolean = () => false,
  ) {}

  run(question: CastHistory): HistoryVerdict {
    const isFirst = this.boots === 0;
    const verdict = this.runHere(question);
    return isFirst || verdict.difference === undefined ? verdict : this.runAlone(question);
  }

  runHere(question: CastHistory): HistoryVerdict {
    if (!this.isBooted) this.boots++;
    const verdict = this.verdict(question);
    this.isBooted = !verdict.damaged;
    return verdict;
  }

  runAlone(question: CastHistory): HistoryVerdict {
    this.isBooted = false;
    return this.runHere(question);
  }

  close(): void {}

  private verdict(question: CastHistory): HistoryVerdict {
    this.asked.push(question);
    const { actions } = question.case;
    const step = actions.findIndex((action) => this.isWrong(action.do));
    const answers = actions.slice(0, step < 0 ? actions.length : step + 1).map(() => '0');
    const difference = { step, aspect: 'errno', fn: '', kernel: ['0'], model: ['EBUSY'] } as const;
    const isDamaged = actions.some((action) => this.damages(action.do));
    const common = { answers, compared: answers.length, warnings: [], lostAtEnd: isDamaged };
    return step < 0
      ? { ...common, difference: undefined, damaged: isDamaged }
      : { ...common, difference, damaged: true };
  }
}
