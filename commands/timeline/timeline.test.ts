import { describe, expect, test } from 'vitest';
import { readText } from '../../conformance/files.ts';
import { EXIT } from '../../counterexamples/answer.ts';
import { traceKind } from '../../counterexamples/trace-kind.ts';
import { attachcheck } from '../../test/console.ts';
import { scratch } from '../../test/scratch.ts';
import { someOf } from '../../test/thorough.ts';
import { COMBINATIONS, flaws, INTERLEAVINGS, SAVED, SEQUENCES, slicesOf } from '../../test/timelines.ts';
import { playInterleaving } from '../explain/played-interleaving.ts';
import { interleavingTimeline } from './interleaving-timeline.ts';
import { MOVE, Timeline } from './timeline.ts';
import { printTimeline, timelineOf } from './timeline-of.ts';

const OTHERS = [...SEQUENCES, ...COMBINATIONS];

describe('timelines of saved interleavings', () => {
  test('are well-formed, and have each move once, in order', () => {
    for (const { path, text } of someOf(INTERLEAVINGS, 8)) {
      const interleaving = playInterleaving(text);
      const { played, diverged } = interleaving;
      const document = interleavingTimeline(interleaving);
      expect(flaws(document), path).toEqual([]);
      expect(diverged, path).toBeUndefined();
      const moves = slicesOf(document.traceEvents).filter(({ cat }) => cat === 'move');
      expect(
        moves.map(({ ts, dur, args }) => [ts, dur, args['move'], args['actor'], args['to']]),
        path,
      ).toEqual(played.map(({ turn, to }, i) => [i * MOVE, MOVE, i + 1, turn.actor, to]));
    }
    expect(INTERLEAVINGS.length).toBeGreaterThan(100);
  });

  test('show the breach, each lock that is held between moves, and each grace period', () => {
    for (const { path, text } of someOf(INTERLEAVINGS, 24)) {
      const { traceEvents } = timelineOf(text);
      const breaches = traceEvents.filter((event) => event.ph === 'i' && event.s === 'g');
      expect(
        breaches.map(({ name }) => name),
        path,
      ).toEqual([`✗ ${/^law +(\S+)/m.exec(text)?.[1]}`]);
      const tracks = traceEvents.flatMap((event) => (event.ph === 'M' ? [String(event.args['name'])] : []));
      const { space, played } = playInterleaving(text);
      const states = played.flatMap(({ after }) => (after === undefined ? [] : [after]));
      const locks = new Set(states.flatMap((state) => Object.keys(space!.kernelOf(state).locks)));
      const waits = new Set(
        states.flatMap((state) => space!.worksOf(state).flatMap(({ waits }) => waits ?? [])),
      );
      for (const lock of locks) expect(tracks, path).toContain(lock);
      for (const wait of waits)
        expect(
          tracks.some((track) => track.startsWith(`${wait}, for work`)),
          path,
        ).toBe(true);
    }
  });
});

test('timelines of sequences and of attach combinations are well-formed', () => {
  const read = someOf(OTHERS, 12);
  for (const { path, text } of read) {
    const document = timelineOf(text);
    expect(flaws(document), path).toEqual([]);
    expect(slicesOf(document.traceEvents).length, path).toBeGreaterThan(0);
  }
  expect(read.length).toBeGreaterThan(25);
});

const TORN = 'counterexamples/corpus/task/no-unhandled-breakpoint.batch-is-not-sorted.trace';

test('an int3 that a task fetches has an arrow from the step that writes it', () => {
  const fetching = INTERLEAVINGS.filter(({ text }) => / fetches int3/.test(text));
  const arrows = fetching.filter(({ text }) =>
    timelineOf(text).traceEvents.some((event) => event.ph === 's' && event.name === 'int3'),
  );
  expect(fetching.length).toBeGreaterThan(3);
  const without = fetching.filter((own) => !arrows.includes(own));
  // There the setup has armed the kprobe, before any move.
  expect(without.map(({ path }) => path)).toEqual([
    'counterexamples/corpus/task/no-unhandled-breakpoint.kprobe-is-disarmed-without-a-sync.trace',
  ]);
});

test('slices that cross, ends without a slice and tracks without a name are noticed', () => {
  const on = { group: 'a', track: 'b' };
  const timeline = new Timeline(['a']);
  timeline.slice(on, { name: 'x', cat: 'c', from: 0, to: 5 });
  timeline.slice(on, { name: 'y', cat: 'c', from: 3, to: 7 });
  timeline.arrow('z', { ...on, ts: 1 }, { ...on, ts: 9 });
  const document = timeline.document({});
  expect(flaws(document)).toEqual(['y crosses the end of x', 'an end of z is in no slice']);
  const unnamed = document.traceEvents.filter(({ ph }) => ph === 'X');
  expect(flaws({ ...document, traceEvents: unnamed })).toContain('x has no track');
});

describe('--trace', () => {
  const { path: pathOf } = scratch();

  test('writes the same bytes for a saved trace, whichever command reads it', async () => {
    const path = someOf(INTERLEAVINGS, 40)[0]!.path;
    const explained = await attachcheck(['explain', path, '--trace', pathOf('a.json')]);
    const replayed = await attachcheck(['replay', path, '--trace', pathOf('b.json')]);
    expect([explained.exit, replayed.exit]).toEqual([EXIT.HELD, EXIT.BROKEN]);
    expect(explained.stderr).toBe(`saved ${pathOf('a.json')}\n`);
    const written = readText(pathOf('a.json'));
    expect(readText(pathOf('b.json'))).toBe(written);
    expect(JSON.parse(written)).toEqual(JSON.parse(printTimeline(timelineOf(readText(path)))));
  });

  test('of a search shows the breach that it found, or says that there is none', async () => {
    const found = await attachcheck([
      'explore',
      '--planted',
      'no-sync-after-int3',
      '--trace',
      pathOf('c.json'),
    ]);
    expect(found.stderr).toContain(`saved ${pathOf('c.json')}\n`);
    expect(readText(pathOf('c.json'))).toContain('✗ task/no-torn-instruction');
    const held = await attachcheck([
      'explore',
      'docs/examples/kretprobe.scenario',
      '--trace',
      pathOf('d.json'),
    ]);
    expect(held.stderr).toContain(`attachcheck: ${pathOf('d.json')} is not written: no breach was found\n`);
  });

  test.each([
    [['replay', TORN, TORN, '--trace', 'a.json'], '--trace is for one trace, and there are 2'],
    [['explain', TORN, '--trace', 'gone/a.json'], '--trace gone/a.json: there is no gone'],
    [['explain', TORN, '--trace', 'model'], '--trace model: it is a directory'],
    [
      ['replay', SAVED.find(({ text }) => traceKind(text) === 'history')!.path, '--trace', 'a.json'],
      '--trace: a history in two kernels has no timeline, which is of one',
    ],
  ])('what it cannot do is one sentence: %j', async (args, sentence) => {
    const { exit, stdout, stderr } = await attachcheck(args);
    expect(stderr).toContain(sentence);
    expect(stdout).toBe('');
    expect(exit).toBe(EXIT.USAGE);
  });
});
