import type { Action } from '../../../model/client/all.ts';
import type { Promises } from '../../../model/contract/promises.ts';
import { nothingPromised } from '../../../model/contract/promises.ts';
import { NotModelled } from '../../../model/core/not-modelled.ts';
import type { Kernel } from '../../../model/kernel.ts';
import { bootKernel } from '../../../model/kernel.ts';
import { promised } from '../../../model/promised.ts';
import { apply } from '../../../model/step.ts';
import type { Scenario } from '../../../properties/observed/scenario.ts';
import { fitted, isLikely, isModelled } from '../../sequences/likely.ts';

/** A kernel in which the operations of a setup run one after the other, and what its clients may rely on. */
export class RunSetup {
  readonly k: Kernel;
  promises: Promises;
  isDead = false;

  constructor(
    { profile, functions, tracepoints = [] }: Pick<Scenario, 'profile' | 'functions' | 'tracepoints'>,
    setup: readonly Action[] = [],
  ) {
    this.k = bootKernel({ profile, boot: 'default', functions, tracepoints });
    this.promises = nothingPromised(profile, functions);
    for (const action of setup) this.succeeds(action);
  }

  /** Runs an operation; false: the kernel refuses it, or has crashed. */
  succeeds(action: Action): boolean {
    if (this.isDead) return false;
    const outcome = apply(this.k, action);
    this.isDead = outcome.died !== undefined;
    if (this.isDead || outcome.errno !== 0) return false;
    this.promises = promised(this.promises, action, outcome);
    return true;
  }

  /** Runs a drawn operation in the form that its objects need; undefined: it is not sensible here, or does not succeed. */
  takes(drawn: Action): Action | undefined {
    const action = fitted(this.promises, drawn);
    const mayBe = isLikely(this.promises, action) && isModelled(this.promises, action);
    return mayBe && this.succeeds(action) ? action : undefined;
  }
}

/** The operations of a setup that the kernel of a scenario accepts. */
export function possibleSetup({ setup, ...scenario }: Scenario): readonly Action[] {
  const done: Action[] = [];
  let run = new RunSetup(scenario);
  for (const action of setup)
    try {
      if (run.succeeds(action)) done.push(action);
    } catch (error) {
      if (!(error instanceof NotModelled)) throw error;
      run = new RunSetup(scenario, done);
    }
  return done;
}
