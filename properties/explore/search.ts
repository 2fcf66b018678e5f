import type { Crash } from './operations.ts';
import type { Space } from './space.ts';
import { Store } from './store.ts';

export interface Explored {
  readonly states: number;
  readonly transitions: number;
  readonly depth: number;
  readonly ends: number;
  readonly bytes: number;
  readonly crash: { readonly crash: Crash; readonly path: readonly number[] } | undefined;
}

export function explore(space: Space, most = 10_000_000): Explored {
  const store = new Store(space.layout.width);
  store.add(space.initial(), -1, 0);
  let transitions = 0;
  let ends = 0;
  let depth = 0;
  let levelEnd = 1;
  let crash: Explored['crash'];
  for (let at = 0; at < store.size && store.size < most && crash === undefined; at++) {
    if (at === levelEnd) {
      depth++;
      levelEnd = store.size;
    }
    let out = 0;
    space.visit(store.get(at), (move, next, wrong) => {
      transitions++;
      out++;
      if (next !== undefined) store.add(next, at, move);
      else crash ??= { crash: wrong!, path: [...store.pathTo(at), move] };
    });
    if (out === 0) ends++;
  }
  return { states: store.size, transitions, depth, ends, bytes: store.bytes, crash };
}
