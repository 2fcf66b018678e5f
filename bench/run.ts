import { spawnSync } from 'node:child_process';
import { cpus } from 'node:os';
import { join } from 'node:path';
import { Command } from 'commander';
import type { Recorded } from './history.ts';
import { appendHistory, lastOf, lossOf, readHistory, recordedRows } from './history.ts';
import type { BenchPart } from './parts.ts';
import { chosenParts, PARTS } from './parts.ts';
import type { BenchRow } from './row.ts';
import { jsonOf, tableOf } from './table.ts';

interface BenchLine {
  readonly json: boolean;
  readonly only?: string;
  readonly explorer: boolean;
  readonly all: boolean;
  readonly record: boolean;
  readonly tlc: string;
}

/** Recorded runs, one a line; this file is compiled to dist/bench. */
const HISTORY = join(import.meta.dirname, '../../bench/history.jsonl');
const CPU = cpus()[0]?.model ?? 'unknown';

const cli = new Command('bench')
  .description(
    'Measures every figure of docs/performance.md, each beside a peer in the same run where there is one.',
  )
  .option('--json', 'print an array of rows: ratio is null where there is no peer', false)
  .option('--only <parts>', `only these parts (comma-separated): ${listed(PARTS)}`)
  .option('--explorer', 'the same as --only explorer,full', false)
  .option(
    '--all',
    `also the parts that take minutes: ${listed(PARTS.filter(({ isLong }) => isLong === true))}`,
    false,
  )
  .option('--record', 'append the figures to bench/history.jsonl', false)
  .option(
    '--tlc <jar>',
    'the path of tla2tools.jar (default: the environment variable TLA2TOOLS)',
    process.env['TLA2TOOLS'] ?? '',
  )
  .parse();

measure(cli.opts<BenchLine>());

function measure({ json, only, explorer, all, record, tlc }: BenchLine): void {
  const named = explorer ? 'explorer,full' : (only ?? '');
  const names = named.split(',').map((name) => name.trim());
  const parts = chosenParts(
    names.filter((name) => name !== ''),
    all,
  );
  const rows: BenchRow[] = [];
  for (const part of parts) {
    process.stderr.write(`${part.name} …\n`);
    const measured = part.measure({ tlc });
    rows.push(...measured.rows);
    for (const missing of measured.missing) process.stderr.write(`no peer: ${missing}\n`);
  }
  const past = { history: readHistory(HISTORY), cpu: CPU };
  process.stdout.write(
    json ? `${JSON.stringify(jsonOf(rows, past), undefined, 2)}\n` : `${tableOf(rows, past)}\n`,
  );
  const lost = rows.filter((row) => lossOf(row, lastOf(past.history, row, CPU)) !== undefined);
  if (lost.length > 0) process.stderr.write(`lost: ${lost.map(({ name }) => name).join('; ')}\n`);
  if (record) appendHistory(HISTORY, recordOf(rows));
}

function recordOf(rows: readonly BenchRow[]): Recorded {
  const { stdout } = spawnSync('git', ['rev-parse', '--short=12', 'HEAD'], {
    cwd: import.meta.dirname,
    encoding: 'utf8',
  });
  return {
    commit: stdout?.trim() ?? '',
    date: new Date().toISOString().slice(0, 10),
    node: process.version,
    cpu: CPU,
    rows: recordedRows(rows),
  };
}

function listed(parts: readonly BenchPart[]): string {
  return parts.map(({ name }) => name).join(', ');
}
