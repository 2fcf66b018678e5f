import { describe, expect, test } from 'vitest';
import { Rig } from '../../../testing/attach-rig.ts';
import type { BpfProgram } from '../../program.ts';
import { targetProgram, tracedFunction } from '../../traced-function.ts';

const FUNCTIONS = [
  tracedFunction('f2', 1, 'u64 x2 -> u64'),
  tracedFunction('f3', 2, 'u64 x3 -> u64'),
  tracedFunction('mixed', 3, 'u32, u64 -> u64'),
  tracedFunction('signed', 4, 's64 x2 -> s64'),
  tracedFunction('narrow', 5, 'u64 x2 -> u32'),
  tracedFunction('pair', 6, 's16b, u64 -> u64'),
  tracedFunction('triple', 7, 'u64 x2, u64 -> void'),
  tracedFunction('pointer', 8, 'ptr, u64 -> ptr'),
  tracedFunction('wide', 9, 'u128, u64 -> u64'),
];

/** A kernel with a program that was checked against its first function. */
function loaded(kind: 'fentry' | 'fexit' | 'fmod_ret', first: string, more: Partial<BpfProgram>) {
  const rig = new Rig('6.12, multiLinks = global', FUNCTIONS);
  const answer = rig.load(1, kind, first, { multi: true, reads: 'direct', ...more });
  const link = (...targets: string[]) =>
    rig.answer({ do: 'BPF_LINK_CREATE', link: 'link#1', prog: 1, targets });
  const seen = (fn: string) => rig.call(fn).run.events.find(({ kind: is }) => is === 'program');
  return { rig, answer, link, seen };
}

describe('a program of multi links that was checked against a first function', () => {
  test('sees the arguments that it reads, and no others', () => {
    const { link, seen } = loaded('fentry', 'f3', { accesses: [0, 2] });
    expect(link('f3')).toBe(0);
    expect(seen('f3')).toMatchObject({ args: ['0x1', '0x3'] });
  });

  test('sees the return value if it reads that', () => {
    const { rig, link, seen } = loaded('fexit', 'f3', { accesses: [1], reads: 'return directly' });
    expect(link('f3')).toBe(0);
    expect(seen('f3')).toMatchObject({ args: ['0x2'], ret: rig.call('f3').run.rax });
    const other = loaded('fexit', 'f3', { accesses: [1] });
    expect(other.link('f3')).toBe(0);
    expect(other.seen('f3')).not.toHaveProperty('ret');
  });

  test.each([
    ['f2', 'what is not read need not be there', [0, 1], 0],
    ['f2', 'an argument that is read has to be there', [2], 'EINVAL'],
    ['mixed', 'and has to have the size', [0], 'EINVAL'],
    ['mixed', 'where it has it, others may differ', [1], 0],
    ['signed', 'the sign is ignored', [0, 1], 0],
    ['pair', 'it has to begin where the first function has it', [1], 'EINVAL'],
    ['pair', 'it need not have the same number', [2], 0],
    ['pair', 'a struct is no integer', [0], 'EINVAL'],
    ['pointer', 'a pointer is no integer', [0], 'EINVAL'],
    ['pointer', 'what is not read may be a pointer', [1], 0],
  ] as const)('%s: %s', (target, _, accesses, errno) => {
    const { link } = loaded('fentry', 'f3', { accesses });
    expect(link('f3', target)).toBe(errno);
  });

  test.each([
    ['f2', 'f3', 'the return value is after this number of words', 'EINVAL'],
    ['f2', 'narrow', 'and of the same size', 'EINVAL'],
    ['f2', 'signed', 'its sign is ignored', 0],
    ['f3', 'pair', 'whatever arguments these words are', 0],
    ['f3', 'triple', 'and there is one', 'EINVAL'],
    ['pointer', 'pointer', 'or it is the first function itself', 0],
  ] as const)('%s and %s: %s', (first, target, _, errno) => {
    const { link } = loaded('fexit', first, { accesses: [], reads: 'return directly' });
    expect(link(target)).toBe(errno);
  });

  test('a struct is two words of ctx', () => {
    const { link, seen } = loaded('fentry', 'pair', { accesses: [0, 1] });
    expect(link('pair')).toBe(0);
    expect(seen('pair')).toMatchObject({ args: ['0x1', '0x2', '0x3'] });
  });

  test.each([
    ['fentry', 'f3', { accesses: [3] }, 'it reads an argument that is not there'],
    ['fentry', 'wide', { accesses: [0] }, 'it reads one of sixteen bytes that is no struct'],
    ['fentry', 'f3', { accesses: [], reads: 'return directly' }, 'no value is returned yet'],
    ['fexit', 'triple', { accesses: [], reads: 'return directly' }, 'no value is returned'],
    ['fmod_ret', 'pointer', { accesses: [], reads: 'return directly' }, 'a pointer cannot be modified'],
  ] as const)('%s of %s with %o is EACCES: %s', (kind, first, more, _) => {
    expect(loaded(kind, first, more).answer).toBe('EACCES');
  });

  test('is refused like one of single links for a function that is not there', () => {
    expect(loaded('fentry', 'nothing', { accesses: [0] }).answer).toBe('EINVAL');
    expect(loaded('fexit', 'pointer', { accesses: [0], reads: 'return directly' }).answer).toBe(0);
  });

  test('is not modelled where no design has one', () => {
    const rig = new Rig('6.12, multiLinks = one by one', FUNCTIONS);
    const load = () => rig.load(1, 'fentry', 'f2', { multi: true, accesses: [0] });
    expect(load).toThrow('a first function for multi links of the design one by one: not modelled');
    const program = new Rig('6.12, multiLinks = global', [targetProgram('p1', 1, 'u64 -> u64')]);
    expect(() => program.load(1, 'fentry', 'p1', { multi: true, accesses: [0] })).toThrow(
      'a BPF program as the first function of multi links: not modelled',
    );
  });
});
