import { describe, expect, test } from 'vitest';
import type { Answer } from '../../counterexamples/answer.ts';
import { EXIT } from '../../counterexamples/answer.ts';
import { withWholeCommands } from '../../test/console.ts';
import { scratch } from '../../test/scratch.ts';
import { replayText } from '../replay/replay.ts';
import type { ExploreOptions } from './explore.ts';
import { startExploring } from './explore.ts';
import type { ExploreLine } from './explore-options.ts';
import { explorationFor, IN_ONE_WORKER, randomSearchFor } from './explore-options.ts';

const LINE: ExploreLine = { kernel: '6.12', workers: '1', seed: '1' };

/** A whole exploration, or what it is refused with. */
function explored(line: Partial<ExploreLine>, how: Partial<ExploreOptions> = {}): Promise<Answer> {
  const job = startExploring(explorationFor({ ...LINE, ...line }), { ...IN_ONE_WORKER, ...how });
  const toItsEnd = async () => {
    for (;;) {
      const step = await job.next(false);
      if (step.done === true) return step.value;
    }
  };
  return toItsEnd();
}

function flat(text: string): string {
  return text.replace(/\s+/g, ' ');
}

const { path } = scratch();

describe('an exploration with a bound on preemptions', () => {
  test('claims no more than that', async () => {
    const line = { only: 'register f1, unregister f2', law: 'task/probes-see-old-or-new' };
    const answer = await explored({ ...line, preemptions: '1' });
    expect(flat(answer.text)).toMatch(/explored to the end with at most 1 preemption 6\.12$/);
    expect(answer.json).toMatchObject({ preemptions: 1, scenarios: [{ end: 'preemptions' }] });
    expect(answer.exit).toBe(EXIT.HELD);
    expect(answer.verdict?.next).toEqual({ options: { '--preemptions': '2' } });
    const all = await explored({ ...line, preemptions: '1000' });
    const whole = await explored(line);
    expect(all.json).toMatchObject({ scenarios: [{ end: 'complete' }] });
    const sizes = ({ json }: Answer) =>
      (json as { scenarios: { states: number; transitions: number }[] }).scenarios.map(
        ({ states, transitions }) => [states, transitions],
      );
    expect(sizes(all)).toEqual(sizes(whole));
  });

  test('is the same for any number of workers, and resumed', async () => {
    const line = { only: 'register f1, register f1', cpus: '2', preemptions: '2' };
    const checkpoint = path('bounded');
    const answer = await explored(line);
    expect(await explored(line, { workers: 2, checkpoint })).toEqual(answer);
    expect(await explored(line, { resume: checkpoint })).toEqual(answer);
    expect(() => explored({ ...line, preemptions: '1' }, { resume: checkpoint })).toThrow(
      'this checkpoint is of an exploration with other bounds',
    );
  });

  test('shows a planted bug with the fewest preemptions, and says how to find it again', async () => {
    const line = { planted: 'no-sync-after-int3', preemptions: '3' };
    const { text, exit, save } = await explored(line);
    expect(exit).toBe(EXIT.BROKEN);
    expect(flat(text)).toContain('not proved: schedules with fewer preemptions come first');
    expect(withWholeCommands(text)).toContain('explore --planted no-sync-after-int3 --preemptions 3');
    expect(save.map((saved) => replayText(saved.text).kind)).toEqual(['same']);
    const none = await explored({ ...line, preemptions: '0' });
    expect(none.exit).toBe(EXIT.INCONCLUSIVE);
  });

  test('has a bound on moves or one on preemptions, and draws with neither', () => {
    expect(() => explored({ preemptions: '1', depth: '5' })).toThrow('it excludes --depth');
    expect(() => randomSearchFor({ ...LINE, random: '2', preemptions: '1' })).toThrow(
      '--preemptions bounds an exploration: --random draws its schedules',
    );
  });
});
