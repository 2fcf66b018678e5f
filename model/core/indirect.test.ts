import { expect, test } from 'vitest';
import type { Linkage } from './link.ts';
import { linkProgram } from './link.ts';
import { routine } from './routine.ts';
import { perform } from './schedule.ts';
import type { World } from './world.ts';
import { warn } from './world.ts';

interface Handling {
  ops: string;
}

const handler = routine<World, Handling>('handler', ({ step, finish }) => [
  finish('it does not care', (_, { ops }) => ops === 'ops#2'),
  step('tell', (k, { ops }) => warn(k, { is: 'ops without func', ops })),
]);

const caller = routine<World, Handling & { func: string }>('caller', ({ indirect, step }) => [
  indirect(
    'ops->func',
    () => ({ func: handler }),
    (_, { func }) => func,
    (_, { ops }) => ({ ops }),
  ),
  step('after', (k) => warn(k, { is: 'flags without ops' })),
]);

const PROGRAM = linkProgram({ routines: [caller] as unknown as Linkage['routines'], upcalls: {} });

function warningsOf(args: Handling & { func: string }): string[] {
  const k: World = { profile: '6.12', locks: {}, warnings: [], fault: null, deferred: [] };
  perform(PROGRAM, k, 'caller', { ...args });
  return k.warnings.map((warning) => (warning.is === 'ops without func' ? warning.ops : 'after'));
}

test('a call through a pointer runs the function that the pointer points at, and returns', () => {
  expect(warningsOf({ ops: 'ops#1', func: 'func' })).toEqual(['ops#1', 'after']);
  expect(warningsOf({ ops: 'ops#2', func: 'func' })).toEqual(['after']);
});

test('a pointer to what is not known is an error that names it', () => {
  expect(() => warningsOf({ ops: 'ops#1', func: 'other' })).toThrow(
    'other() has been called, and nothing says what it does',
  );
});
