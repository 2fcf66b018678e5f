import { expect, test } from 'vitest';
import { askLaw } from '../../checker/interleavings/nearest-breach.ts';
import { runSequence } from '../../checker/sequences/run-sequence.ts';
import { ATTACH_LAWS } from '../../properties/attach-laws.ts';
import { onlyGraphUserIsCalledDirectly } from '../../properties/ftrace/only-graph-user-is-called-directly.ts';
import { HISTORICAL_BUGS } from '../../properties/planted/history/all.ts';
import { F1, graph } from '../../properties/planted/sequences/actions.ts';
import { KNOWN_ATTACH } from './attach-all.ts';
import { exampleOf } from './attach-example.ts';
import { KNOWN_TASK } from './task-breaches.ts';
import { scenarioOn } from './task-known.ts';

/*
 * Fixes that some modelled kernels have and older ones lack: each is a behaviour of the profiles. The law finds the bug
 * in the kernel before the fix, and no longer in the same kernel with that one behaviour, or in the first kernel with it.
 */

function lawNamed(name: string) {
  return ATTACH_LAWS.filter((law) => law.name === name);
}

test.each([
  ['exit-of-a-noreturn-function', 'image-of-a-task-that-does-not-return-stays', 'noreturnRefused = true'],
  ['fexit-with-a-live-patch', 'refused-direct-call-corrupts-its-ops', 'directReset = true'],
])('%s: 6.1 shows %s, and does not with %s', (bug, name, behaviour) => {
  expect(HISTORICAL_BUGS.map((fix) => fix.name)).toContain(bug);
  const entry = KNOWN_ATTACH.find((known) => known.name === name)!;
  const found = (profile: string) =>
    runSequence({ ...exampleOf(entry), profile }, { laws: lawNamed(entry.law), known: [entry] }).known?.name;
  expect([found('6.1'), found(`6.1, ${behaviour}`), found('6.12')]).toEqual([name, undefined, undefined]);
});

test('direct-mode-is-never-restored: 6.12 before 6.12.75 shows it, 6.12.117 and 7.2 do not', () => {
  const actions = [graph(1), graph(2), { do: 'unregister_ftrace_graph', gops: 'gops#1' } as const];
  const found = (profile: string) =>
    runSequence({ profile, functions: [F1], actions }, { laws: [onlyGraphUserIsCalledDirectly] }).breach?.at;
  const profiles = ['6.12, graphDirectModeReturns = false', '6.12', '7.2'];
  expect(profiles.map(found)).toEqual([2, undefined, undefined]);
});

test.each([
  ['detached-program-is-called', 'detached-program-is-called-after-a-sleep'],
  ['program-is-freed-under-an-image', 'program-is-freed-before-its-entry'],
])('%s: 6.12 shows %s, and does not with images of generation C, as in 7.2', (bug, name) => {
  expect(HISTORICAL_BUGS.map((fix) => fix.name)).toContain(bug);
  const entry = KNOWN_TASK.find((known) => known.name === name)!;
  const found = (profile: string) => {
    const { finding, complete } = askLaw(entry.law, scenarioOn(entry, profile), [], entry.grain);
    return finding !== undefined || !complete;
  };
  expect(['6.12', '6.12, imageLifecycle = C', '7.2'].map(found)).toEqual([true, false, false]);
});
