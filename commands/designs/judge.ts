import type { Design } from '../../model/trampoline/designs/design.ts';
import type { DesignBound } from './bound.ts';
import { profileFor } from './bound.ts';
import { ImagesSeen } from './judge-images.ts';
import { judgeInterleavings } from './judge-interleavings.ts';
import { judgeSequences } from './judge-sequences.ts';
import { DesignTally } from './tally.ts';

/** Checks all laws against a design, within a bound. The same bound gives the same result. */
export function judgeDesign(design: Design, bound: DesignBound): DesignTally {
  const tally = new DesignTally();
  const images = new ImagesSeen();
  const profile = profileFor(design);
  judgeSequences(profile, bound, tally, images);
  images.judge(tally);
  judgeInterleavings(profile, bound, tally);
  return tally;
}
