import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Answer } from '../../counterexamples/answer.ts';
import { EXIT } from '../../counterexamples/answer.ts';
import { THOROUGH } from '../../test/thorough.ts';
import { replayText } from '../replay/replay.ts';
import type { ExploreOptions, WaitingJob } from './explore.ts';
import { startExploring } from './explore.ts';
import type { ExploreLine } from './explore-options.ts';
import { explorationFor, IN_ONE_WORKER } from './explore-options.ts';

const LINE: ExploreLine = {
  kernel: '6.12',
  cpus: '1',
  tasks: '3',
  operations: '2',
  workers: '1',
  schedules: '20',
  seed: '1',
};

/** Some that have a say where two clients register, and one that has none. */
const LAWS = 'task/no-torn-instruction, task/no-call-to-a-freed-program, ftrace/record-counts-match-ops';

/** Drives a job to its end; it is interrupted after some lines of progress. */
async function drive(job: WaitingJob, lines = Number.POSITIVE_INFINITY): Promise<Answer> {
  for (let told = 0; ; told++) {
    const step = await job.next(told > lines);
    if (step.done === true) return step.value;
  }
}

function explored(line: Partial<ExploreLine>, how: Partial<ExploreOptions> = {}): WaitingJob {
  return startExploring(explorationFor({ ...LINE, ...line }), { ...IN_ONE_WORKER, ...how });
}

/** A text without its line breaks. */
function flat(text: string): string {
  return text.replace(/\s+/g, ' ');
}

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'attachcheck-'));
});
afterAll(() => rmSync(folder, { recursive: true }));

describe('an exploration', () => {
  test('says what held, in how many moves, and within which bound', async () => {
    const { text, verbose, exit } = await drive(
      explored({ only: 'register f1 then unregister, register f1', operations: '3', law: LAWS }),
    );
    expect(text).toMatchInlineSnapshot(`
      "? interleavings    1 scenario, 3,970 states, explored to the end            6.12
      ? vacuous          task/no-call-to-a-freed-program"
    `);
    expect(verbose).toMatchInlineSnapshot(`
      "? interleavings    1 scenario, 3,970 states, explored to the end            6.12
      ? vacuous          task/no-call-to-a-freed-program
        ✓ task/no-torn-instruction
            exercised in 1.3 % of moves (an instruction fetched while it is being
            patched)
        ? task/no-call-to-a-freed-program                 vacuous
            never met: a program freed during a call
        ✓ ftrace/record-counts-match-ops
            checked in 2 final states (an ops tracing a function)
        6.12: 1 of 1 scenario with register f1 then unregister, register f1, 3
        operations, 1 call, 1 cpu: 3,970 states, 9,855 moves, to depth 99; 1 explored
        to the end

        kernel   6.12
        cpus     1

        f1 = function(u64 -> u64)
        f2 = function(u64 -> u64)
        ops#1 = ftrace_ops(DIRECT)
        ftrace_set_filter_ip(ops#1, f1)
        ops#2 = ftrace_ops(DIRECT)
        ftrace_set_filter_ip(ops#2, f1)
        client#1: register_ftrace_direct(ops#1, my_tramp1)
        client#1: unregister_ftrace_direct(ops#1, my_tramp1, true)
        client#2: register_ftrace_direct(ops#2, my_tramp2)
        task#1: f1(0x1001)"
    `);
    expect(exit).toBe(EXIT.INCONCLUSIVE);
  });

  test('of three operations lets one client continue, or has three clients', () => {
    const of = (tasks: string) =>
      explorationFor({ ...LINE, tasks, operations: '3', only: 'register f1, modify f2' }).scenarios;
    const clients = (tasks: string) =>
      of(tasks).map(({ scenario }) => scenario.clients.map(({ length }) => length));
    expect(clients('2')).toEqual([[2, 1]]);
    expect(new Set(clients('3').map(String))).toEqual(new Set(['2,1', '1,1,1']));
    expect(
      new Set(of('4').map(({ scenario: { clients, callers } }) => clients.length + callers.length)),
    ).toEqual(new Set([4]));
  });

  test('gives the same answer for any number of workers', async () => {
    const { kernel: _, ...everywhere } = {
      ...LINE,
      only: THOROUGH ? 'register f1, live patch on f1' : 'register f1, register f1',
    };
    const explored = (how: Partial<ExploreOptions>) =>
      startExploring(explorationFor(everywhere), { ...IN_ONE_WORKER, ...how });
    const answer = await drive(explored({}));
    expect(await drive(explored({ workers: 2 }))).toEqual(answer);
    expect(answer.verbose).toMatch(/6\.1, sleepableTargets = true: 1 of 1 scenario/);
    expect(answer.verbose).toMatch(/7\.2: 1 of 1 scenario/);
  });

  test('finds a planted bug, and the file that it saves shows it again', async () => {
    const { text, exit, save } = await drive(explored({ planted: 'no-sync-after-int3' }));
    expect(exit).toBe(EXIT.BROKEN);
    expect(text).toMatch(/^✗ task\/no-torn-instruction/);
    expect(save.map((saved) => replayText(saved.text).kind)).toEqual(['same']);
  });

  test('names known breaches, and is not broken by them', async () => {
    const line = { only: 'attach f1, detach f1', law: 'task/probes-see-old-or-new', depth: '52' };
    const { text, verbose, exit } = await drive(explored(line));
    expect(text).toContain('\n  known            1 in interleavings (1 time)');
    expect(verbose).toMatch(
      /^ {2}known task\/probes-see-old-or-new +1 scenario\n {6}retired-image-loses-exits, 6\.12: /m,
    );
    expect(exit).toBe(EXIT.HELD);
  });

  test('of more states than its bound is inconclusive; of more moves it holds to that depth', async () => {
    const line = { only: 'register f1, unregister f2', law: 'task/probes-see-old-or-new' };
    const states = await drive(explored({ ...line, states: '1000' }));
    expect(states.text).toContain('? bound            1 scenario with more states than the bound');
    expect(states.exit).toBe(EXIT.INCONCLUSIVE);
    const depth = await drive(explored({ ...line, depth: '40' }));
    expect(flat(depth.text)).toContain('0 explored to the end or to depth 40');
    expect(depth.exit).toBe(EXIT.HELD);
  });

  test('says which scenarios a kernel does not allow', async () => {
    const search = explorationFor({ ...LINE, only: 'attach f1, attach f1' });
    const noSuchLink = { do: 'close(link)', link: 'link#9' } as const;
    const scenarios = search.scenarios.map(({ name, scenario }) => ({
      name,
      scenario: { ...scenario, setup: [noSuchLink] },
    }));
    const { text } = await drive(startExploring({ ...search, scenarios }, IN_ONE_WORKER));
    expect(flat(text)).toContain('0 explored to the end, 1 not possible in this kernel');
  });
});

describe('an exploration that is interrupted', () => {
  const line = { only: 'register f1 then unregister, unregister f2', operations: '3' };
  const finished = THOROUGH ? line : { only: 'register f1, unregister f2' };
  let checkpoint: string;
  let first: Answer;
  beforeAll(async () => {
    checkpoint = join(folder, 'under-way');
    first = await drive(explored(line, { checkpoint }), 0);
  });

  test('says what was covered, and resumes from its checkpoint to the same end', async () => {
    expect(first.text).toContain('? stopped          1 scenario not explored to the end');
    expect(first.exit).toBe(EXIT.INCONCLUSIVE);
    const whole = await drive(explored(line));
    expect(await drive(explored(line, { resume: checkpoint }))).toEqual(whole);
    expect(whole.text).toContain(' explored to the end');
  });

  test('does not search again what it has finished', async () => {
    const checkpoint = join(folder, 'finished');
    const whole = await drive(explored(finished, { checkpoint }));
    let lines = 0;
    const job = explored(finished, { resume: checkpoint });
    for (let step = await job.next(false); ; step = await job.next(false)) {
      if (step.done === true) {
        expect(step.value).toEqual(whole);
        break;
      }
      lines++;
    }
    expect(lines).toBe(0);
  });

  test('resumes no other exploration, and not from a damaged file', () => {
    expect(() => explored({ ...line, depth: '9' }, { resume: checkpoint })).toThrow(
      'under-way: this checkpoint is of an exploration with other bounds, laws or scenarios',
    );
    const damaged = join(folder, 'damaged');
    writeFileSync(damaged, readFileSync(checkpoint).subarray(0, 999));
    expect(() => explored(line, { resume: damaged })).toThrow('the checkpoint is damaged');
    const bytes = readFileSync(checkpoint);
    for (const byte of [0, 30, 90, 200, bytes.length >> 1, bytes.length - 1]) {
      const flipped = Buffer.from(bytes);
      flipped[byte]! ^= 4;
      writeFileSync(damaged, flipped);
      expect(() => explored(line, { resume: damaged })).toThrow(
        byte < 27 ? 'not a checkpoint of this version' : 'the checkpoint is damaged: its checksum differs',
      );
    }
  });

  test('does not begin when its checkpoint cannot be written', () => {
    expect(() => explored(line, { checkpoint: join(folder, 'no/such/folder') })).toThrow(
      'no/such/folder: the checkpoint cannot be written: ENOENT',
    );
  });
});
