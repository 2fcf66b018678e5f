import type { Crash } from '../../model/core/crash.ts';
import type { Unmet } from '../finding/task-finding.ts';
import type { Happening, TaskLaw } from '../law/interleaving-law.ts';

/** What a law about crashes is made of. */
interface CrashLaw extends Omit<TaskLaw, 'judge'> {
  /** Whether a crash breaks this law. */
  readonly isBreach: (crash: Crash) => boolean;
  /** What should have kept it from that. */
  readonly unmet: Unmet;
  /** Whether what happens is what the law is about. */
  readonly isPremise: (happening: Exclude<Happening, { readonly is: 'crash' }>) => boolean;
}

/** A law that says: this crash does not come. It had a say whenever it might have come. */
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
