import { expect, test } from 'vitest';
import { DEFAULT_FAMILY, scenariosOf } from './exploration.ts';

function chosen(only: string, profile = '6.12'): () => readonly unknown[] {
  return () => scenariosOf({ ...DEFAULT_FAMILY, profiles: [profile], operations: 3, only: only.split(', ') });
}

test('a word that is no operation is answered with what was meant, and with what there is', () => {
  expect(chosen('atach f1')).toThrow(
    '--only: there is no operation "atach f1"; did you mean attach f1? There are attach, detach, register, modify, unregister, live patch on, live patch off, each on f1 or f2; for other calls write a scenario file (docs/traces.md)',
  );
  expect(chosen('modify')).toThrow('did you mean modify f1?');
  expect(chosen('kprobe', '7.2')).toThrow(
    /"kprobe"; there are .*; attach multi, detach multi, each on f1\+f2 or f2;/,
  );
});

test('operations that are never together are refused with a list of those that are', () => {
  expect(chosen('detach f1, unregister f1')).toThrow(
    '--only: no scenario has detach f1 and unregister f1 together; with detach f1 there are ',
  );
});
