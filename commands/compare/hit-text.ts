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

const HEAD = ['', 'instructions', 'reads', 'writes', 'calls', 'stray', 'in C', 'recorded'];

export function hitLines(groups: readonly HitGroup[]): string[] {
  const [head = '', ...rows] = grid([HEAD, ...groups.flatMap(({ hits }) => hits.map(hitRow))], '');
  return [
    ...wrap(
      'one traced call of a function minus the same call untraced; without its body, with mitigations off',
      WIDTH,
    ),
    '',
    head,
    ...groups.flatMap(({ profile, hits }) => [profile, ...rows.splice(0, hits.length)]),
    '',
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

function hitRow({ name, cost, modelled, inC, recorded }: HitRow): string[] {
  const label = `  ${name}`;
  if (!modelled) return [label, 'not modelled', '', '', '', '', '', ''];
  if (cost === undefined) return [label, 'none', '', '', '', '', '', ''];
  const { instructions, reads, writes, calls, strayReturns } = cost;
  const numbers = [instructions, reads, writes, calls, strayReturns].map(count);
  return [label, ...numbers, inC === undefined ? '?' : count(inC), printRecorded(recorded)];
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
