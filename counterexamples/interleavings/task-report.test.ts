import { beforeAll, describe, expect, test } from 'vitest';
import { concretePath } from '../../checker/interleavings/concrete.ts';
import { runsOf } from '../../checker/interleavings/schedule.ts';
import { explore } from '../../checker/interleavings/search.ts';
import { Space } from '../../checker/interleavings/space.ts';
import { TASK_PLANTED } from '../../properties/planted/interleavings/all.ts';
import { plantedKernel } from '../../properties/planted/kernel.ts';
import { sources } from '../../test/sources.ts';
import { CORPUS } from '../corpus-folder.ts';
import { LINES_MOST } from '../sequences/attach-report.ts';
import { WIDTH } from '../text.ts';
import { describeTask } from './task-describe.ts';
import { BREADTH_FIRST } from './task-report.ts';

const SAVED = sources('.trace').filter(({ path }) => path.startsWith(`${CORPUS}/task/`));

test.each(SAVED)('the report of $path has at most forty lines', ({ text }) => {
  const lines = text.trimEnd().split('\n');
  const report = lines.slice(lines.indexOf('-'.repeat(WIDTH)) + 1);
  expect(report.length).toBeLessThanOrEqual(LINES_MOST);
});

/** The owner of a trampoline and a live patch wait for each other's lock. */
const PLANTED = TASK_PLANTED.find(({ name }) => name === 'peer-waits-for-the-trampoline')!;

describe('the report of those who wait for each other', () => {
  let lines: string[];
  beforeAll(() => {
    const { law, profile } = PLANTED;
    const scenario = { ...PLANTED.scenario, profile };
    const space = new Space(scenario, { program: plantedKernel(PLANTED) });
    const [found] = explore(space, { laws: [law] }).breaches;
    const schedule = { scenario, runs: runsOf(concretePath(space, found!.path)) };
    const outcome = describeTask(schedule, law, { planted: PLANTED, known: undefined, found: BREADTH_FIRST });
    if (outcome.is !== 'broken') throw new Error(`it is not stuck again: ${outcome.is}`);
    lines = outcome.counterexample.trace.report.split('\n');
  });

  test('has a line for each of them', () => {
    const index = lines.findIndex((line) => line.startsWith('  observed   '));
    expect(lines.slice(index, index + 3)).toMatchInlineSnapshot(`
      [
        "  observed   client#1 waits for direct_mutex, which client#2 holds",
        "             client#2 waits for mutex of tr(f1), which client#1 holds",
        "",
      ]
    `);
  });

  test('draws how each came to hold what the other waits for', () => {
    const index = lines.findIndex((line) => line.startsWith('  client#1: '));
    expect(
      lines.slice(
        index,
        lines.findIndex((line) => line.startsWith('  expected')),
      ),
    ).toMatchInlineSnapshot(`
      [
        "  client#1: link#1 =                    client#2:",
        "    BPF_RAW_TRACEPOINT_OPEN(prog#1)       register_ftrace_function(ops#1)",
        "  -----------------------------------   ----------------------------------------",
        "  … 1 step, then __bpf_trampoline_link_prog: enter the list;",
        "    bpf_trampoline_update: keep the flags, choose the flags, generate the image",
        "    takes mutex of tr(f1)",
        "                                        register_ftrace_function: lock",
        "                                          direct_mutex",
        "                                          takes direct_mutex",
        "                                        prepare_direct_functions_for_ipmodify:",
        "                                          find the direct ops",
        "  ✗ waits for direct_mutex",
        "                                        ✗ waits for mutex of tr(f1)",
        "",
        "  cycle      client#1 → direct_mutex → client#2 → mutex of tr(f1) → client#1",
        "",
      ]
    `);
  });

  test('fits on a page', () => {
    expect(lines.length).toBeLessThanOrEqual(LINES_MOST);
    const isPath = (line: string) => /^ {4}\S+\.trace$/.test(line);
    expect(lines.filter((line) => line.length > WIDTH && !isPath(line))).toEqual([]);
  });
});
