import { unreachable } from './unreachable.ts';

/**
 * The object at an address: a named one, one that was freed, a free page, or none. Offsets are in bytes. A
 * freed object keeps its name until its page is allocated again, so that a report can say what was executed
 * there.
 */
export type Whereabouts =
  | { readonly in: 'named' | 'freed'; readonly name: string; readonly offset: number }
  | { readonly in: 'free page'; readonly page: number; readonly offset: number }
  | { readonly in: 'nothing'; readonly address: string };

/** How a place is spelled, in traces as well: `f2+0x9`, `page 3+0x10`, `0xffffffffc0240000`. */
export function placeName(place: Whereabouts): string {
  switch (place.in) {
    case 'named':
      return withOffset(place.name, place.offset);
    case 'freed':
      return `${place.name}+0x${place.offset.toString(16)} (freed)`;
    case 'free page':
      return withOffset(`page ${place.page}`, place.offset);
    case 'nothing':
      return place.address;
    default:
      return unreachable(place);
  }
}

export function withOffset(name: string, offset: number): string {
  return offset === 0 ? name : `${name}+0x${offset.toString(16)}`;
}
