import type { KnownAttachBreach } from '../../checker/sequences/known-breach.ts';
import { runSequence } from '../../checker/sequences/run-sequence.ts';
import { searchToEnd } from '../../checker/sequences/search.ts';
import { KNOWN_ATTACH } from '../../conformance/known/attach-all.ts';
import { item } from '../../model/core/present.ts';
import { ATTACH_LAWS } from '../../properties/attach-laws.ts';
import { rendered } from '../../properties/finding/render.ts';
import type { AttachLaw, Moment } from '../../properties/law/sequence-law.ts';
import type { DesignBound } from './bound.ts';
import type { ImagesSeen } from './judge-images.ts';
import { scenesFor } from './scenes.ts';
import type { DesignTally } from './tally.ts';
import { isOfMultiLinks } from './with-multi-link.ts';

/** Checks the laws on sequences: in scenes, and in random sequences. Images of multi links are gathered. */
export function judgeSequences(
  profile: string,
  bound: DesignBound,
  tally: DesignTally,
  images: ImagesSeen,
): void {
  const looking = { ...item(ATTACH_LAWS, 0), judge: (moment: Moment) => images.look(moment) };
  const laws = ATTACH_LAWS.map((law) => counting(law, tally));
  const known = KNOWN_ATTACH.map((entry) => noting(entry, tally));
  for (const { law: name, ...scene } of scenesFor(profile)) {
    const asked = laws.filter((law) => law.name === name);
    const { newBreach } = runSequence(scene, { laws: [looking, ...asked], known });
    if (newBreach !== undefined) tally.find(newBreach.law.name, rendered(newBreach.finding));
  }
  const { seed, sequences } = bound;
  const { found } = searchToEnd({ profile, seed, sequences, laws: [looking, ...laws], known });
  if (found !== undefined) tally.find(found.breach.law.name, rendered(found.breach.finding));
}

/** A law that counts how often it applies to multi links. */
function counting(law: AttachLaw, tally: DesignTally): AttachLaw {
  return {
    ...law,
    judge: (moment) => {
      const judgement = law.judge(moment);
      if (judgement !== 'not applicable' && isOfMultiLinks(moment)) tally.meet(law.name);
      return judgement;
    },
  };
}

/** A known breach, noted when it occurs with multi links. */
function noting(entry: KnownAttachBreach, tally: DesignTally): KnownAttachBreach {
  return {
    ...entry,
    matches: (breach) => {
      const matches = entry.matches(breach);
      if (matches && isOfMultiLinks(breach.moment)) tally.known.add(entry.name);
      return matches;
    },
  };
}
