import type { ExploredRow } from './explore.ts';
import { SMALL_BYTES, SMALL_RATE } from './explore.ts';

/** The explorer's figures as lines of a table. */
export function exploredLines(rows: readonly ExploredRow[]): string[][] {
  const head = ['', 'states', 'per second', 'peer', 'ratio', 'bytes', 'peer'];
  const lines = rows.map(({ name, states, rate, bytes, peer, ratio }) => [
    name,
    String(states),
    thousands(rate),
    peer === undefined ? '–' : thousands(peer.rate),
    ratio === undefined ? '–' : `${ratio.toFixed(2)}x`,
    bytes.toFixed(0),
    peer?.bytes == null ? '–' : peer.bytes.toFixed(0),
  ]);
  return [head, ...lines];
}

/** What the small model is measured against, below that table. */
export const EXPLORED_TARGETS = `small: ratio ${SMALL_RATE.floor}x at the least, aim ${SMALL_RATE.aim}x; bytes per state ${SMALL_BYTES.most} at most, aim ${SMALL_BYTES.aim}`;

/** The same for a program: two entries for each search. A ratio is null where there is no peer. */
export function exploredJson(rows: readonly ExploredRow[]): object[] {
  return rows.flatMap(({ name, states, rate, bytes, ratio }, i) => {
    const isSmall = i === 0;
    const [speed, size] = [isSmall ? SMALL_RATE : undefined, isSmall ? SMALL_BYTES : undefined];
    return [
      {
        name: `states of ${name}`,
        states,
        perSecond: Math.round(rate),
        ratio: ratio ?? null,
        floor: speed?.floor ?? null,
        aim: speed?.aim ?? null,
      },
      {
        name: `bytes per state of ${name}`,
        bytes: Math.round(bytes),
        ratio: null,
        most: size?.most ?? null,
        aim: size?.aim ?? null,
      },
    ];
  });
}

export function thousands(rate: number): string {
  return `${(rate / 1000).toFixed(1)} k`;
}
