import type { CastHistory } from '../../kernels/history/cast-history.ts';
import type { KernelDifference } from '../../kernels/history/difference.ts';
import type { ContractVerdict } from '../../kernels/judge/judge-history.ts';
import { printAction } from '../../model/action-text.ts';
import { LeftOutCalls } from './left-out-calls.ts';

/** An answer in which a kernel differs from the nearest profile, and in how many histories it was the first one. */
export interface OwnDifference extends Pick<KernelDifference, 'aspect' | 'kernel' | 'model'> {
  readonly history: number;
  readonly step: number;
  /** The call after which it shows. */
  readonly action: string;
  readonly fn: string;
  readonly count: number;
}

/** Counts of a run on a user's kernel. */
export class OwnCounts {
  histories = 0;
  calls = 0;
  looks = 0;
  judged = 0;
  /** Histories after which detaching everything has warned. */
  unjudgedEnds = 0;
  drawnCalls = 0;
  readonly leftOut = new LeftOutCalls();
  readonly known = new Map<string, number>();
  private readonly differing = new Map<string, OwnDifference>();

  drawn(calls: number, leftOut: readonly string[]): void {
    this.drawnCalls += calls;
    this.leftOut.add(leftOut);
  }

  add(history: number, question: CastHistory, verdict: ContractVerdict): void {
    const { breach, difference, calls, looks, judged } = verdict;
    this.histories++;
    this.calls += calls;
    this.looks += looks;
    this.judged += judged;
    if (verdict.unjudgedEnd) this.unjudgedEnds++;
    const known = breach?.model.known;
    if (known !== undefined) this.known.set(known, (this.known.get(known) ?? 0) + 1);
    if (difference !== undefined) this.differ(history, question, difference);
  }

  /** Distinct answers: of one kind of call, in one aspect, the same on both sides. */
  get differences(): readonly OwnDifference[] {
    return [...this.differing.values()].toSorted((a, b) => b.count - a.count || a.history - b.history);
  }

  json(): object {
    const { histories, calls, looks, judged, unjudgedEnds, drawnCalls, leftOut, known, differences } = this;
    return {
      histories,
      calls: {
        drawn: drawnCalls,
        run: calls,
        leftOut: leftOut.json(),
      },
      looks,
      judged,
      unjudgedEnds,
      known: [...known].map(([name, n]) => ({ name, histories: n })),
      differences,
    };
  }

  private differ(history: number, { case: c }: CastHistory, difference: KernelDifference): void {
    const { aspect, kernel, model, step, fn } = difference;
    const action = c.actions[step];
    const key = JSON.stringify([action?.do, aspect, ofOneKind(kernel), ofOneKind(model)]);
    const earlier = this.differing.get(key);
    this.differing.set(
      key,
      earlier === undefined
        ? {
            history,
            step,
            action: action === undefined ? '' : printAction(action, c),
            fn,
            aspect,
            kernel,
            model,
            count: 1,
          }
        : { ...earlier, count: earlier.count + 1 },
    );
  }
}

/** Without numbers: of objects, of addresses, of values. */
function ofOneKind(lines: readonly string[]): string {
  return lines.join('; ').replace(/0x[0-9a-f]+|\d+/g, 'n');
}
