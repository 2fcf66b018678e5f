import { expect, test } from 'vitest';
import { UNEXECUTED } from '../../conformance/known/unexecuted-steps.ts';
import { coverage, noteExecuted, stepName } from '../../model/core/coverage.ts';
import { linkProgram } from '../../model/core/link.ts';
import { routine } from '../../model/core/routine.ts';
import { startOperation, stepOperation } from '../../model/core/run.ts';
import type { World } from '../../model/core/world.ts';
import { KERNEL_PROGRAM } from '../../model/step.ts';
import { coverageByFile, coverageTable, coverageTexts } from './coverage.ts';

const STARTUP = routine<World, { isDead: boolean }>('ftrace_startup', ({ refuse, step, holding }) => [
  refuse('ENODEV', 'ftrace is dead', (_, { isDead }) => isDead),
  holding('ftrace_lock', [step('put the ops on the list', () => {}), step('count it', () => {})]),
]);

const OF_A_DESIGN = routine<World, object>('design_attach', ({ step }) => [step('attach', () => {})]);

function linked() {
  return linkProgram({ routines: [STARTUP, OF_A_DESIGN] as never, upcalls: {} });
}

/** Executes the routine until it ends. */
function ran(args: { isDead: boolean }, most = 99) {
  const program = linked();
  const operation = startOperation(program, 'ftrace_startup', args);
  const k = { locks: {} } as World;
  for (let left = most; left > 0; left--) if (stepOperation(program, k, operation, {}) !== undefined) break;
  return program;
}

const ALL = [
  'ftrace_startup: ftrace is dead',
  'ftrace_startup: lock ftrace_lock',
  'ftrace_startup: put the ops on the list',
  'ftrace_startup: count it',
];

test('a step that was not executed is named, with the file of its function', () => {
  expect(coverageByFile(ran({ isDead: false }))).toEqual([
    { file: 'kernel/trace/ftrace.c', executed: 4, of: 4, missing: [] },
  ]);
  const files = coverageByFile(ran({ isDead: true }));
  expect(files).toEqual([{ file: 'kernel/trace/ftrace.c', executed: 1, of: 4, missing: ALL.slice(1) }]);
  expect(coverageTexts(files)).toEqual(['3 of 4 steps of kernel functions']);
  expect(coverageTable(files).join('\n')).toContain(
    'kernel/trace/ftrace.c                    1 of 4\n  not executed: ftrace_startup: lock ftrace_lock\n    not listed',
  );
});

test('a run that executes all says nothing', () => {
  expect(coverageTexts(coverageByFile(ran({ isDead: false })))).toEqual([]);
});

test('what several threads executed is executed', () => {
  const program = ran({ isDead: true });
  noteExecuted(program, ran({ isDead: false }).executed);
  expect(
    coverage(program)
      .filter(({ isExecuted }) => !isExecuted)
      .map(stepName),
  ).toEqual(['design_attach: attach']);
});

test('each step that is listed as not executed is a step of the model, once', () => {
  const all = coverageByFile({ ...KERNEL_PROGRAM, executed: new Uint8Array() }).flatMap(
    ({ missing }) => missing,
  );
  const listed = UNEXECUTED.map(({ step }) => step);
  expect(listed.filter((step) => !all.includes(step))).toEqual([]);
  expect(new Set(listed).size).toBe(listed.length);
});
