import type { HitCost } from '../../checker/cost/hit.ts';
import type { RecordedHit } from '../../checker/cost/recorded-hit.ts';
import { codeOf } from '../../checker/cost/recorded-hit.ts';
import { count, WIDTH, wrap } from '../../counterexamples/text.ts';
import { grid } from './grid.ts';

/** One kind of hit on one kernel. */
export interface HitRow {
  readonly name: string;
  /** Undefined: the kernel has no such thing. */
  readonly cost: HitCost | undefined;
  readonly modelled: boolean;
  /** Instructions of the functions in C that it calls, if all of them were recorded. */
  readonly inC: number | undefined;
  readonly recorded: RecordedHit | undefined;
}

/** The hits of one kernel, or of a design on it. */
export interface HitGroup {
  readonly profile: string;
  readonly hits: readonly HitRow[];
}

export const HIT_HEAD = ['', 'instructions', 'reads', 'writes', 'calls', 'stray', 'in C', 'recorded'];

export function hitLines(groups: readonly HitGroup[]): string[] {
  const [head = '', ...rows] = grid(
    [
      HIT_HEAD,
      ...groups.flatMap(({ hits }) =>
        hits.map((hit) => {
          const [name = '', ...cells] = hitRow(hit);
          return [`  ${name}`, ...cells];
        }),
      ),
    ],
    '',
  );
  return [
    ...wrap(
      'one traced call of a function minus the same call untraced; without its body, with mitigations off',
      WIDTH,
    ),
    '',
    head,
    ...groups.flatMap(({ profile, hits }) => [profile, ...rows.splice(0, hits.length)]),
    '',
    ...linesBelowHits(groups),
  ];
}

/** The meaning of the columns, and the functions in C. */
export function linesBelowHits(groups: readonly HitGroup[]): string[] {
  return [
    ...LEGEND.flatMap((line) => wrap(line, WIDTH - 4).map((part, i) => `${i === 0 ? '  ' : '    '}${part}`)),
    ...functionLines(groups),
  ];
}

const LEGEND = [
  'instructions: machine code in images, trampolines and stubs',
  'reads, writes: memory accesses of these instructions; calls: calls that they make',
  'stray: returns that a CPU mispredicts: not to the address after the last call',
  'in C: recorded instructions of the C functions called; ? if one was not recorded',
  'recorded: a real kernel in the same call, machine code + C functions, without programs and handlers of probes',
];

/** A hit and its counts, in the order of the head. */
export function hitRow({ name, cost, modelled, inC, recorded }: HitRow): string[] {
  if (!modelled) return [name, 'not modelled', '', '', '', '', '', ''];
  if (cost === undefined) return [name, 'none', '', '', '', '', '', ''];
  const { instructions, reads, writes, calls, strayReturns } = cost;
  const numbers = [instructions, reads, writes, calls, strayReturns].map(count);
  return [name, ...numbers, inC === undefined ? '?' : count(inC), printRecorded(recorded)];
}

function printRecorded(recorded: RecordedHit | undefined): string {
  if (recorded === undefined) return '';
  const inC = Object.values(recorded.functions).reduce((sum, { instructions }) => sum + instructions, 0);
  return `${codeOf(recorded)} + ${inC}`;
}

/** Which functions in C are called, by the hits that call the same. */
function functionLines(groups: readonly HitGroup[]): string[] {
  const hitsOf = new Map<string, Set<string>>();
  for (const { hits } of groups)
    for (const { name, cost } of hits) {
      if (cost === undefined) continue;
      const called = Object.entries(cost.cFunctions).map(([fn, times]) =>
        times === 1 ? fn : `${times} ${fn}`,
      );
      const key = called.length === 0 ? 'none' : called.join(', ');
      hitsOf.set(key, (hitsOf.get(key) ?? new Set()).add(name));
    }
  const lines = [...hitsOf].flatMap(([called, names]) => [
    ...wrap([...names].join(', '), WIDTH - 4).map((line) => `  ${line}`),
    ...wrap(called, WIDTH - 6).map((line) => `      ${line}`),
  ]);
  return ['', 'functions in C that are called', ...lines];
}
