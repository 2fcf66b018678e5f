/*
 * The peer of the random walk: Quint's TypeScript simulator on `poke.qnt`. It is optional and installed apart, so that
 * the project itself does not depend on it:
 *
 *     cd bench/quint && npm ci
 *
 * Its package.json holds antlr4ts at 0.5.0-alpha.4: npm would take 0.5.0-dev, which throws when it is loaded.
 */
import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';

/** The sources of this peer, wherever this file was compiled to. */
const QUINT = [import.meta.dirname, join(import.meta.dirname, '../../../bench/quint')].find((path) =>
  existsSync(join(path, 'poke.qnt')),
)!;
const PROGRAM = join(QUINT, 'node_modules/.bin/quint');

/** Steps of one walk, a sample in Quint's words. */
const STEPS = 200;
/** Walks of the short run, by whose end everything is compiled, and of the long one. */
const WALKS_SHORT = 40;
const WALKS_LONG = 140;

/**
 * Steps per second, counted from the end of a short run to the end of a long one with the same seed: start-up, parsing
 * and warm-up are in both. Undefined where Quint is not installed.
 */
export function simulateWithQuint(): number | undefined {
  if (!existsSync(PROGRAM)) return undefined;
  const short = walk(WALKS_SHORT);
  const long = walk(WALKS_LONG);
  const milliseconds = long.milliseconds - short.milliseconds;
  if (milliseconds <= 0)
    throw new Error(`Quint took ${milliseconds} ms more for ${WALKS_LONG - WALKS_SHORT} more walks`);
  return ((long.steps - short.steps) / milliseconds) * 1000;
}

/** What Quint says of a run. */
interface Walked {
  /** Steps that were executed, all walks together. */
  readonly steps: number;
  /** From the parsed model to the end of the last walk, by Quint's own clock. */
  readonly milliseconds: number;
}

function walk(walks: number): Walked {
  const options = ['--backend=typescript', `--max-samples=${walks}`, `--max-steps=${STEPS}`, '--seed=0x1'];
  const { status, stdout, stderr } = spawnSync(
    process.execPath,
    [PROGRAM, 'run', ...options, '--invariant=safe', join(QUINT, 'poke.qnt')],
    { encoding: 'utf8', env: { ...process.env, FORCE_COLOR: '0' } },
  );
  if (status !== 0) throw new Error(`Quint failed: ${stderr}`);
  return readReport(walks, stdout);
}

/** Reads Quint's last lines, and refuses a run in which a walk ended early: those steps were never executed. */
function readReport(walks: number, report: string): Walked {
  const milliseconds = /No violation found \((\d+)ms/.exec(report)?.[1];
  const lengths = /Trace length statistics: max=(\d+), min=(\d+)/.exec(report);
  if (milliseconds === undefined || lengths === null)
    throw new Error(`Quint's report has no time or no lengths: ${report.slice(-400)}`);
  const [most, fewest] = [Number(lengths[1]), Number(lengths[2])];
  if (fewest !== STEPS + 1 || most !== STEPS + 1)
    throw new Error(`Quint's walks have ${fewest} to ${most} states instead of ${STEPS + 1}`);
  return { steps: walks * STEPS, milliseconds: Number(milliseconds) };
}
