import { count } from '../../counterexamples/text.ts';
import { BOUND, MORE, TRIES } from './bound.ts';
import { STATES } from './scenario-input.ts';
import type { MeasuredMutants, Reasons } from './table.ts';
import { tableOf, talliesOf } from './table.ts';

/** The mutants that were judged, as Markdown: docs/mutants.md. */
export function printMutants(measured: MeasuredMutants, reasons: Reasons): string {
  const { seed, shards, mutants, left } = measured;
  const [head = [], ...rows] = tableOf(talliesOf(measured, reasons));
  const judged =
    rows.length === 0 ? 0 : talliesOf(measured, reasons).reduce((sum, tally) => sum + tally.mutants, 0);
  const open = left.filter(({ name }) => reasons[name] === undefined);
  const explained = left.filter(({ name }) => reasons[name] !== undefined);
  return [
    ...INTRODUCTION,
    '',
    `Judged: ${count(judged)} of ${count(mutants)} mutants, drawn from shard ${shards.join(', ')} with seed ${seed}.`,
    '',
    rowOf(head),
    `|${'---|'.repeat(head.length)}`,
    ...rows.map(rowOf),
    '',
    '## Killed, by law',
    '',
    '| law | mutants |',
    '|---|---|',
    ...Object.entries(measured.laws).map(([law, number]) => rowOf([law, count(number)])),
    '',
    '## Survivors without a reason',
    '',
    ...(open.length === 0 ? ['None.'] : ['Each is a hole in the laws or in the draws.', '']),
    ...open.map(({ name, is }) => `- \`${name}\`${is === 'unreached' ? ', not reached' : ''}`),
    '',
    '## Survivors with a reason',
    '',
    'One that is outside the bound counts as a survivor above; the others are taken out of the share.',
    '',
    '| mutant | why no law kills it |',
    '|---|---|',
    ...explained.map(({ name }) => rowOf([`\`${name}\``, reasons[name] ?? ''])),
    '',
  ].join('\n');
}

/** A vertical bar separates cells. */
function rowOf(cells: readonly string[]): string {
  return `| ${cells.map((cell) => cell.replaceAll('|', '\\|')).join(' | ')} |`;
}

const INTRODUCTION = [
  '# Mutants',
  '',
  'Do the laws notice a fault that was not planned? A mutant is the model with one fault: in a part of a routine (dropped,',
  'swapped with the next, a guard inverted, a wait of another flavour, a lock that is not taken or held for fewer parts,',
  'another errno, another argument), or in an expression of the TypeScript (a condition, a comparison, a constant, an',
  'arithmetic operator). It is killed if a law that the sound kernel keeps is broken, or the model throws or never ends.',
  'Recordings, saved traces and unit tests do not count.',
  '',
  `Each mutant is judged on inputs that run what it changes: at most ${TRIES.image} attach combinations, ${TRIES.sequence} sequences of`,
  `calls, ${TRIES.scenario} scenarios with every interleaving (up to ${count(STATES)} states in the sound kernel) and ${TRIES.stub} probe stubs. One`,
  `that survives these is judged again, on up to ${MORE.image} combinations, ${MORE.sequence} sequences and ${MORE.scenario} scenarios. They`,
  `are chosen of ${count(BOUND.images)} combinations, ${count(BOUND.sequences)} sequences for each kernel, ${BOUND.ofDesigns} for each design, ${BOUND.hits} of tracepoints alone for`,
  'each kernel; of these, as far as they run what few others do:',
  `${BOUND.rareOf} more of each kernel and ${BOUND.rareOfDesigns} of each design in every kernel that can have it, ${BOUND.rareOfOverrides} of each kernel with one`,
  `behaviour of another one or a small shadow stack, and ${BOUND.faults} of each call in which an allocation or a poke fails, for each that may, among`,
  `them four histories of links that overlap in each design; then`,
  'what saved counterexamples do (their answers are not compared, and the bug that each was found for is not',
  `planted), the scenarios of the planted bugs, one in ${BOUND.everyScenario} of those of the default exploration, a link that comes or goes`,
  `beside a task in a call, in each design and each life cycle of images, small scenarios of the default exploration, and ${BOUND.stubs} prototypes. They`,
  'are chosen so that together they run all that any of them runs of the file; the others are spread evenly. An expression that is computed once,',
  'when a module is loaded or for a cache, is judged on inputs that run something else of its file, or of those that import it.',
  '',
  'Machine code is compared with what is independent of it:',
  '',
  `- ${count(BOUND.programs)} drawn programs, of which a mutant gets ${TRIES.program} at most, executed five ways (at once, again with everything linked, with`,
  '  a journal, one instruction at a time, each instruction generically) and by a reference CPU (`test/mutants/x86/`)',
  '  in whole numbers, written from the manual: registers, flags, memory, faults, the origin of every byte, stores, steps, and',
  '  that no short form is passed by. Where there is a compiler, a test compares the reference CPU with the CPU;',
  '- all opcodes of one and two bytes after 18 sets of prefixes and before 104 operands, decoded, and read by iced-x86 and from',
  "  the lines of the kernel's opcode map;",
  '- every method of the assembler for all registers, read by iced-x86; branches, relocations, paddings; arithmetic at the',
  '  edges of operands and of halves against whole numbers; breakpoints, the end of code, sizes of types.',
  '',
  'No mutant is drawn in code that only prints or parses, only counts costs, or only refuses what is not modelled, of the index',
  'that names an item of an image (`test/mutants/left-alone.ts`), nor two refusals with one errno swapped. A wait of a',
  'flavour that covers the right one is no fault, as RCU-tasks covers RCU. A call that has no other value to give in any run',
  'makes none, and does not count; a list that never has two items does not reach its fault.',
  '',
  'The inputs take ten minutes of a CPU to draw, and are kept for the next run; then a mutant takes a second or two, and one',
  'that survives a quarter of a minute.',
  '`npm run mutants -- --shard 3/64 --seed 1` judges a shard, `--resume` continues after the last verdict, and `--write`',
  'puts the figures here, with `UPDATE=1 npm test -- test/mutants`. On several machines each judges its shard with a file of its',
  'own (`--shard 3/16 --out 3.jsonl`); `--merge *.jsonl` prints from all files what one run of all mutants prints, with `--json`',
  'and `--write` as well. A verdict that is damaged, or of another run or other code, is refused; if a shard is missing or was',
  'not judged to its end, it is named, and the exit code is 4. With `--shard 1/64,2/64 --merge FILE...` the whole is these two.',
  'A reason is a line in `test/mutants/explained.ts`.',
];
