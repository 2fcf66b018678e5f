import { counted } from '../../counterexamples/text.ts';
import type { AttachLaw } from '../../properties/law/sequence-law.ts';
import { aboutHits } from './about-hits.ts';
import type { SearchedKernel, SequenceSearch } from './attach-search.ts';
import { isKnown, isOnlyBehindKnown, witnessed } from './attach-search.ts';
import { behindKnownLines, detailLines, lawLines } from './pass.ts';

/** What `--verbose` says of a law that no new breach was found of. */
export function linesOf(search: SequenceSearch, parts: readonly SearchedKernel[], law: AttachLaw): string[] {
  const met = witnessed(parts, law);
  if (met === 0 && isKnown(search, parts, law)) return [];
  if (isOnlyBehindKnown(parts, law)) return behindKnownLines(law);
  const of = parts.reduce((sum, { searched }) => sum + searched.sequences, 0);
  return lawLines(law, { met, of, noun: 'sequence' });
}

/** The bound of the search in one kernel. */
export function boundLines(search: SequenceSearch, { profile, searched, sites }: SearchedKernel): string[] {
  const { sequences, actions, died } = searched;
  const end = died > 0 ? `; in ${counted(died, 'sequence')} the kernel crashed or hung` : '';
  return detailLines(
    `${profile}: ${counted(sequences, 'sequence')} drawn, ${counted(actions, 'action')}${drawnText(search)}; ` +
      `${counted(sites.size, 'return site')} refused${end}`,
  );
}

function drawnText(search: SequenceSearch): string {
  if (search.near !== undefined) return '';
  return `, up to 40 each on ${aboutHits(search) ? '1 or 2 tracepoints' : '1 to 3 functions'}`;
}
