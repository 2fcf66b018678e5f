import type { Share } from '../../checker/share.ts';
import { noteExecuted } from '../../model/core/coverage.ts';
import { KERNEL_PROGRAM } from '../../model/step.ts';
import type { ScenarioResult } from './exploration.ts';
import { newBreach } from './exploration.ts';

/** What a worker has found out about a scenario. */
export interface SearchedScenario {
  readonly result: ScenarioResult;
  /** The instructions of the kernel's program that it has executed. */
  readonly executed: Uint8Array;
}

/** The scenarios of an exploration that are searched here, those that others search, and those that are known. */
export class SharedScenarios {
  readonly elsewhere = new Set<number>();
  /** Up to the first that shows a new breach: those after it are not needed. */
  readonly known = new Map<number, ScenarioResult>();

  constructor(
    private readonly share: Share,
    scenarios: number,
  ) {
    for (let number = 0; number < scenarios; number++) {
      const asked = share.ask(nameOf(number));
      if (asked.is === 'elsewhere') this.elsewhere.add(number);
      if (asked.is !== 'known') continue;
      const { result, executed } = asked.result as SearchedScenario;
      this.known.set(number, result);
      noteExecuted(KERNEL_PROGRAM, executed);
      if (newBreach(result) !== undefined) return;
    }
  }

  keep({ number, result, executed }: SearchedScenario & { readonly number: number }): void {
    this.share.keep(nameOf(number), { result, executed } satisfies SearchedScenario);
  }
}

function nameOf(scenario: number): string {
  return `scenario ${scenario}`;
}
