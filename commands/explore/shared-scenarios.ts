import type { Share } from '../../checker/share.ts';
import { noteExecuted } from '../../model/core/coverage.ts';
import { item } from '../../model/core/present.ts';
import { KERNEL_PROGRAM } from '../../model/step.ts';
import type { ScenarioResult } from './exploration.ts';
import { newBreach } from './exploration.ts';

/** What a worker has found out about a scenario. */
export interface SearchedScenario {
  readonly result: ScenarioResult;
  /** The instructions of the kernel's program that it has executed. */
  readonly executed: Uint8Array;
}

/** The scenarios of an exploration that are searched here or are known: others are left to other machines. */
export class SharedScenarios {
  /** Their places among all scenarios. */
  readonly numbers: readonly number[];
  /** The results that are known, by place among these. */
  readonly known = new Map<number, ScenarioResult>();

  constructor(
    private readonly share: Share,
    scenarios: number,
  ) {
    const numbers: number[] = [];
    let isBroken = false;
    for (let number = 0; number < scenarios; number++) {
      const asked = share.ask(nameOf(number));
      if (asked.is === 'elsewhere') continue;
      const place = numbers.push(number) - 1;
      // After the first new breach none is needed.
      if (asked.is !== 'known' || isBroken) continue;
      const { result, executed } = asked.result as SearchedScenario;
      this.known.set(place, result);
      noteExecuted(KERNEL_PROGRAM, executed);
      isBroken = newBreach(result) !== undefined;
    }
    this.numbers = numbers;
  }

  keep({ number, result, executed }: SearchedScenario & { readonly number: number }): void {
    this.share.keep(nameOf(item(this.numbers, number)), { result, executed } satisfies SearchedScenario);
  }
}

function nameOf(scenario: number): string {
  return `scenario ${scenario}`;
}
