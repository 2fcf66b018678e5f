import { describe, expect, test } from 'vitest';
import {
  FTRACE_FL_DIRECT,
  FTRACE_FL_DIRECT_EN,
  FTRACE_FL_DISABLED,
  FTRACE_FL_ENABLED,
  FTRACE_FL_REGS,
  ftraceTestRecord,
  ftraceUpdateRecord,
  printRecord,
  skipRecord,
} from './record.ts';

describe('a record', () => {
  test.each([
    ['has no user and no call', 0, 0, true, 'FTRACE_UPDATE_IGNORE'],
    ['has its first user', 1, 0, true, 'FTRACE_UPDATE_MAKE_CALL'],
    ['has lost its last user', 0, FTRACE_FL_ENABLED, true, 'FTRACE_UPDATE_MAKE_NOP'],
    ['is switched off', 1, FTRACE_FL_ENABLED, false, 'FTRACE_UPDATE_MAKE_NOP'],
    ['wants registers', 1, FTRACE_FL_ENABLED | FTRACE_FL_REGS, true, 'FTRACE_UPDATE_MODIFY_CALL'],
    ['has a direct call alone', 1, FTRACE_FL_ENABLED | FTRACE_FL_DIRECT, true, 'FTRACE_UPDATE_MODIFY_CALL'],
    ['has one beside others', 2, FTRACE_FL_ENABLED | FTRACE_FL_DIRECT, true, 'FTRACE_UPDATE_IGNORE'],
    ['is disabled', 1, FTRACE_FL_DISABLED, true, 'FTRACE_UPDATE_IGNORE'],
  ])('that %s', (_, count, flags, enable, update) => {
    expect(ftraceTestRecord({ count, flags }, enable)).toBe(update);
  });

  test('says after its update what is in effect, and wants no other', () => {
    const record = { count: 1, flags: FTRACE_FL_DIRECT };
    ftraceUpdateRecord(record, true);
    expect(record.flags).toBe(FTRACE_FL_DIRECT | FTRACE_FL_DIRECT_EN | FTRACE_FL_ENABLED);
    expect(printRecord(record)).toBe('count 1, ENABLED | DIRECT | DIRECT_EN');
    expect(ftraceTestRecord(record, true)).toBe('FTRACE_UPDATE_IGNORE');
  });

  test('that is disabled is left alone unless its site is patched', () => {
    expect(skipRecord({ count: 0, flags: FTRACE_FL_DISABLED })).toBe(true);
    expect(skipRecord({ count: 0, flags: FTRACE_FL_DISABLED | FTRACE_FL_ENABLED })).toBe(false);
  });
});
