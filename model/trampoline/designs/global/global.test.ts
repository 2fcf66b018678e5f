import { describe, expect, test } from 'vitest';
import { Rig } from '../../../attach-rig.ts';
import { tracedFunction } from '../../traced-function.ts';

const PROFILE = '6.12, multiLinks = global';
const FUNCTIONS = Array.from({ length: 8 }, (_, n) =>
  tracedFunction(`f${n}`, n, n === 0 ? '-> u64' : `u64 x${n} -> u64`),
);
const NAMES = FUNCTIONS.slice(0, 7).map(({ name }) => name);

function rig(functions = FUNCTIONS, profile = PROFILE): Rig {
  return new Rig(profile, functions);
}

function linkTo(one: Rig, prog: number, ...targets: string[]) {
  return one.answer({ do: 'BPF_LINK_CREATE', link: `link#${prog}`, prog, targets });
}

describe('the global trampoline', () => {
  test.each(['fentry', 'fexit', 'fmod_ret'] as const)(
    'runs a program of kind %s for any count of arguments',
    (kind) => {
      const one = rig();
      expect(one.load(1, kind, '', { multi: true })).toBe(0);
      expect(linkTo(one, 1, ...NAMES)).toBe(0);
      for (const [n, fn] of NAMES.entries()) {
        expect(one.site(fn)).toBe(`call bpf_global_caller_${n}`);
        const { who, run } = one.call(fn);
        expect(run.fault).toBeUndefined();
        expect(who).toEqual(kind === 'fexit' ? [fn, 'prog#1'] : ['prog#1', fn]);
        expect(run.events.find(({ kind: is }) => is === 'program')?.args).toEqual(
          Array.from({ length: n }, (_, i) => `0x${i + 1}`),
        );
        expect(run.stackBalanced && run.callerStackIntact).toBe(true);
        expect(run.calleeSaved).toEqual([]);
      }
      expect(one.close(1)).toEqual([]);
      for (const fn of NAMES) expect(one.call(fn).who).toEqual([fn]);
    },
  );
});
