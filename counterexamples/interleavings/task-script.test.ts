import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { pairs } from '../../checker/interleavings/family.ts';
import type { Schedule } from '../../checker/interleavings/schedule.ts';
import { callOf, hitOf } from '../../properties/observed/sample-call.ts';
import type { CallerScript, Scenario } from '../../properties/observed/scenario.ts';
import { TASK_PLANTED } from '../../properties/planted/interleavings/all.ts';
import { THOROUGH } from '../../test/thorough.ts';
import type { TaskTrace } from './task-trace.ts';
import { parseTaskTrace, printTaskTrace } from './task-trace.ts';

const REST = {
  law: 'task/a-law',
  planted: undefined,
  known: undefined,
  found: 'by hand',
  report: '  replay x',
};

function traceOf(schedule: Schedule): TaskTrace {
  return { ...REST, schedule };
}

/** The setup, and the clients' calls. */
const BASES: readonly Scenario[] = TASK_PLANTED.map(({ profile, scenario }) => ({ profile, ...scenario }));

function scriptsFor({ functions, tracepoints = [] }: Scenario): fc.Arbitrary<CallerScript> {
  const makers = [
    ...functions.filter(({ nesting }) => nesting !== 'dispatcher').map((fn) => callOf.bind(null, fn)),
    ...tracepoints.map((tracepoint) => hitOf.bind(null, tracepoint)),
  ];
  const call = fc.tuple(fc.constantFrom(...makers), fc.nat(7)).map(([make, salt]) => {
    const { do: _, ...request } = make(salt);
    return request;
  });
  return fc.record(
    {
      call,
      idle: fc.constant(true),
      interrupt: call,
      startsAt: fc.record({
        place: fc.constantFrom('prog#1', 'body_hook', 'tramp#1+0x4'),
        condition: fc.constantFrom('asleep' as const, 'preempted' as const),
      }),
    },
    { requiredKeys: ['call'] },
  );
}

const drawn: fc.Arbitrary<Schedule> = fc.constantFrom(...BASES).chain((base) =>
  fc.record(
    {
      scenario: fc
        .record(
          {
            callers: fc.array(scriptsFor(base), { maxLength: 8 }),
            cpus: fc.integer({ min: 1, max: 8 }),
            retries: fc.constant(true),
          },
          { requiredKeys: ['callers', 'cpus'] },
        )
        .map((more) => ({ ...base, ...more })),
      grain: fc.constant('instruction' as const),
      runs: fc.constant([{ actor: 'client#1', does: 'runs', steps: 3, to: 'its end, 0' }]),
    },
    { requiredKeys: ['scenario', 'runs'] },
  ),
);

describe('scripts and schedules are read back as they were printed', () => {
  test('whatever is drawn', () => {
    fc.assert(
      fc.property(drawn, (schedule) => {
        const text = printTaskTrace(traceOf(schedule));
        expect(parseTaskTrace(text)).toEqual(traceOf(schedule));
        expect(printTaskTrace(parseTaskTrace(text))).toBe(text);
      }),
      { seed: 1, numRuns: THOROUGH ? 500 : 100 },
    );
  });

  test('all of the family', () => {
    for (const { scenario } of pairs('6.12', 2, 2)) {
      const trace = traceOf({ scenario, runs: [{ actor: 'task#1', does: 'sleeps', steps: 0, to: '' }] });
      expect(parseTaskTrace(printTaskTrace(trace))).toEqual(trace);
    }
  });
});

test('everything that a task can be is said before its call', () => {
  const [base] = BASES;
  const call = { fn: 'f1', registers: [], stack: [] };
  const scenario: Scenario = {
    ...base!,
    callers: [{ call, idle: true, startsAt: { place: 'prog#1', condition: 'asleep' }, interrupt: call }],
    retries: true,
  };
  const text = printTaskTrace(traceOf({ scenario, runs: [], grain: 'instruction' }));
  expect(text).toContain('\nretries  after EAGAIN\ngrain    instruction\n\n');
  expect(text).toContain('\ntask#1 (idle; asleep at prog#1; interrupted by f1(0x0)): f1(0x0)\n');
});

describe('what cannot be read is named with its line', () => {
  const text = printTaskTrace(
    traceOf({ scenario: BASES[0]!, runs: [{ actor: 'task#1', does: 'sleeps', steps: 0, to: '' }] }),
  );
  const line = text.split('\n').findIndex((name) => name.startsWith('task#1: ')) + 1;

  test.each([
    [
      'task#1 (dreaming): ',
      ', column 9: "dreaming" says nothing of a task; there are idle, asleep at PLACE, ',
    ],
    ['task#1 (idle; idle): ', ', column 9: "idle": that is said twice of task#1'],
    ['task#1 (interrupted by nothing(0x1)): ', ', column 24: nothing is not declared as a function'],
    ['task#1 (asleep): ', ', column 9: "asleep" says nothing of a task; '],
    ['task#1 (): ', ', column 1: "task#1 ()" is not an actor; write task#1: f1(0x1)'],
  ])('%s', (script, why) => {
    const damaged = text.replace(/^task#1: /m, script);
    expect(() => parseTaskTrace(damaged)).toThrow(`line ${line}${why}`);
  });

  test.each([
    ['retries  never', 'retries never is not known; there are after EAGAIN'],
    ['grain    coarse', 'grain coarse is not known; there are instruction'],
  ])('%s', (field, why) => {
    expect(() => parseTaskTrace(text.replace(/^cpus/m, `${field}\ncpus`))).toThrow(why);
  });
});
