import { describe, expect, test } from 'vitest';
import { KERNELS } from '../core/profile.ts';
import { Rig } from '../testing/attach-rig.ts';
import { plainProgram } from '../trampoline/program.ts';
import { moduleFunction, tracedFunction } from '../trampoline/traced-function.ts';
import { ZERO } from '../x86/word.ts';

function unloaded(profile: string): Rig {
  const rig = new Rig(profile, [
    moduleFunction('a1', 1, 'u64 -> u64', 'm1'),
    tracedFunction('f1', 2, 'u64 -> u64'),
  ]);
  rig.answer({ do: 'delete_module', module: 'm1' });
  return rig;
}

describe.each(KERNELS)('a function whose module is gone, %s', (profile) => {
  test.each([{}, { offset: 10 }])('is ENOENT to register_kprobe(), %j', (place) => {
    const rig = unloaded(profile);
    const probe = { do: 'register_kprobe', kprobe: 'kprobe#1', ip: 'a1', ...place, post: false } as const;
    expect(rig.answer(probe)).toBe('ENOENT');
    rig.answer({ do: 'init_module', module: 'm1' });
    expect(rig.answer(probe)).toBe(0);
  });

  test('is ENOENT to register_kretprobe(), and to the perf event of a kprobe', () => {
    const rig = unloaded(profile);
    const own = { kretprobe: 'kretprobe#1', ip: 'a1', maxactive: 0, entryHandler: false };
    expect(rig.answer({ do: 'register_kretprobe', ...own })).toBe('ENOENT');
    expect(rig.answer({ do: 'perf_event_open(kprobe)', event: 'perf#1', on: 'kprobe', ip: 'a1' })).toBe(
      'ENOENT',
    );
    expect(rig.k.probes.rethooks).toEqual({});
  });

  test('is refused by BPF_PROG_LOAD, although its BTF is open', () => {
    const rig = unloaded(profile);
    const load = {
      do: 'BPF_PROG_LOAD',
      program: plainProgram(1),
      target: 'a1',
      probe: '',
      returns: ZERO,
    } as const;
    expect(rig.answer(load)).toBe(profile === '7.2' ? 'EINVAL' : 'ENOENT');
    expect(rig.answer({ ...load, target: 'no_such_function' })).toBe('EINVAL');
    rig.answer({ do: 'init_module', module: 'm1' });
    expect(rig.answer(load)).toBe(0);
  });
});

test.each([['direct'], ['return directly']] as const)(
  'a program of a multi link that reads ctx itself (%s) is EACCES in 7.2',
  (reads) => {
    const rig = unloaded('7.2');
    const program = { ...plainProgram(1), kind: 'fexit', multi: true, reads } as const;
    const load = { do: 'BPF_PROG_LOAD', program, target: '', probe: '', returns: ZERO } as const;
    expect(rig.answer(load)).toBe('EACCES');
    expect(rig.answer({ ...load, program: { ...program, reads: 'helpers' } })).toBe(0);
  },
);
