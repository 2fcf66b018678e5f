import { describe, expect, test } from 'vitest';
import { Rig } from '../testing/attach-rig.ts';
import { fromNumber } from '../x86/word.ts';
import { targetProgram, tracedFunction } from './traced-function.ts';

/*
 * The answers of linking an extension, before and after others, and what runs then, were recorded on 6.1.192, 6.12.117 and
 * 7.2.13.
 */
const FUNCTIONS = [
  tracedFunction('f1', 1, 'u64 -> u64'),
  targetProgram('p2', 2, 'u64, u32 -> u64'),
  targetProgram('p1', 3, 'u64 -> u32'),
];

describe.each(['6.1', '6.12', '7.2'])('an extension, %s', (profile) => {
  const rig = () => new Rig(profile, FUNCTIONS);
  const extend = (rig: Rig, id = 9) => [rig.load(id, 'freplace', 'p2', {}, fromNumber(0xe)), rig.link(id)];

  test('runs in the place of its target, with the arguments, and its value is the caller’s', () => {
    const fixture = rig();
    expect(extend(fixture)).toEqual([0, 0]);
    expect(fixture.site('p2')).toBe('jmp prog#9');
    const { run } = fixture.call('p2');
    expect(run.events).toEqual([{ kind: 'extension', who: 'prog#9', fn: 'p2', args: ['0x1', '0x2'] }]);
    expect(run).toMatchObject({ rax: '0xe', fault: undefined, stackBalanced: true, calleeSaved: [] });
    expect(fixture.call('p1').who).toEqual(['p1']);
  });

  test('makes no image', () => {
    const fixture = rig();
    extend(fixture);
    expect(fixture.k.text.pages).toEqual({});
    expect(fixture.k.bpf.trampolines['p2']).toMatchObject({ extensionProg: 9, curImage: '', nodes: [] });
  });

  test('leaves a nop, and the target runs again', () => {
    const fixture = rig();
    extend(fixture);
    expect(fixture.close(9)).toEqual([]);
    expect(fixture.site('p2')).toBe('nop5');
    expect(fixture.call('p2').who).toEqual(['p2']);
    expect(fixture.k.bpf.trampolines['p2']).toBeUndefined();
  });

  test('is refused for a kernel function, and when it may sleep', () => {
    const fixture = rig();
    expect(fixture.load(9, 'freplace', 'f1')).toBe('EINVAL');
    expect(fixture.load(9, 'freplace', 'p2', { sleepable: true })).toBe('EINVAL');
    expect(fixture.load(9, 'freplace', '', { multi: true })).toBe('EINVAL');
  });

  test('is refused where programs are attached', () => {
    const fixture = rig();
    fixture.load(1, 'fentry', 'p2');
    fixture.link(1);
    expect(extend(fixture)).toEqual([0, 'EBUSY']);
    fixture.close(1);
    expect(fixture.link(9)).toBe(0);
  });

  test('keeps programs and other extensions away', () => {
    const fixture = rig();
    extend(fixture);
    fixture.load(1, 'fexit', 'p2');
    expect(fixture.link(1)).toBe('EBUSY');
    expect(extend(fixture, 10)).toEqual([0, 'EBUSY']);
    fixture.close(9);
    expect(fixture.link(1)).toBe(0);
  });

  test('cannot be attached again without naming its target', () => {
    const fixture = rig();
    extend(fixture);
    fixture.close(9);
    expect(fixture.link(9)).toBe('EINVAL');
  });

  test('whose poke failed keeps the target for itself, and does not run', () => {
    const fixture = rig();
    fixture.load(9, 'freplace', 'p2');
    fixture.answer({ do: 'fail', fault: { what: 'poke', where: 'bpf_arch_text_poke' } });
    expect(fixture.link(9)).toBe('EBUSY');
    expect(fixture.k.bpf.trampolines['p2']!.extensionProg).toBe(9);
    expect(fixture.call('p2').who).toEqual(['p2']);
    expect(fixture.link(9)).toBe('EBUSY');
    fixture.load(1, 'fentry', 'p2');
    expect(fixture.link(1)).toBe('EBUSY');
  });

  test('that cannot be taken away is warned about, gives the target back, and still runs', () => {
    const fixture = rig();
    extend(fixture);
    fixture.answer({ do: 'fail', fault: { what: 'poke', where: 'bpf_arch_text_poke' } });
    expect(fixture.close(9)).toEqual(['a program could not be taken off: EBUSY (bpf_tracing_link_release)']);
    expect(fixture.site('p2')).toBe('jmp prog#9');
    expect(fixture.call('p2').who).toEqual(['prog#9']);
  });
});
