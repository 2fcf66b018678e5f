import type { AttachLaw } from '../../properties/law/sequence-law.ts';
import { HIT_LAWS } from '../../properties/tracepoint-laws.ts';
import type { SequenceSearch } from './attach-search.ts';

/** Laws on tracepoints are checked on kernels that have some. */
export function aboutHits({ laws }: SequenceSearch): boolean {
  return laws.length > 0 && laws.every((law) => HIT_LAWS.includes(law));
}

/** With a law on tracepoints alone another search has no functions, where this one has. */
export function besideIn(search: SequenceSearch, law: AttachLaw): string | undefined {
  if (!HIT_LAWS.includes(law) || aboutHits(search)) return undefined;
  return search.laws.find((other) => !HIT_LAWS.includes(other))?.name;
}
