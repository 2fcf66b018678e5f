import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { bundled, removeBundle } from '../../test/bundled.ts';
import { TOP } from '../../test/sources.ts';
import { THOROUGH } from '../../test/thorough.ts';

/** Explores one scenario, saves it twenty times a second, and resumes from what is there. */
const EXPLORING = `
  import { existsSync } from 'node:fs';
  import { startExploring } from './commands/explore/explore.ts';
  import { explorationFor } from './commands/explore/explore-options.ts';
  import { drive } from './commands/line/drive.ts';
  const file = process.env.CHECKPOINT;
  const line = { only: 'register f1 then unregister, unregister f2', operations: '3', kernel: '6.12' };
  const search = explorationFor({ ...line, workers: '1', schedules: '20', seed: '1' });
  const saved = file === undefined
    ? { checkpoint: undefined, resume: undefined }
    : { checkpoint: file, checkpointSeconds: 0.05, resume: existsSync(file) ? file : undefined };
  const job = startExploring(search, { workers: 1, seconds: undefined, ...saved });
  const { answer } = await drive(job, { status: () => console.log('on'), part() {} });
  console.log(JSON.stringify(answer));
`;

/** How often a run is killed before it may end. */
const KILLS = THOROUGH ? 50 : 2;

let program: string;
let folder: string;
beforeAll(async () => {
  program = await bundled({ code: EXPLORING }, { bundlesWorkers: true });
  folder = mkdtempSync(join(tmpdir(), 'attachcheck-killed-'));
});
afterAll(() => {
  removeBundle(program);
  rmSync(folder, { recursive: true });
});

/** Runs it, for some milliseconds from its first states; the answer, and undefined if it was killed before. */
async function explored(checkpoint: string | undefined, most?: number): Promise<string | undefined> {
  const env = { ...process.env, CHECKPOINT: checkpoint };
  const child = spawn(process.execPath, [program], { cwd: TOP, env, stdio: ['ignore', 'pipe', 'inherit'] });
  let out = '';
  child.stdout.on('data', (text) => {
    if (out === '' && most !== undefined) void setTimeout(most).then(() => child.kill('SIGKILL'));
    out += text;
  });
  const status = await new Promise((resolve) => child.on('close', resolve));
  return status === 0 ? out.trimEnd().split('\n').at(-1) : undefined;
}

test('an exploration that is killed again and again resumes each time, and ends with the same answer', async () => {
  const checkpoint = join(folder, 'exploration');
  let kills = 0;
  for (let i = 0; i < KILLS; i++) if ((await explored(checkpoint, (i * 97) % 400)) === undefined) kills++;
  expect(kills).toBeGreaterThan(0);
  const answer = await explored(checkpoint);
  expect(answer).toContain(' explored to the end');
  expect(answer).toBe(await explored(undefined));
});
