import { item } from '../../model/core/present.ts';
import { ATTACH_LAWS } from '../attach-laws.ts';
import type { TaskJudgement, TaskLaw, TaskMoment } from '../law/interleaving-law.ts';
import type { AttachLaw } from '../law/sequence-law.ts';
import { finalWorlds } from '../observed/possible-worlds.ts';
import { orderedFaults } from '../observed/scenario.ts';

/** The laws on sequences that check only the kernel: here, after all operations have finished. */
export const SETTLED_LAWS: readonly TaskLaw[] = ATTACH_LAWS.filter((law) => law.settled).map(settled);

/** The one of these that is a law on sequences; a RangeError when that checks more than the kernel. */
export function settledLaw({ name }: AttachLaw): TaskLaw {
  const law = SETTLED_LAWS.find((settled) => settled.name === name);
  if (law === undefined) throw new RangeError(`${name} is not judged after operations have finished`);
  return law;
}

/** A law on sequences, judged after all operations have finished. */
export function settled(law: AttachLaw): TaskLaw {
  return {
    name: law.name,
    sentence: law.sentence,
    source: law.source,
    witness: law.witness,
    isOfEnds: true,
    ...(law.lacks === undefined ? {} : { lacks: law.lacks }),
    judge: (moment) => judged(law, moment),
  };
}

/** The law is broken when no order of the operations explains what they have left. */
function judged(law: AttachLaw, { scenario, program, happening, kernel }: TaskMoment): TaskJudgement {
  if (happening.is !== 'end') return 'not applicable';
  const findings = finalWorlds(scenario, happening.done).map((promises) =>
    law.judge({
      previous: undefined,
      before: kernel,
      action: { do: 'settle' },
      outcome: { errno: 0, warnings: [] },
      after: kernel,
      promised: promises,
      promises,
      program,
      faults: orderedFaults(scenario),
    }),
  );
  return findings.find((finding) => typeof finding === 'string') ?? item(findings, 0);
}
