import { CODE, PAGE_BYTES, STACK } from '../../checker/x86/layout.ts';
import { counted, count as grouped, labelled, percent, WIDTH } from '../../counterexamples/text.ts';
import type { ListingLine } from '../../model/x86/listing.ts';
import { disassemble, hexBytes } from '../../model/x86/listing.ts';
import { RSP, registerName } from '../../model/x86/register.ts';
import { fromBigInt } from '../../model/x86/word.ts';
import type { DifferenceRow } from './compare.ts';
import { describeFlags, hex } from './compare.ts';
import type { CpuJob } from './record.ts';
import type { FoundProgram, SearchedPrograms } from './search.ts';

/** Lines of a report, and lines of its comparison; a shrunk difference seldom reaches them. */
const LINES = 40;
const COMPARED = 10;

/** Text of a search: the difference, or what agreed and the covered share of the instruction set. */
export function describeSearch(searched: SearchedPrograms): string {
  return (searched.found === undefined ? agreement(searched) : disagreement(searched, searched.found)).join(
    '\n',
  );
}

function agreement({ seed, sequences, coverage, ends }: SearchedPrograms): string[] {
  const { encodings, families, shapes, shortForms, executed } = coverage;
  const missing = coverage.missing();
  const [rarest, least] = [...encodings].reduce((a, b) => (b[1] < a[1] ? b : a));
  const faults = sequences - (ends.get('exit') ?? 0);
  return [
    `${missing.length === 0 ? '✓' : '?'} the emulator and the CPU agree on ${counted(sequences, 'sequence')}`,
    '',
    ...labelled('seed', String(seed)),
    ...labelled(
      'executed',
      `${counted(executed, 'instruction')}: ${covered(encodings)} encodings with an operand size, ${covered(families)} families, ${covered(shapes)} shapes, ${covered(shortForms)} short forms`,
    ),
    ...labelled('rarest', `${rarest}: ${counted(least, 'time')}`),
    ...labelled('ended', `${percent(faults, sequences)} of the sequences with a fault or a trap`),
    ...(missing.length === 0 ? [] : labelled('never', `${enumerated(missing)}; draw more sequences`)),
  ];
}

/** Names of never executed encodings that are printed. */
const NAMED = 8;

function enumerated(names: readonly string[]): string {
  const more = names.length > NAMED ? [`and ${names.length - NAMED} more`] : [];
  return [...names.slice(0, NAMED), ...more].join('; ');
}

function covered(counts: ReadonlyMap<unknown, number>): string {
  const seen = [...counts.values()].filter((times) => times > 0).length;
  return `${seen} of ${counts.size}`;
}

function disagreement({ seed }: SearchedPrograms, { index, job, difference, drawn }: FoundProgram): string[] {
  const title = `✗ ${difference.columns.join(' and ')} differ: sequence ${grouped(index)} of seed ${seed}`;
  const size = `  ${counted(job.sequence.instructions.length, 'instruction')}, shrunk from ${drawn}`;
  const again = `npx tsx conformance/hardware/differential.ts --seed ${seed} --index ${index}`;
  const head = [title, '', size, ''];
  const tail = [
    '',
    ...labelled('before', describeState(job)),
    '',
    ...columns({ what: '', values: difference.columns }),
    ...difference.rows.slice(0, COMPARED).flatMap(columns),
    ...(difference.rows.length > COMPARED ? [`  and ${difference.rows.length - COMPARED} more`] : []),
    '',
    ...labelled('again', again),
  ];
  return [...head, ...listing(job, LINES - head.length - tail.length), ...tail];
}

/** The instructions, as far as they fit. */
function listing({ program }: CpuJob, room: number): string[] {
  const lines = disassemble(program.code.subarray(0, program.end), fromBigInt(CODE.base), () => undefined);
  const shown: string[] = [];
  for (const [i, line] of lines.entries()) {
    const printed = printLine(line);
    if (shown.length + printed.length >= room) return [...shown, `  and ${lines.length - i} more`];
    shown.push(...printed);
  }
  return shown;
}

/** Bytes and text side by side, or one below the other when they are too long. */
function printLine({ offset, bytes, text }: ListingLine): string[] {
  const place = `  code+0x${offset.toString(16)}`.padEnd(13);
  const line = `${place}${hexBytes(bytes).padEnd(30)} ${text}`;
  return line.length <= WIDTH ? [line] : [`${place}${text}`, `${' '.repeat(13)}${hexBytes(bytes)}`];
}

/** The parts of the initial state that are not zero, or for `rsp` not the middle of the stack. */
function describeState({ sequence, program }: CpuJob): string {
  const middle = STACK.base + BigInt(PAGE_BYTES / 2);
  const registers = sequence.registers.flatMap((value, i) =>
    value === (i === RSP ? middle : 0n) ? [] : [`${registerName(i)} ${hex(value)}`],
  );
  const patches = program.patches.map(({ address, value }) => `(${hex(address)}) ${hex(value)}`);
  const gs = sequence.gsBase === 0n ? [] : [`%gs base ${hex(sequence.gsBase)}`];
  const flags = sequence.flags === 0 ? [] : [`flags ${describeFlags(sequence.flags)}`];
  const all = [...registers, ...flags, ...gs, ...patches];
  return all.length === 0 ? 'all registers zero, no flag set' : `${all.join(', ')}; all else zero`;
}

/** One row of the comparison, in two columns. */
function columns({ what, values }: DifferenceRow): string[] {
  return [`  ${what.padEnd(13)}${values[0].padEnd(32)} ${values[1]}`];
}
