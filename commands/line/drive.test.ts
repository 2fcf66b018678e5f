import { expect, test } from 'vitest';
import type { Answer, Job } from '../../counterexamples/answer.ts';
import { EXIT } from '../../counterexamples/answer.ts';
import { drive } from './drive.ts';

const HELD: Answer = { text: 'the end', json: {}, exit: EXIT.HELD, save: [] };

/** Finds something, and continues until it is stopped. */
function* endless(signal: NodeJS.Signals): Job {
  yield { text: 'found', save: [] };
  process.emit(signal);
  for (;;) if (yield { part: 'at work' }) return HELD;
}

test.each([
  ['SIGHUP', 129],
  ['SIGINT', 130],
  ['SIGPIPE', 141],
  ['SIGTERM', 143],
] as const)('%s ends a job with %d; its findings are printed before', async (signal, exit) => {
  const told: string[] = [];
  const listeners = process.listenerCount(signal);
  const driven = await drive(endless(signal), { status: () => {}, part: ({ text }) => told.push(text) });
  expect(driven).toEqual({ answer: HELD, exit, signal });
  expect(told).toEqual(['found']);
  expect(process.listenerCount(signal)).toBe(listeners);
});
