import { describe, expect, test } from 'vitest';
import { EXAMPLES } from '../commands/line/examples.ts';
import { KNOWN_ATTACH } from '../conformance/known/attach-all.ts';
import { KNOWN } from '../conformance/known/known.ts';
import { KNOWN_TASK } from '../conformance/known/task-breaches.ts';
import { headLines } from '../counterexamples/report-frame.ts';
import { labelled, WIDTH } from '../counterexamples/text.ts';
import { ABI_LAWS } from '../properties/abi-laws.ts';
import { ATTACH_LAWS } from '../properties/attach-laws.ts';
import { IMAGE_LAWS } from '../properties/laws.ts';
import { ALL_PLANTED } from '../properties/planted/all.ts';
import { ALL_TASK_LAWS } from '../properties/task-laws.ts';
import { HIT_LAWS, STUB_LAWS } from '../properties/tracepoint-laws.ts';
import { attachcheck } from './console.ts';
import { sources } from './sources.ts';

/** Wider lines, with their origin. */
function wide(lines: readonly string[], origin: string): string[] {
  return lines.filter((line) => line.length > WIDTH).map((line) => `${origin}: ${line}`);
}

describe('80 columns hold', () => {
  const files = sources('.trace').map(({ path, text }) => {
    const lines = text.split('\n');
    const rule = lines.indexOf('-'.repeat(WIDTH));
    return { path, program: lines.slice(0, rule), report: lines.slice(rule + 1) };
  });

  test('in every saved report, except for a path that has its line for itself', () => {
    expect(files.length).toBeGreaterThan(300);
    const isPath = (line: string) => /^ {4}\S+\.trace$/.test(line);
    expect(
      files.flatMap(({ path, report }) =>
        wide(
          report.filter((line) => !isPath(line)),
          path,
        ),
      ),
    ).toEqual([]);
  });

  test('above the report, except for a statement, which is one line and has no blank to spare', () => {
    const isTight = (line: string) => !/\S {2}/.test(line.replace(/^[a-z]+ +/, ''));
    expect(
      files.flatMap(({ path, program }) =>
        wide(
          program.filter((line) => !isTight(line)),
          path,
        ),
      ),
    ).toEqual([]);
  });

  test.each([
    [],
    ...Object.keys(EXAMPLES)
      .filter((name) => name !== 'attachcheck')
      .map((name) => [name]),
  ])('in the help of %s', async (...command) => {
    const { stdout } = await attachcheck([...command, '--help']);
    expect(stdout).toContain('Options:');
    expect(wide(stdout.split('\n'), 'help')).toEqual([]);
  });

  test('in everything that has a name and a sentence, as it is listed', async () => {
    const { stdout } = await attachcheck(['--list']);
    for (const { name } of Object.values(ALL_PLANTED).flat()) expect(stdout).toContain(name);
    expect(wide(stdout.split('\n'), '--list')).toEqual([]);
  });

  test('in every law as a report names it, and every listed breach', () => {
    const laws = [...IMAGE_LAWS, ...ATTACH_LAWS, ...ALL_TASK_LAWS, ...HIT_LAWS, ...STUB_LAWS, ...ABI_LAWS];
    expect(laws.flatMap((law) => wide(headLines(law, ''), law.name))).toEqual([]);
    const known = [...KNOWN, ...KNOWN_ATTACH, ...KNOWN_TASK];
    expect(
      known.flatMap(({ name, sentence }) => wide(labelled('known', `${name}: ${sentence}`), name)),
    ).toEqual([]);
  });
});
