import { join } from 'node:path';
import * as fc from 'fast-check';
import { EXIT } from '../../counterexamples/answer.ts';
import { attachcheck } from '../console.ts';
import { TOP } from '../sources.ts';
import { mutated } from './mutated.ts';

const EXAMPLES = join(TOP, 'docs/examples');

/** Command lines that take milliseconds; a mutation changes their values, and gives options of others. */
const LINES: readonly (readonly string[])[] = [
  ['--list'],
  ['--list', '--kernel', '6.12, linksMax = 3'],
  [join(EXAMPLES, 'dead-kprobe.calls')],
  ['exhaust', join(EXAMPLES, 'dead-kprobe.calls'), '--depth', '2', '--no-save'],
  ['near', join(EXAMPLES, 'why-busy.calls'), '--sequences', '2', '--no-save'],
  ['why', 'EBUSY'],
  ['why', 'EBUSY', join(EXAMPLES, 'why-busy.calls')],
  ['abi', '--sig', 'u64 x9 -> u64', '--kinds', 'fentry, fexit', '--kernel', '6.1'],
  ['abi', '--sig', 'ptr, s16b', '--arch', 'arm64'],
  ['stubs', 'ptr, ptr, u32'],
  ['explain', join(EXAMPLES, 'tracepoint.calls')],
  ['explore', join(EXAMPLES, 'kretprobe.scenario'), '--depth', '3', '--no-save'],
  ['cost', join(TOP, 'commands/cost/example.json'), '--kernel', '7.2'],
  ['matrix', 'ops', 'kprobe', '--kernel', '6.12'],
  ['completion', 'bash'],
];

const OPTIONS = [
  '--json',
  '--kernel',
  '--law',
  '--seed',
  '--planted',
  '--only',
  '--format',
  '--verbose',
  '--resume',
];

/** What a command line may end with, besides a verdict: no exception has a place among these. */
const ENDS: readonly number[] = [EXIT.HELD, EXIT.BROKEN, EXIT.USAGE, EXIT.FAILED, EXIT.INCONCLUSIVE];

/** The first words stay: a command without its file searches for minutes. */
const line: fc.Arbitrary<readonly string[]> = fc
  .tuple(
    fc.constantFrom(...LINES),
    fc.nat(),
    mutated(LINES.flat()),
    fc.constantFrom('change', 'add', 'option'),
    fc.constantFrom(...OPTIONS),
  )
  .map(([words, nth, word, how, option]) => {
    if (how === 'add') return [...words, word];
    if (how === 'option') return [...words, option, word];
    const changed = words.length - 1 - (nth % Math.max(1, words.length - 1));
    return words.map((old, i) => (i === changed && i > 0 ? word : old));
  });

/** Runs command lines; throws with the smallest one that ends with a stack trace, or in no known way. */
export async function fuzzCommandLines(bound: {
  readonly seed: number;
  readonly inputs: number;
}): Promise<void> {
  const property = fc.asyncProperty(line, async (words) => {
    const { exit, stderr } = await attachcheck(words);
    if (!ENDS.includes(exit)) throw new Error(`exit code ${exit}`);
    if (/^ {4}at /m.test(stderr)) throw new Error(stderr);
  });
  await fc.assert(property, { seed: bound.seed, numRuns: bound.inputs });
}
