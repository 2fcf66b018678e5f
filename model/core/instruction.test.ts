import { expect, test } from 'vitest';
import type { Linkage } from './link.ts';
import { linkProgram } from './link.ts';
import { routine } from './routine.ts';
import type { World } from './world.ts';

test('instructions of all kinds have the same fields in the same order', () => {
  const every = routine<World, { errno?: string | 0 }>(
    'every',
    ({ step, refuse, holding, attempt, when }) => [
      holding('mutex', [attempt([step('work', () => {})], [step('undo', () => {})])]),
      when('it is odd', () => true, [refuse('EBUSY', 'it refuses', () => false)]),
    ],
  );
  const { instructions } = linkProgram({ routines: [every] as unknown as Linkage['routines'], upcalls: {} });
  expect(new Set(instructions.map((instruction) => instruction.do)).size).toBeGreaterThan(6);
  expect(new Set(instructions.map((instruction) => Object.keys(instruction).join(' '))).size).toBe(1);
});
