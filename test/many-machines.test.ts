import { spawnSync } from 'node:child_process';
import { chmodSync, existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { parse } from 'yaml';
import { z } from 'zod';
import { attachcheck } from './console.ts';
import { sources, TOP } from './sources.ts';
import { THOROUGH } from './thorough.ts';

/* The examples for many machines, as far as one machine can run them: a stand-in for npx notes what they call. */

const OF = 3;
const SEARCH = `--law trampoline/stack-is-aligned --cases ${THOROUGH ? 600 : 150}`;

let folder: string;
let whole: string;
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'attachcheck-many-'));
  const npx = join(folder, 'npx');
  writeFileSync(npx, '#!/bin/bash\nprintf "%s\\n" "$*" >> "$CALLED"\n');
  chmodSync(npx, 0o755);
  whole = (await attachcheck(SEARCH.split(' '))).stdout;
});
afterAll(() => rmSync(folder, { recursive: true }));

function textOf(name: string): string {
  return sources(`examples/many-machines/${name}`)[0]!.text;
}

type Env = Readonly<Record<string, string>>;

/** A folder for shards, and the environment of a task that has it. */
function given(name: string): Env {
  const shards = join(folder, name);
  return {
    PATH: `${folder}:${process.env['PATH']}`,
    CALLED: `${shards}.called`,
    SEARCH,
    OF: `${OF}`,
    SHARDS: shards,
  };
}

/** Runs lines of a shell, and answers the words of the calls of attachcheck in them. */
function called(script: string, env: Env): string[][] {
  const { CALLED = '' } = env;
  rmSync(CALLED, { force: true });
  const { status, stderr } = spawnSync('bash', ['--norc', '-c', script], { env, encoding: 'utf8' });
  expect([status, stderr]).toEqual([0, '']);
  const lines = existsSync(CALLED) ? readFileSync(CALLED, 'utf8').trimEnd().split('\n') : [];
  return lines.map((line) => {
    expect(line).toMatch(/^attachcheck /);
    return line.split(' ').slice(1);
  });
}

/** Runs the shards that some tasks have called, and what merges them; all is printed as one run prints it. */
async function expectWhole(shards: readonly string[][], merge: readonly string[]): Promise<void> {
  expect(shards).toHaveLength(OF);
  for (const words of shards) expect((await attachcheck(words)).exit).toBe(0);
  expect((await attachcheck(merge)).stdout).toBe(whole);
}

const ENV = z.array(z.strictObject({ name: z.string(), value: z.string() }));

/** The fields of batch/v1 Job that the examples use, and no others: a misspelled one is refused. */
const JOB = z.strictObject({
  apiVersion: z.literal('batch/v1'),
  kind: z.literal('Job'),
  metadata: z.strictObject({ name: z.string().regex(/^[a-z0-9]([-a-z0-9]*[a-z0-9])?$/) }),
  spec: z.strictObject({
    completions: z.int().positive().optional(),
    parallelism: z.int().positive().optional(),
    completionMode: z.enum(['Indexed', 'NonIndexed']).optional(),
    backoffLimit: z.int().nonnegative(),
    template: z.strictObject({
      spec: z.strictObject({
        restartPolicy: z.enum(['Never', 'OnFailure']),
        containers: z
          .array(
            z.strictObject({
              name: z.string(),
              image: z.string(),
              env: ENV,
              command: z.array(z.string()),
              args: z.array(z.string()),
              resources: z
                .strictObject({
                  requests: z.strictObject({ cpu: z.string(), memory: z.string().regex(/^\d+[KMGT]i$/) }),
                })
                .optional(),
              volumeMounts: z.array(
                z.strictObject({ name: z.string(), mountPath: z.string().startsWith('/') }),
              ),
            }),
          )
          .length(1),
        volumes: z.array(
          z.strictObject({
            name: z.string(),
            persistentVolumeClaim: z.strictObject({ claimName: z.string() }),
          }),
        ),
      }),
    }),
  }),
});

describe('Kubernetes', () => {
  const job = (name: string) => JOB.parse(parse(textOf(name)));

  test('an Indexed Job searches its shards, and another one merges them', async () => {
    const env = given('kubernetes');
    const { completions, completionMode, template } = job('kubernetes.yaml').spec;
    const [shard] = template.spec.containers;
    expect([completionMode, `${completions}`]).toEqual(['Indexed', envIn(shard!.env, 'OF')]);
    expect(shard!.volumeMounts[0]!.mountPath).toBe(envIn(shard!.env, 'SHARDS'));
    spawnSync('mkdir', [env['SHARDS']!]);
    const shards = Array.from({ length: OF }, (_, i) =>
      called(shard!.args[0]!, { ...env, JOB_COMPLETION_INDEX: `${i}` }),
    ).flat();
    const [merge] = job('kubernetes-merge.yaml').spec.template.spec.containers;
    await expectWhole(shards, called(merge!.args[0]!, env)[0]!);
  });

  test('a field that a Job does not have is refused', () => {
    const text = textOf('kubernetes.yaml').replace('completionMode', 'completionmode');
    expect(JOB.safeParse(parse(text)).success).toBe(false);
  });
});

function envIn(env: z.infer<typeof ENV>, wanted: string): string | undefined {
  return env.find(({ name }) => name === wanted)?.value;
}

const STEP = z.strictObject({
  uses: z.string().optional(),
  run: z.string().optional(),
  if: z.string().optional(),
  with: z.record(z.string(), z.union([z.string(), z.int(), z.boolean()])).optional(),
});
const ACTIONS_JOB = z.strictObject({
  'runs-on': z.string(),
  needs: z.string().optional(),
  if: z.string().optional(),
  strategy: z
    .strictObject({
      'fail-fast': z.literal(false),
      matrix: z.strictObject({ shard: z.array(z.int()) }),
    })
    .optional(),
  steps: z.array(STEP),
});
const WORKFLOW = z.strictObject({
  name: z.string(),
  on: z.string(),
  env: z.strictObject({ SEARCH: z.string(), OF: z.int(), SHARDS: z.string() }),
  jobs: z.strictObject({ shard: ACTIONS_JOB, merge: ACTIONS_JOB }),
});

test('a matrix of GitHub Actions searches its shards, and hands them to the job that merges them', async () => {
  const { env, jobs } = WORKFLOW.parse(parse(textOf('github-actions.yml')));
  const { shard, merge } = jobs;
  const matrix = shard.strategy!.matrix.shard;
  expect(matrix).toEqual(Array.from({ length: env.OF }, (_, i) => i + 1));
  const runs = (steps: typeof shard.steps) =>
    steps.flatMap(({ run }) => (run === undefined || run === 'npm ci' ? [] : [run])).join('\n');
  const used = (steps: typeof shard.steps, action: string) =>
    steps.find(({ uses }) => uses?.includes(action));
  const [up, down] = [used(shard.steps, 'upload-artifact'), used(merge.steps, 'download-artifact')];
  expect([up?.with?.['path'], down?.with?.['path']]).toEqual([env.SHARDS, env.SHARDS]);
  expect([up?.if, merge.if, merge.needs]).toEqual(['always()', 'always()', 'shard']);
  const own = given('actions');
  const shards = matrix
    .slice(0, OF)
    .flatMap((n) => called(runs(shard.steps).replaceAll(/\$\{\{ matrix\.shard \}\}/g, `${n}`), own));
  const [words = []] = called(runs(merge.steps), own);
  expect(words.slice(-2)).toEqual(['--format', 'github']);
  await expectWhole(shards, words.slice(0, -2));
});

describe('a shell', () => {
  test.each(['slurm.sh', 'xargs.sh'])('reads %s', (name) => {
    const { status, stderr } = spawnSync('bash', ['-n', join(TOP, 'examples/many-machines', name)]);
    expect([status, `${stderr}`]).toEqual([0, '']);
  });

  test('an array of Slurm searches its shards, and a later job merges them', async () => {
    const text = textOf('slurm.sh');
    expect(text).toContain('#SBATCH --array=1-16\n');
    expect(text).toMatch(/^OF=.*-16\}$/m);
    const env = given('slurm');
    const shards = Array.from({ length: OF }, (_, i) =>
      called(text, { ...env, SLURM_ARRAY_TASK_ID: `${i + 1}` }),
    ).flat();
    const [, wrapped = ''] = /--wrap='(.*?)'/.exec(text) ?? [];
    const [merge = []] = called(wrapped, env);
    expect(merge).toEqual(['merge', 'shards']);
    await expectWhole(shards, ['merge', env['SHARDS']!]);
  });

  test('xargs searches the shards on one machine, and merges them at the end', async () => {
    const calls = called(textOf('xargs.sh'), given('xargs'));
    await expectWhole(calls.slice(0, -1), calls.at(-1)!);
  });
});
