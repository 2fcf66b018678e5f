import { describe, expect, test } from 'vitest';
import { parseTaskTrace } from '../../counterexamples/interleavings/task-trace.ts';
import { ALL_TASK_LAWS } from '../../properties/task-laws.ts';
import { sources } from '../../test/sources.ts';
import { someOf } from '../../test/thorough.ts';
import { fetchesStale, stagingOf, stopsOf, whyUnbroken } from './staging.ts';
import { directionLines } from './words.ts';

const SAVED = sources('.trace')
  .filter(({ path, text }) => path.includes('/task/known/') && /^kernel {3}(6\.1|6\.12|7\.2)$/m.test(text))
  .map(({ path, text }) => ({ path, trace: parseTaskTrace(text) }));

function saved(name: string) {
  const { trace } = SAVED.find(({ path }) => path.endsWith(`/${name}.trace`))!;
  return { schedule: trace.schedule, law: lawOf(trace.law) };
}

function lawOf(named: string) {
  return ALL_TASK_LAWS.find(({ name }) => name === named)!;
}

describe('the fewest stops', () => {
  test.each(someOf(SAVED, 12))('$path breaks its law by directions alone', ({ trace }) => {
    const staging = stagingOf(trace.schedule, lawOf(trace.law));
    expect(staging?.breach.law.name).toBe(trace.law);
    expect(stopsOf(staging!).length).toBeLessThanOrEqual(3);
    expect(staging!.directions.filter(fetchesStale)).toEqual([]);
  });

  test('what a CPU fetches is part of it where a schedule breaks nothing with what is in memory', () => {
    const { schedule, law } = saved(
      'filter-of-a-trampoline-that-failed-to-detach-is-freed-while-it-is-read.6.12',
    );
    const known = [
      'text_poke_bp_batch: sync after int3',
      'ftrace_regs_caller+0xb5',
      'arch_ftrace_ops_list_func: read the hashes',
    ];
    const rate = (place: string) => (known.includes(place) ? 'known' : 'unknown');
    const staging = stagingOf(schedule, law, rate)!;
    expect(staging.directions.filter(fetchesStale)).toHaveLength(1);
    expect(directionLines(staging)).toContain(
      'task#1 fetches call ftrace_regs_caller, and is stopped at ftrace_regs_caller+0xb5',
    );
  });

  test('a call is stopped once, and its client not at all, where the shortest schedule stops both', () => {
    const { schedule, law } = saved('only-user-of-graph-loses-a-call.6.12');
    expect(directionLines(stagingOf(schedule, law)!)).toEqual([
      'task#1 is stopped at function_graph_enter_regs: read fgraph_direct_gops',
      'client#1 runs as far as it gets',
      'task#1 runs as far as it gets',
    ]);
  });

  test('a task that is where it begins is not stopped again', () => {
    const { schedule, law } = saved('retired-image-loses-exits.6.12');
    expect(directionLines(stagingOf(schedule, law)!)).toEqual([
      'task#1 is asleep at body_hook',
      'client#1 runs as far as it gets',
      'task#1 runs as far as it gets',
    ]);
  });

  test('a client that has another call to make waits with it', () => {
    const { schedule, law } = saved(
      'filter-of-an-fprobe-that-ftrace-died-over-is-freed-while-it-is-read.6.12',
    );
    expect(directionLines(stagingOf(schedule, law)!)).toEqual([
      'client#1 is stopped at __unregister_ftrace_function: unlink the ops',
      'task#1 is stopped at arch_ftrace_ops_list_func: load the hashes of the ops',
      'client#1 runs until its call has ended',
      'task#1 runs as far as it gets',
    ]);
  });

  test('the end of a call in the middle of a script is none of the script', () => {
    const { schedule, law } = saved('ftrace-dies-of-a-trampoline-that-failed-to-detach.6.12');
    expect(schedule.runs.filter(({ actor, to }) => actor === 'client#1' && to === 'its end, 0')).toHaveLength(
      1,
    );
    expect(stagingOf(schedule, law)?.breach.law).toBe(law);
  });

  test('a better-known place of the same actor is taken, that it reaches afterwards', () => {
    const { schedule, law } = saved('exit-handler-of-another-fprobe.7.2');
    const rate = (place: string) => (place === 'body_hook' ? 'known' : 'unknown');
    expect(stopsOf(stagingOf(schedule, law, rate)!)).toMatchObject([
      { actor: 'task#1', stop: { at: 'body_hook', visits: 1 } },
    ]);
  });

  test('a place that others wait for is left for one further on', () => {
    const { schedule, law } = saved('kprobe-is-not-armed-beside-a-busy-trampoline.7.2');
    const rate = (place: string) => (place.startsWith('text_poke_bp_batch') ? 'dear' : 'known');
    const stops = stopsOf(stagingOf(schedule, law, rate)!);
    expect(stops).toHaveLength(1);
    expect(stops).toMatchObject([
      { actor: 'client#2', stop: { at: expect.not.stringContaining('text_poke_bp_batch') } },
    ]);
  });

  test('without its breach a schedule has none', () => {
    const { schedule, law } = saved('only-user-of-graph-loses-a-call.6.12');
    expect(stagingOf({ ...schedule, runs: [] }, law)).toBeUndefined();
    expect(whyUnbroken({ ...schedule, runs: [] })).toBe('the schedule breaks no law of the model');
  });

  test('where the model does not follow a schedule, that place is the reason', () => {
    const { schedule, law } = saved('only-user-of-graph-loses-a-call.6.12');
    const runs = schedule.runs.map((run, i) => (i === 1 ? { ...run, steps: run.steps - 1 } : run));
    expect(stagingOf({ ...schedule, runs }, law)).toBeUndefined();
    expect(whyUnbroken({ ...schedule, runs })).toMatch(
      /^the model parts from it: run 2, "task#1 runs on cpu 0/,
    );
  });
});
