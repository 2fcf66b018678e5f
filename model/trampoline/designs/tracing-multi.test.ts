import { describe, expect, test } from 'vitest';
import { Rig } from '../../testing/attach-rig.ts';
import { ZERO } from '../../x86/word.ts';
import { plainProgram } from '../program.ts';
import { moduleFunction, tracedFunction } from '../traced-function.ts';

const FUNCTIONS = [
  tracedFunction('f1', 1, 'u64 -> u64'),
  moduleFunction('a1', 2, 'u64 -> u64', 'm1'),
  moduleFunction('a2', 3, 'u64 x2 -> u64', 'm1'),
  moduleFunction('b1', 4, 'u64 -> u64', 'm2'),
];

const UNLOAD = { do: 'delete_module', module: 'm1' } as const;

function rig(): Rig {
  return new Rig('7.2', FUNCTIONS);
}

function load(own: Rig, btf?: string) {
  const program = { ...plainProgram(1), multi: true };
  return own.answer({
    do: 'BPF_PROG_LOAD',
    program,
    target: '',
    ...(btf === undefined ? {} : { btf }),
    probe: '',
    returns: ZERO,
  });
}

function linkTo(own: Rig, ...targets: string[]) {
  return own.answer({ do: 'BPF_LINK_CREATE', link: 'link#1', prog: 1, targets });
}

const references = (own: Rig) => own.k.text.modules['m1']!.refcnt;

describe('a program for the functions of a module', () => {
  test('holds the module from its load until it is freed, and runs at each of them', () => {
    const own = rig();
    expect(load(own, 'm1')).toBe(0);
    expect(references(own)).toBe(1);
    expect(linkTo(own, 'a1', 'a2')).toBe(0);
    expect(references(own)).toBe(1);
    for (const fn of ['a1', 'a2']) expect(own.call(fn).who).toEqual(['prog#1', fn]);
    own.answer({ do: 'close(prog)', prog: 1 });
    expect(own.answer(UNLOAD)).toBe('EAGAIN');
    expect(own.close(1)).toEqual([]);
    own.answer({ do: 'settle' });
    expect(references(own)).toBe(0);
    expect(own.answer(UNLOAD)).toBe(0);
  });

  test.each([
    ['one of the kernel', ['a1', 'f1'], 'ENOENT'],
    ['one of another module', ['a1', 'b1'], 'EINVAL'],
  ] as const)('is linked to no other: %s', (_, targets, errno) => {
    const own = rig();
    load(own, 'm1');
    expect(linkTo(own, ...targets)).toBe(errno);
    expect(own.call('a1').who).toEqual(['a1']);
    expect(linkTo(own, 'a1')).toBe(0);
  });

  test('is not loaded while the module is gone', () => {
    const own = rig();
    own.answer(UNLOAD);
    expect(load(own, 'm1')).toBe('EINVAL');
    own.answer({ do: 'init_module', module: 'm1' });
    expect(load(own, 'm1')).toBe(0);
    expect(linkTo(own, 'a2')).toBe(0);
  });
});

test('a program for functions of the kernel is linked to none of a module', () => {
  const own = rig();
  load(own);
  expect(linkTo(own, 'f1', 'a1')).toBe('EINVAL');
  expect(references(own)).toBe(0);
  expect(linkTo(own, 'f1')).toBe(0);
});

test('the functions of a link are checked by their ids: one of another BTF last', () => {
  const own = new Rig('7.2', [...FUNCTIONS, tracedFunction('wide', 5, 'u64 -> u128')]);
  const program = { ...plainProgram(1), kind: 'fexit' as const, multi: true };
  own.answer({ do: 'BPF_PROG_LOAD', program, target: '', probe: '', returns: ZERO });
  const link = (targets: readonly string[]) =>
    own.answer({ do: 'BPF_LINK_CREATE', link: 'link#1', prog: 1, targets });
  expect(link(['a1', 'wide'])).toBe('EOPNOTSUPP');
  expect(link(['a1', 'f1'])).toBe('EINVAL');
});
