import { describe, expect, test } from 'vitest';
import type { Action } from '../client/all.ts';
import { KERNELS } from '../core/profile.ts';
import type { Watch } from '../core/run.ts';
import { apply, KERNEL_PROGRAM } from '../step.ts';
import { Rig } from '../testing/attach-rig.ts';
import { ZERO } from '../x86/word.ts';
import type { BpfProgram } from './program.ts';
import { plainProgram } from './program.ts';
import { listedFunction, moduleFunction, tracedFunction } from './traced-function.ts';

const F1 = tracedFunction('f1', 1, 'u64 -> u64');

function loads(target: string, more: Partial<BpfProgram>): Action {
  const program = { ...plainProgram(1), ...more };
  return { do: 'BPF_PROG_LOAD', program, target, probe: '', returns: ZERO };
}

const READS_TOO_MUCH = { reads: 'direct', accesses: [1] } as const;
const NO_MEMORY: Action = { do: 'fail', fault: { what: 'allocation', where: 'bpf_trampoline_get' } };

describe.each(KERNELS)('a load that is refused in %s', (kernel) => {
  test('for what its program reads leaves no trampoline, and is refused for want of memory first', () => {
    const rig = new Rig(kernel, [F1]);
    expect(rig.answer(loads('f1', READS_TOO_MUCH))).toBe('EACCES');
    expect(rig.k.bpf.trampolines).toEqual({});
    rig.answer(NO_MEMORY);
    expect(rig.answer(loads('f1', READS_TOO_MUCH))).toBe('ENOMEM');
    expect(rig.answer(loads('f1', READS_TOO_MUCH))).toBe('EACCES');
  });

  test('for its target is refused before memory is needed', () => {
    const rig = new Rig(kernel, [listedFunction(F1, 'unlisted')]);
    rig.answer(NO_MEMORY);
    expect(rig.answer(loads('f1', { kind: 'fmod_ret' }))).toBe('EINVAL');
    expect(rig.answer(loads('f1', {}))).toBe('ENOMEM');
  });
});

test.each(['6.12', '7.2'])('%s holds the module no more, whatever a load is refused for', (kernel) => {
  const rig = new Rig(kernel, [moduleFunction('m1', 1, 'u64 -> u64', 'm')]);
  expect(rig.answer(loads('m1', READS_TOO_MUCH))).toBe('EACCES');
  expect(rig.answer(loads('m1', { sleepable: true, ...READS_TOO_MUCH }))).toBe('EACCES');
  rig.answer(NO_MEMORY);
  expect(rig.answer(loads('m1', {}))).toBe('ENOMEM');
  expect(rig.answer({ do: 'delete_module', module: 'm' })).toBe(0);
});

test.each(['6.12', '7.2'])('%s finds a module that is going before it reads its lists', (kernel) => {
  const target = listedFunction(moduleFunction('m1', 1, 'u64 -> u64', 'm'), 'unlisted');
  const rig = new Rig(kernel, [target]);
  expect(rig.answer(loads('m1', { kind: 'fmod_ret' }))).toBe('EINVAL');
  // It begins to go between the checks of its type and of the lists.
  const step: Watch['step'] = ({ id }) => {
    if (id === 'the verifier refuses the program for its target') rig.k.locks['module_mutex'] = 'a client';
  };
  expect(apply(rig.k, loads('m1', { kind: 'fmod_ret' }), KERNEL_PROGRAM, { step }).errno).toBe('ENOENT');
});
