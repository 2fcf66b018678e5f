import { ImpossibleSetup } from '../../checker/interleavings/impossible-setup.ts';
import { nearestBreach } from '../../checker/interleavings/nearest-breach.ts';
import type { Schedule } from '../../checker/interleavings/schedule.ts';
import { Space } from '../../checker/interleavings/space.ts';
import { InputError } from '../../model/core/input-error.ts';
import { oneOf } from '../../model/core/input-value.ts';
import { otherKernels } from '../../model/core/profile.ts';
import type { OtherVerdict } from '../../properties/finding/why.ts';
import type { TaskLaw } from '../../properties/law/interleaving-law.ts';

/** States of a scenario that are searched in another kernel, at most. */
const STATES = 20_000;

/** Whether the other kernels break a law in the scenario of a schedule. A file keeps it: each is a search. */
export function elsewhereOf({ scenario, grain }: Schedule, law: TaskLaw): OtherVerdict[] {
  return otherKernels(scenario.profile).map(({ kernel, profile }) => {
    try {
      const space = new Space({ ...scenario, profile }, grain === undefined ? {} : { grain });
      const { breach, complete } = nearestBreach(law, space, STATES);
      return { kernel, verdict: breach !== undefined ? 'breaks' : complete ? 'holds' : 'cut' };
    } catch (error) {
      if (error instanceof ImpossibleSetup || error instanceof InputError)
        return { kernel, verdict: 'lacks' };
      throw error;
    }
  });
}

const VERDICTS: readonly OtherVerdict['verdict'][] = ['breaks', 'holds', 'cut', 'lacks'];

/** `6.1 breaks, 7.2 holds`. */
export function printElsewhere(others: readonly OtherVerdict[]): string {
  return others.map(({ kernel, verdict }) => `${kernel} ${verdict}`).join(', ');
}

/** Reads what `printElsewhere()` writes. */
export function parseElsewhere(text: string): OtherVerdict[] {
  return text.split(', ').map((part) => {
    const [kernel = '', verdict = ''] = part.split(' ');
    return { kernel, verdict: oneOf(verdict, VERDICTS, `others ${kernel}`) };
  });
}
