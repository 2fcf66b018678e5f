import { expect, test } from 'vitest';
import { parseAction } from './action-parse.ts';
import { printAction } from './action-text.ts';

const SPELLING = { profile: '6.12', functions: [] };

test.each([
  'tracepoint_probe_register_prio(xdp_exception, my_probe1, data#1, 10)',
  'tracepoint_probe_unregister(xdp_exception, my_probe1, data#1)',
  'prog#1 = BPF_PROG_LOAD(raw_tp)',
  'prog#2 = BPF_PROG_LOAD(raw_tp cookie=0x5 sleepable reads=ctx[0+2])',
  'link#1 = BPF_RAW_TRACEPOINT_OPEN(prog#1, xdp_exception)',
  'link#1 = BPF_RAW_TRACEPOINT_OPEN(prog#1)',
])('%s is read as it is written', (text) => {
  expect(printAction(parseAction(text, SPELLING), SPELLING)).toBe(text);
});

test('a priority that is no number is named', () => {
  expect(() => parseAction('tracepoint_probe_register_prio(t, my_probe1, data#1, low)', SPELLING)).toThrow(
    'a priority low',
  );
});
