import { expect, test } from 'vitest';
import { TASK_PLANTED } from '../../properties/planted/interleavings/all.ts';
import { plantedKernel } from '../../properties/planted/kernel.ts';
import { noRecursionOnOneCpu } from '../../properties/task/no-recursion-on-one-cpu.ts';
import { pairs } from './family.ts';
import { ImpossibleSetup } from './impossible-setup.ts';
import { explore } from './search.ts';
import { Space } from './space.ts';
import { verdictOf } from './verdict-rig.ts';

/** The laws that a planted bug breaks where tasks are preempted by this model. */
function brokenBy(name: string, preemption: string): string[] {
  const planted = TASK_PLANTED.find((own) => own.name === name)!;
  const scenario = { ...planted.scenario, profile: `${planted.profile}, preemption = ${preemption}` };
  const space = new Space(scenario, { program: plantedKernel(planted) });
  return explore(space, { laws: [planted.law] }).breaches.map(({ law }) => law.name);
}

test('two tasks are in one program on one CPU only with preempt=full', () => {
  expect(brokenBy('recursion-is-not-detected', 'full')).toEqual([noRecursionOnOneCpu.name]);
  expect(brokenBy('recursion-is-not-detected', 'voluntary')).toEqual([]);
  expect(brokenBy('recursion-is-not-detected', 'none')).toEqual([]);
});

test('a grace period of RCU-tasks-rude protects an image from tasks that are never preempted in it', () => {
  expect(brokenBy('only-rude', 'full')).toEqual(['task/no-fetch-from-freed-memory']);
  expect(brokenBy('only-rude', 'voluntary')).toEqual([]);
});

const PAIR = pairs('6.12', 2, 2).find(({ name }) => name === 'register f1, live patch on f2')!.scenario;
const ONE = { ...PAIR, clients: PAIR.clients.slice(0, 1), cpus: 1 };
const ALONE = { ...ONE, callers: ONE.callers.slice(0, 1) };

test('preempt=full has the schedules of preempt=voluntary, and more', () => {
  const full = verdictOf(ONE, {});
  const voluntary = verdictOf({ ...ONE, profile: '6.12, preemption = voluntary' }, {});
  expect(voluntary.states).toBeLessThan(full.states);
  expect(full.calls).toEqual(expect.arrayContaining([...voluntary.calls]));
  expect(voluntary.ends.length).toBe(full.ends.length);
});

test('with preempt=voluntary too, leaving out needless preemption changes no verdict', () => {
  const trial = { ...ALONE, profile: '6.12, preemption = voluntary' };
  const { states: fewer, ...reduced } = verdictOf(trial, {});
  const { states: all, ...whole } = verdictOf(trial, { reduce: false });
  expect(reduced).toEqual(whole);
  expect(fewer).toBeLessThan(all);
});

test('with preempt=voluntary no task starts preempted in a program that does not sleep', () => {
  const { scenario } = TASK_PLANTED.find(({ name }) => name === 'recursion-is-not-detected')!;
  const [caller] = scenario.callers;
  const callers = [{ ...caller!, startsAt: { place: 'prog#1', condition: 'preempted' } as const }];
  const booted = (profile: string) => () => new Space({ ...scenario, profile, callers });
  expect(booted('6.12, preemption = voluntary')).toThrow(ImpossibleSetup);
  expect(booted('6.12')).not.toThrow(ImpossibleSetup);
});
