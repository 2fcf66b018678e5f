import { describe, expect, test } from 'vitest';
import { EXIT } from '../../counterexamples/answer.ts';
import { stagingOf } from '../../kernels/schedule/staging.ts';
import type { ShownSchedule } from '../../kernels/schedule/verdict.ts';
import { answerOf } from '../../test/job-answer.ts';
import { schemaProblems, shapeDifferences } from '../../test/shape.ts';
import { sources } from '../../test/sources.ts';
import type { ScheduledKernel } from './run-schedules.ts';
import { listedSchedules, runSchedules } from './run-schedules.ts';

const TRACE = sources('.trace').find(({ path }) =>
  path.endsWith('/only-user-of-graph-loses-a-call.6.12.trace'),
)!;

const SHAPE = JSON.parse(/^```json kernelSchedule\n(.*?)^```$/ms.exec(sources('docs/json.md')[0]!.text)![1]!);

const RECORDED = { name: '6.12', profile: '6.12', isOwn: false } as const;
const OWN = { name: '6.12.200-mine', profile: '6.12', isOwn: true } as const;

function ran(shown: ShownSchedule, text = TRACE.text, kernel: ScheduledKernel = RECORDED) {
  const job = runSchedules(kernel, [{ path: 'a.trace', text }], (schedule, law) => ({
    shown,
    staging: stagingOf(schedule, law),
  }));
  return answerOf(job);
}

describe('a schedule on a kernel', () => {
  test('that shows the breach is held: the kernel does what the model says', () => {
    const { exit, parts, text, json } = ran({ is: 'shown', kernel: ['body f1'] });
    expect(exit).toBe(EXIT.HELD);
    expect(parts).toContain('✓ a.trace');
    expect(parts).toContain('task#1 is stopped at function_graph_enter_regs: read fgraph_direct_gops');
    expect(parts).toContain('kernel  body f1');
    expect(text).toContain('of 1 schedule, 1 shown');
    expect(shapeDifferences(SHAPE, json)).toEqual([]);
    expect(schemaProblems('kernelSchedule', JSON.parse(JSON.stringify(json)))).toEqual([]);
  });

  test.each<[ShownSchedule, number, string]>([
    [{ is: 'runs on' }, EXIT.HELD, 'the kernel runs on'],
    [{ is: 'differs', kernel: ['a'], model: ['b'] }, EXIT.BROKEN, 'model   b'],
    [{ is: 'not stopped', why: 'task#1 does not get to x' }, EXIT.BROKEN, 'another way'],
    [{ is: 'not run', why: 'tracepoints' }, EXIT.INCONCLUSIVE, 'not run: tracepoints'],
  ])('$is', (shown, exit, words) => {
    const answer = ran(shown);
    expect(answer.exit).toBe(exit);
    expect(answer.parts).toContain(words);
  });

  test('has the first lines of a long console, and how many more there are', () => {
    const kernel = Array.from({ length: 60 }, (_, i) => `Oops #${i + 1}`);
    const { parts, json } = ran({ is: 'shown', kernel });
    expect(parts).toContain('kernel  Oops #8\n    kernel  … 52 lines more\n');
    expect(json).toMatchObject({ schedules: [{ answers: kernel }] });
    expect(ran({ is: 'shown', kernel: kernel.slice(0, 9) }).parts).toContain('kernel  Oops #9');
  });

  test.each([
    ['it is of 7.2', TRACE.text.replace('kernel   6.12', 'kernel   7.2')],
    ['it is of a kernel that is modified', TRACE.text.replace('6.12', '6.12, linkPut = at once')],
    ['it is no saved interleaving', 'kernel 6.12\n'],
    ['it is of a model with a planted bug', TRACE.text.replace('found ', 'planted  x\nfound ')],
    ['no law on interleavings', TRACE.text.replace('task/probes-see-old-or-new', 'task/none')],
  ])('is not run: %s', (why, text) => {
    const { json, exit } = ran({ is: 'shown', kernel: [] }, text);
    expect(JSON.stringify(json)).toContain(why);
    expect(exit).toBe(EXIT.INCONCLUSIVE);
  });

  test.each<[ShownSchedule, number, string]>([
    [{ is: 'shown', kernel: ['body f1'] }, EXIT.BROKEN, 'this kernel shows the breach'],
    [{ is: 'differs', kernel: ['a'], model: ['b'] }, EXIT.HELD, 'this kernel does not show the breach'],
    [{ is: 'differs', kernel: ['Oops'], model: ['b'], hasCrashed: true }, EXIT.BROKEN, 'kernel  Oops'],
    [{ is: 'not stopped', why: 'task#1 does not get to x' }, EXIT.INCONCLUSIVE, 'another way'],
  ])('on a user’s kernel: $is', (shown, exit, words) => {
    const answer = ran(shown, TRACE.text, OWN);
    expect(answer.exit).toBe(exit);
    expect(answer.parts).toContain(words);
  });

  test('of a damaged file is refused, with its name, before any is run', () => {
    expect(() => ran({ is: 'runs on' }, TRACE.text.replace('cpus     1', 'cpus     1\ncpus'))).toThrow(
      /^a\.trace: line \d+/,
    );
  });

  test('there is one for every listed interleaved breach of a kernel', () => {
    expect(listedSchedules('6.12').length).toBeGreaterThan(20);
    expect(listedSchedules('7.3').map(({ path }) => path)).toContainEqual(
      expect.stringContaining('session-sees-only-the-return.7.2'),
    );
  });
});
