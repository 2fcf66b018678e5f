import { expect, test } from 'vitest';
import type { CallInProgress } from '../../model/call/caller-kept.ts';
import { idleThread } from '../../model/call/thread.ts';
import type { CallEvent } from '../../model/core/event.ts';
import { EarlierEvents } from './earlier-events.ts';

const BODY: CallEvent = { kind: 'body', who: 'f1', fn: 'f1' };
const TRACED: CallEvent = { kind: 'ftrace', who: 'ops#1', fn: 'f1' };
const CALL: CallInProgress = {
  request: { fn: 'f1', registers: [], stack: [] },
  machine: '',
  thread: idleThread(),
  events: [TRACED, TRACED],
  frames: null,
  behind: '',
  trapped: false,
};

test('the number of events is no read of any, and only new ones are left', () => {
  const earlier = new EarlierEvents(CALL);
  const events = [...earlier.call.events];
  if (events.length === 2) events.push(BODY);
  const went = earlier.cutFrom({ caller: { ...earlier.call, events } });
  expect(earlier.areRead).toBe(false);
  expect(went).toEqual({ caller: { ...CALL, events: [BODY] } });
});

test.each<[string, (event: CallEvent) => unknown]>([
  ['a field', ({ kind }) => kind],
  ['whether it has a field', (event) => 'data' in event],
  ['its fields', (event) => Object.keys(event)],
  ['a copy', (event) => ({ ...event })],
  ['its spelling', (event) => JSON.stringify(event)],
])('%s of an event is a read', (_, read) => {
  const earlier = new EarlierEvents(CALL);
  const [event] = earlier.call.events;
  expect(read(event!)).toEqual(read(TRACED));
  expect(earlier.areRead).toBe(true);
});
