import type { TracedFunction } from '../../model/trampoline/traced-function.ts';
import { Behaviour } from '../../properties/refine/behaviour.ts';
import type { Ground, Offer } from '../../properties/refine/bound.ts';
import { offerOf } from '../../properties/refine/bound.ts';
import type { Compared } from '../../properties/refine/refinement.ts';
import { refinement } from '../../properties/refine/refinement.ts';
import type { History } from '../../properties/refine/retelling.ts';
import type { Exit } from '../answer.ts';
import { EXIT } from '../answer.ts';
import { counted } from '../text.ts';

/** What comparing them on two functions has come to. */
export interface Refined extends Pick<History, 'profiles' | 'functions'> {
  readonly offer: Offer;
  readonly compared: Compared;
  /** Operations of a history, at the most. */
  readonly length: number;
}

/** The behaviours of kernels that are compared, each worked out once. */
export class Behaviours {
  private readonly known = new Map<string, Behaviour>();

  of(profile: string, functions: readonly TracedFunction[]): Behaviour {
    const key = [profile, ...functions.map(({ name }) => name)].join(' ');
    const known = this.known.get(key) ?? new Behaviour(profile, functions);
    this.known.set(key, known);
    return known;
  }

  /** Operations that were played in all of them. */
  get played(): number {
    return [...this.known.values()].reduce((sum, { played }) => sum + played, 0);
  }
}

/** Compares two kernels on two functions. It yields its progress, and is told whether to stop. */
export function* refine(
  profiles: History['profiles'],
  { functions, length }: Ground,
  behaviours: Behaviours,
): Generator<string, Refined, boolean> {
  const [one, other] = profiles;
  const [a, b] = [behaviours.of(one, functions), behaviours.of(other, functions)];
  const offer = offerOf(profiles, [a, b], functions);
  const search = refinement({ a, b, alphabet: offer.alphabet, length });
  for (let stop = false; ; ) {
    const step = search.next(stop);
    if (step.done === true) return { profiles, functions, offer, compared: step.value, length };
    stop = yield `refine ${one} against ${other}: ${counted(step.value, 'operation')} compared`;
  }
}

/** A search that was stopped leaves the question open, and so does one that had nothing to compare. */
export function exitOf({ compared: { found, length, operations }, length: most }: Refined): Exit {
  if (found.length > 0) return EXIT.BROKEN;
  return length < most || operations === 0 ? EXIT.INCONCLUSIVE : EXIT.HELD;
}
