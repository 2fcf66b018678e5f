import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { item } from '../../model/core/present.ts';
import type { ProgramOutcome } from './outcome.ts';
import type { CpuJob } from './record.ts';
import { decodeReplies, encodeBatch } from './record.ts';

const SOURCES = ['harness.c', 'signals.c', 'enter.S'].map((name) => join(import.meta.dirname, name));
const FLAGS = ['-O2', '-Wall', '-Wextra'];
/** A batch takes some tens of milliseconds. */
const TIME_OUT_MS = 60_000;
/** Buffer for replies: larger than a batch in which every program changes half of its memory. */
const OUTPUT_BYTES = 1 << 28;

/** This machine's CPU, driven through a harness that runs programs. */
export interface HardwareCpu {
  /** Runs a batch of programs, one outcome for each; throws when the harness fails. */
  run(memory: Uint8Array, jobs: readonly CpuJob[]): ProgramOutcome[];
  /** Removes the built files. */
  close(): void;
}

/** Why there is no CPU to compare with, in words that follow "no C compiler on x86-64". */
export class NoCpu extends Error {
  override name = 'NoCpu';
}

/** Builds the harness with the system's compiler; throws `NoCpu` where that is not possible. */
export function openCpu(compiler = 'cc'): HardwareCpu {
  if (process.platform !== 'linux' || process.arch !== 'x64')
    throw new NoCpu(`this is ${process.platform} on ${process.arch}`);
  const directory = mkdtempSync(join(tmpdir(), 'attachcheck-'));
  const close = () => rmSync(directory, { recursive: true, force: true });
  const binary = join(directory, 'harness');
  const { status, error, stderr } = spawnSync(compiler, [...FLAGS, '-o', binary, ...SOURCES], {
    encoding: 'utf8',
  });
  if (status !== 0) {
    close();
    throw new NoCpu(
      error === undefined
        ? `${compiler} refuses the harness: ${firstLine(stderr)}`
        : `${compiler} does not start`,
    );
  }
  return { run: (memory, jobs) => runHarness(binary, memory, jobs), close };
}

/** The harness died; `program` is the number of the program that it ran, if it could still report it. */
export class HarnessFailure extends Error {
  override name = 'HarnessFailure';
  readonly program: number | undefined;

  constructor(reason: string, said: string) {
    super(`the harness failed (${reason}): ${firstLine(said)}`);
    const number = / at program (\d+)/.exec(said)?.[1];
    this.program = number === undefined ? undefined : Number(number);
  }
}

function runHarness(binary: string, memory: Uint8Array, jobs: readonly CpuJob[]): ProgramOutcome[] {
  const { status, signal, stdout, stderr, error } = spawnSync(binary, {
    input: encodeBatch(memory, jobs),
    timeout: TIME_OUT_MS,
    maxBuffer: OUTPUT_BYTES,
  });
  if (error !== undefined) throw new Error(`the harness did not finish: ${error.message}`);
  if (status !== 0) throw new HarnessFailure(signal ?? `exit code ${status}`, stderr.toString());
  return decodeReplies(stdout, jobs.length);
}

function firstLine(text: string): string {
  return item(text.split('\n', 1), 0);
}
