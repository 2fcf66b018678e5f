import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { writeScene } from './scene.ts';
import type { Workload } from './workload.ts';

/** The decoded or translated code that survives an execution: all of it, all but the image, none. */
export type Reuse = 'same' | 'image' | 'fresh';

/** Executions per second of the peer on the same image, the same registers and stack, with both hooks. */
export type Peer = (how: Reuse, seconds: number) => number;

/** Why there is no peer, and what to do about it. */
export interface NoPeer {
  readonly missing: string;
}

/** The sources of the bench, wherever this file was compiled to. */
const BENCH = [import.meta.dirname, join(import.meta.dirname, '../../bench')].find((path) =>
  existsSync(join(path, 'unicorn/unicorn.c')),
)!;
const BUILD = join(BENCH, 'build');

/** Builds Unicorn's program and writes its scene; a sentence when this machine cannot. */
export function buildPeer(workload: Workload): Peer | NoPeer {
  mkdirSync(BUILD, { recursive: true });
  const program = join(BUILD, 'unicorn');
  const source = join(BENCH, 'unicorn/unicorn.c');
  const built = spawnSync('cc', ['-O2', '-o', program, source, '-lunicorn'], { encoding: 'utf8' });
  if (built.error !== undefined)
    return { missing: 'there is no C compiler: apt-get install gcc libc6-dev libunicorn-dev' };
  if (built.status !== 0) return { missing: 'Unicorn is not installed: apt-get install libunicorn-dev' };
  const scene = join(BUILD, 'scene');
  writeScene(scene, workload);
  return (how, seconds) => {
    const { status, stdout, stderr } = spawnSync(program, [scene, String(seconds), how, 'hooks'], {
      encoding: 'utf8',
    });
    if (status !== 0) throw new Error(`the peer failed: ${stderr}`);
    return (JSON.parse(stdout) as { perSecond: number }).perSecond;
  };
}
