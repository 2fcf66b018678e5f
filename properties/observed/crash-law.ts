import type { Crash } from '../../model/core/crash.ts';
import type { Unmet } from '../finding/task-finding.ts';
import type { Happening, TaskLaw } from '../law/interleaving-law.ts';

/** The parameters of a law on crashes. */
interface CrashLaw extends Omit<TaskLaw, 'judge'> {
  /** Whether a crash breaks this law. */
  readonly isBreach: (crash: Crash) => boolean;
  /** The guarantee that should have prevented it. */
  readonly unmet: Unmet;
  /** Whether an event exercises the law. */
  readonly isPremise: (happening: Exclude<Happening, { readonly is: 'crash' }>) => boolean;
}

/** A law that excludes one kind of crash. It held whenever the crash could have happened. */
export function crashLaw({ isBreach, unmet, isPremise, ...law }: CrashLaw): TaskLaw {
  return {
    ...law,
    judge: ({ happening }) => {
      if (happening.is !== 'crash') return isPremise(happening) ? 'held' : 'not applicable';
      const { crash } = happening;
      return isBreach(crash) ? { is: 'crashes', unmet, crash } : 'not applicable';
    },
  };
}
