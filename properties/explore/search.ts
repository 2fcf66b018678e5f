import type { Crash, Move, State } from './space.ts';
import type { Space } from './space.ts';

export interface Explored {
  readonly states: number;
  readonly transitions: number;
  readonly depth: number;
  readonly ends: number;
  readonly crash: { readonly crash: Crash; readonly path: readonly Move[] } | undefined;
  readonly stuck: readonly Move[] | undefined;
}

export function explore(space: Space, most = 10_000_000): Explored {
  const seen = new Map<string, number>();
  const states: State[] = [];
  const parents: number[] = [];
  const moves: (Move | undefined)[] = [];
  const depths: number[] = [];
  const add = (state: State, parent: number, move: Move | undefined) => {
    const key = String.fromCharCode(...state.map((n) => n + 1));
    if (seen.has(key)) return;
    seen.set(key, states.length);
    states.push(state);
    parents.push(parent);
    moves.push(move);
    depths.push(parent < 0 ? 0 : depths[parent]! + 1);
  };
  const pathTo = (at: number, last?: Move) => {
    const path: Move[] = last === undefined ? [] : [last];
    for (let i = at; parents[i]! >= 0; i = parents[i]!) path.unshift(moves[i]!);
    return path;
  };
  add(space.initial(), -1, undefined);
  let transitions = 0;
  let ends = 0;
  let crash: Explored['crash'];
  let at = 0;
  for (; at < states.length && states.length < most && crash === undefined; at++) {
    let out = 0;
    space.visit(states[at]!, (move, next, crashed) => {
      transitions++;
      out++;
      if (crashed !== undefined) crash ??= { crash: crashed, path: pathTo(at, move) };
      else add(next!, at, move);
    });
    if (out === 0) ends++;
  }
  return { states: states.length, transitions, depth: depths[Math.max(0, at - 1)]!, ends, crash, stuck: undefined };
}
