/*
 * A second peer of the explorer: TLC on `TextPoke.tla`, in one worker. It needs Java and TLC's tla2tools.jar, whose path
 * is that of `--tlc`, or of the environment variable TLA2TOOLS.
 */
import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import type { NoPeer } from '../peer.ts';
import type { PokeSize } from '../poke-search.ts';

/** The sources of this peer, wherever this file was compiled to. */
const TLC = [import.meta.dirname, join(import.meta.dirname, '../../../bench/tlc')].find((path) =>
  existsSync(join(path, 'TextPoke.tla')),
)!;

/** The collector that TLC asks for. */
const COLLECTOR = '-XX:+UseParallelGC';

/** TLC's counts of a search to its end. */
export interface TlcCounted {
  /** Distinct ones. */
  readonly states: number;
  /** Without the one that TLC counts for the first state. */
  readonly transitions: number;
}

export interface TlcSearched extends TlcCounted {
  /** From the start of Java to its end. */
  readonly seconds: number;
}

/** A search of the small model by TLC; a sentence when this machine cannot. */
export function findTlc({ readers, sites }: PokeSize, jar: string): (() => TlcSearched) | NoPeer {
  if (jar === '' || !existsSync(jar)) return { missing: 'TLC is not there: --tlc tla2tools.jar' };
  if (spawnSync('java', ['-version']).error !== undefined)
    return { missing: 'there is no Java: apt-get install default-jre-headless' };
  const build = join(TLC, '../build/tlc');
  mkdirSync(build, { recursive: true });
  const config = join(build, `TextPoke-${readers}-${sites}.cfg`);
  writeFileSync(config, `CONSTANTS Readers = ${readers} Sites = ${sites}\nSPECIFICATION Spec\n`);
  const options = ['-workers', '1', '-metadir', join(build, 'states'), '-config', config, 'TextPoke'];
  return () => {
    const begun = performance.now();
    const { stdout, stderr } = spawnSync('java', [COLLECTOR, '-cp', resolve(jar), 'tlc2.TLC', ...options], {
      cwd: TLC,
      encoding: 'utf8',
    });
    return { ...readTlcReport(stdout + stderr), seconds: (performance.now() - begun) / 1000 };
  };
}

/** Reads what TLC has printed, and refuses a search that found an error or did not come to the end. */
export function readTlcReport(report: string): TlcCounted {
  const counts = /(\d+) states generated, (\d+) distinct states found, 0 states left on queue/.exec(report);
  if (counts === null || !report.includes('No error has been found'))
    throw new Error(`TLC did not come to the end: ${report.slice(-400)}`);
  return { states: Number(counts[2]), transitions: Number(counts[1]) - 1 };
}
