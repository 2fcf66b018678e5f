import type { Crash } from '../../model/core/crash.ts';
import type { Unmet } from '../finding/task-finding.ts';
import type { Happening, TaskLaw } from '../law/interleaving-law.ts';
import type { Scenario } from './scenario.ts';

/** The parameters of a law on crashes. */
interface CrashLaw extends Omit<TaskLaw, 'judge'> {
  /** Whether a crash breaks this law. */
  readonly isBreach: (crash: Crash) => boolean;
  /** The guarantee that should have prevented it. */
  readonly unmet: Unmet;
  /** The scenarios that it is about; absent: all of them. */
  readonly isAbout?: (scenario: Scenario) => boolean;
  /** Whether an event exercises the law. */
  readonly isPremise: (happening: Exclude<Happening, { readonly is: 'crash' }>) => boolean;
}

/** A law that excludes one kind of crash. It held whenever the crash could have happened. */
export function crashLaw({ isBreach, unmet, isAbout, isPremise, ...law }: CrashLaw): TaskLaw {
  return {
    ...law,
    judge: ({ happening, scenario }) => {
      if (isAbout?.(scenario) === false) return 'not applicable';
      if (happening.is !== 'crash') return isPremise(happening) ? 'held' : 'not applicable';
      const { crash } = happening;
      return isBreach(crash) ? { is: 'crashes', unmet, crash } : 'not applicable';
    },
  };
}
