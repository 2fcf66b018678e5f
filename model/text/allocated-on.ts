import { entry } from '../core/present.ts';
import { answerIn } from '../core/query.ts';
import { HALF_BYTES } from './space.ts';
import type { TextView } from './text.ts';

/** Something that was allocated, by name, and where in its page it starts, in bytes. */
export interface Allocated {
  readonly name: string;
  readonly start: number;
}

/** The object at an offset in bytes of the page with a number; undefined when there is none. */
export function allocatedOn({ text }: TextView, position: number, offset: number): Allocated | undefined {
  const page = pageOn(text, position);
  return page === null ? undefined : inHalf(text, page, offset);
}

/** The name of the page with a number; null when it is not allocated. */
export function pageOn({ pages }: Pick<TextView['text'], 'pages'>, position: number): string | null {
  return answerIn(pages, pageNumbered, String(position));
}

function pageNumbered(pages: TextView['text']['pages'], position: string): string | null {
  for (const page in pages) if (entry(pages, page).at === Number(position)) return page;
  return null;
}

function inHalf({ halves }: TextView['text'], page: string, offset: number): Allocated {
  for (const name in halves) {
    const half = entry(halves, name);
    const isInside = offset >= half.offset && offset < half.offset + HALF_BYTES;
    if (half.page === page && isInside) return { name, start: half.offset };
  }
  return { name: page, start: 0 };
}
