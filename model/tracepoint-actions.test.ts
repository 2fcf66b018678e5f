import { expect, test } from 'vitest';
import { parseAction, printAction } from './action-text.ts';
import { TRACEPOINTS } from './raw-tracepoint/tracepoints.ts';

const SPELLING = { profile: '6.12', functions: [], tracepoints: TRACEPOINTS };

test.each([
  'tracepoint_probe_register(xdp_exception, my_probe1, data#1)',
  'tracepoint_probe_register_prio(xdp_exception, my_probe1, data#1, 20)',
  'tracepoint_probe_unregister(xdp_exception, my_probe1, data#1)',
  'prog#1 = BPF_PROG_LOAD(raw_tp)',
  'prog#2 = BPF_PROG_LOAD(raw_tp cookie=0x5 sleepable reads=ctx[0+2])',
  'link#1 = BPF_RAW_TRACEPOINT_OPEN(prog#1, xdp_exception)',
  'link#1 = BPF_RAW_TRACEPOINT_OPEN(prog#1)',
  'task#1 hits smbus_write(0x1, 0x2, 0x3, 0x4, 0x5, 0xffffffff00000006, 0x7)',
])('%s is read as it is written', (text) => {
  expect(printAction(parseAction(text, SPELLING), SPELLING)).toBe(text);
});

test.each([
  ['tracepoint_probe_register_prio(t, my_probe1, data#1, low)', 'a priority low'],
  [
    'tracepoint_probe_register(t, my_probe4, data#1)',
    'my_probe4 is no probe; there are my_probe1, my_probe2, my_probe3',
  ],
  ['tracepoint_probe_unregister(t, my_probe1, 7)', '"7" is not a name like data#1'],
  ['task#1 calls xdp_exception(0x1, 0x2, 0x3)', 'xdp_exception is not declared as a function'],
  ['task#1 hits xdp_exceptions(0x1)', 'xdp_exceptions is not declared as a tracepoint'],
  ['task#1 hits xdp_exception(0x1)', 'xdp_exception takes 3 argument words, not 1'],
])('%s: what cannot be read is named', (text, why) => {
  expect(() => parseAction(text, SPELLING)).toThrow(why);
});
