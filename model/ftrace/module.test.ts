import { describe, expect, test } from 'vitest';
import { entry } from '../core/present.ts';
import { Rig } from '../testing/attach-rig.ts';
import { probeProgram } from '../trampoline/program.ts';
import { moduleFunction, targetProgram, tracedFunction } from '../trampoline/traced-function.ts';
import { ZERO } from '../x86/word.ts';
import { printRecord } from './record.ts';

/*
 * Asked of 6.1.192, 6.12.117 and 7.2.13: how often a module is held, what becomes of a kprobe and of a filter when it
 * goes, and that one which is loaded while kernel.ftrace_enabled is 0 is traced. The rest is read in their sources.
 */
const FUNCTIONS = [tracedFunction('f1', 1, 'u64 -> u64'), moduleFunction('f5', 5, 'u64 x2 -> u64', 'm1')];
const LOAD = { do: 'init_module', module: 'm1' } as const;
const UNLOAD = { do: 'delete_module', module: 'm1' } as const;
const OPS = { do: 'ftrace_ops', ops: 'ops#1', flags: 0, direct: false } as const;
const TRACE = { do: 'register_ftrace_function', ops: 'ops#1' } as const;

function filter(ops: string) {
  return { do: 'ftrace_set_filter_ip', ops, ip: 'f5', remove: false, reset: false } as const;
}

describe.each(['6.1', '6.12', '7.2'])('a module, %s', (profile) => {
  const rig = () => new Rig(profile, FUNCTIONS);

  test('is there from the boot on, goes, and comes again', () => {
    const fixture = rig();
    expect(fixture.call('f5').who).toEqual(['f5']);
    expect([UNLOAD, UNLOAD, LOAD, LOAD].map((action) => fixture.answer(action))).toEqual([
      0,
      'ENOENT',
      0,
      'EEXIST',
    ]);
    expect(fixture.call('f5').who).toEqual(['f5']);
  });

  test('takes its functions along: they have no site, no record, and cannot be called or traced', () => {
    const fixture = rig();
    fixture.answer(UNLOAD);
    expect(Object.keys(fixture.k.text.sites)).toEqual(['f1']);
    expect(Object.keys(fixture.k.ftrace.records)).toEqual(['f1']);
    expect(fixture.answer({ do: 'call', fn: 'f5', registers: [], stack: [] })).toBe('EBADF');
    expect(fixture.answer(filter('ops#1'))).toBe('EINVAL');
    expect(fixture.load(1, 'fentry', 'f5')).toBe(profile === '7.2' ? 'EINVAL' : 'ENOENT');
    expect(fixture.call('f1').who).toEqual(['f1']);
  });

  test('is traced at once by an ops that asks for everything', () => {
    const fixture = rig();
    for (const action of [UNLOAD, OPS, TRACE, LOAD]) fixture.answer(action);
    expect(fixture.site('f5')).toBe('call ops#1.trampoline');
    expect(fixture.call('f5').who).toEqual(['ops#1', 'f5']);
  });

  test('of which a function holds other text is traced up to that, and kills ftrace', () => {
    const all = ['f5', 'f6', 'f7'].map((name, i) => moduleFunction(name, 5 + i, 'u64 -> u64', 'm1'));
    const fixture = new Rig(profile, all);
    for (const action of [UNLOAD, OPS, TRACE]) fixture.answer(action);
    fixture.answer({ do: 'fail', fault: { what: 'poke', where: 'ftrace_replace_code', nth: 2 } });
    fixture.answer(LOAD);
    const { records } = fixture.k.ftrace;
    expect(all.map(({ name }) => `${fixture.site(name)}, ${printRecord(entry(records, name))}`)).toEqual([
      'call ops#1.trampoline, count 1, ENABLED | TRAMP | TRAMP_EN',
      'nop5, count 1, ENABLED | TRAMP | TRAMP_EN',
      'nop5, count 0, DISABLED',
    ]);
    expect(fixture.k.ftrace.disabled).toBe(true);
  });

  test('is traced at once even while kernel.ftrace_enabled is 0', () => {
    const fixture = rig();
    for (const action of [UNLOAD, OPS, TRACE]) fixture.answer(action);
    fixture.answer({ do: 'kernel.ftrace_enabled', value: false });
    fixture.answer(LOAD);
    expect(fixture.call('f1').who).toEqual(['f1']);
    expect(fixture.call('f5').who).toEqual(['ops#1', 'f5']);
  });

  test('is not traced by an ops that asked for a function at its old address, and that can leave', () => {
    const fixture = rig();
    for (const action of [OPS, filter('ops#1'), TRACE, UNLOAD, LOAD]) fixture.answer(action);
    expect(fixture.k.ftrace.ops['ops#1']!.filter).toEqual(['f5 (gone 1)']);
    expect(fixture.call('f5').who).toEqual(['f5']);
    expect(fixture.call('f1').who).toEqual(['f1']);
    expect(fixture.answer({ do: 'unregister_ftrace_function', ops: 'ops#1' })).toBe(0);
    expect(fixture.k.warnings).toEqual([]);
  });

  test('goes under a kprobe, which never fires again, and can leave', () => {
    const fixture = rig();
    fixture.answer({ do: 'register_kprobe', kprobe: 'kprobe#1', ip: 'f5', post: false });
    expect(fixture.call('f5').who).toEqual(['kprobe#1', 'f5']);
    expect(fixture.answer(UNLOAD)).toBe(0);
    expect(fixture.k.ftrace.opsList).toEqual([]);
    fixture.answer(LOAD);
    expect(fixture.call('f5').who).toEqual(['f5']);
    fixture.answer({ do: 'unregister_kprobe', kprobe: 'kprobe#1' });
    expect(fixture.k.warnings).toEqual([]);
    expect(fixture.k.probes.kprobeTable).toEqual({});
  });

  test('goes under a direct call, which is not made any more', () => {
    const fixture = rig();
    fixture.answer({ do: 'ftrace_ops', ops: 'direct#1', flags: 0, direct: true });
    fixture.answer(filter('direct#1'));
    fixture.answer({ do: 'register_ftrace_direct', ops: 'direct#1', addr: 'my_tramp1' });
    expect([UNLOAD, LOAD].map((action) => fixture.answer(action))).toEqual([0, 0]);
    expect(fixture.call('f5').who).toEqual(['f5']);
    const leave = {
      do: 'unregister_ftrace_direct',
      ops: 'direct#1',
      addr: 'my_tramp1',
      freeFilters: false,
    } as const;
    expect(fixture.answer(leave)).toBe(0);
    expect(fixture.k.ftrace.directFunctions).toEqual({});
  });

  test('is held while a program is attached', () => {
    const fixture = rig();
    fixture.load(1, 'fexit', 'f5');
    fixture.link(1);
    expect(fixture.answer(UNLOAD)).toBe('EAGAIN');
    fixture.close(1);
    fixture.answer({ do: 'close(prog)', prog: 1 });
    fixture.answer({ do: 'settle' });
    expect(fixture.answer(UNLOAD)).toBe(0);
  });

  test('is held by a program from its load to its end, or (6.1) only while an image is there', () => {
    const fixture = rig();
    const refcnt = () => fixture.k.text.modules['m1']!.refcnt;
    const counts: number[] = [];
    fixture.load(1, 'fentry', 'f5');
    counts.push(refcnt());
    fixture.link(1);
    counts.push(refcnt());
    fixture.close(1);
    counts.push(refcnt());
    fixture.link(1);
    counts.push(refcnt());
    fixture.close(1);
    fixture.answer({ do: 'close(prog)', prog: 1 });
    fixture.answer({ do: 'settle' });
    expect([...counts, refcnt()]).toEqual(profile === '6.1' ? [0, 1, 0, 1, 0] : [1, 1, 1, 1, 0]);
  });

  test('is not held by a link that was refused', () => {
    const fixture = rig();
    fixture.answer({ do: 'ftrace_ops', ops: 'direct#1', flags: 0, direct: true });
    fixture.answer(filter('direct#1'));
    fixture.answer({ do: 'register_ftrace_direct', ops: 'direct#1', addr: 'my_tramp1' });
    fixture.load(1, 'fentry', 'f5');
    const before = fixture.k.text.modules['m1']!.refcnt;
    expect(fixture.link(1)).toBe(profile === '7.2' ? 'EINVAL' : 'EBUSY');
    expect(fixture.k.text.modules['m1']!.refcnt).toBe(before);
  });
});

describe.each(['6.12', '7.2'])('a module, %s', (profile) => {
  test('goes under an fprobe, which never fires again, and can leave', () => {
    const rig = new Rig(profile, FUNCTIONS);
    rig.answer({ do: 'register_fprobe_ips', fprobe: 'fprobe#1', ips: ['f1', 'f5'], entry: true, exit: true });
    expect([UNLOAD, LOAD].map((action) => rig.answer(action))).toEqual([0, 0]);
    expect(rig.call('f5').who).toEqual(['f5']);
    expect(rig.call('f1').who).toEqual(['fprobe#1', 'f1', 'fprobe#1']);
    expect(rig.answer({ do: 'unregister_fprobe', fprobe: 'fprobe#1' })).toBe(0);
    expect(rig.site('f1')).toBe('nop5');
  });

  test('is held by a kprobe.multi link, and by one that was refused no longer', () => {
    const rig = new Rig(profile, FUNCTIONS);
    const program = probeProgram(1);
    rig.answer({ do: 'BPF_PROG_LOAD', program, target: '', probe: 'entry', returns: ZERO });
    const link = { do: 'BPF_LINK_CREATE', link: 'link#1', prog: 1, targets: ['f1', 'f5'] } as const;
    expect(rig.answer({ ...link, targets: ['f5', 'not_a_site'] })).not.toBe(0);
    expect(rig.k.text.modules['m1']!.refcnt).toBe(0);
    expect(rig.answer(link)).toBe(0);
    expect(rig.answer(UNLOAD)).toBe('EAGAIN');
    rig.close(1);
    expect(rig.answer(UNLOAD)).toBe(0);
  });
});

/** A module with two functions, whose fprobes are these, is unloaded: the filters of both users. */
function filtersAfter(...exits: readonly (readonly [string, boolean])[]) {
  const rig = new Rig('7.2', [...FUNCTIONS, moduleFunction('f6', 6, 'u64 -> u64', 'm1')]);
  exits.forEach(([ip, exit], i) => {
    const fprobe = `fprobe#${i + 1}`;
    expect(rig.answer({ do: 'register_fprobe_ips', fprobe, ips: ['f1', ip], entry: true, exit })).toBe(0);
  });
  rig.answer(UNLOAD);
  return ['fprobe_graph_ops.ops', 'fprobe_ftrace_ops'].map((ops) => rig.k.ftrace.ops[ops]?.filter ?? []);
}

test('a function of a module leaves the filter of its fprobe, though another has none, 7.2', () => {
  expect(filtersAfter(['f5', true])).toEqual([['f1'], []]);
});

test('functions of a module stay in both filters if each lacks one, 7.2', () => {
  expect(filtersAfter(['f5', true], ['f6', false])).toEqual([
    ['f1', 'f5 (gone 1)'],
    ['f1', 'f6 (gone 1)'],
  ]);
});

test('an fprobe whose functions are all gone has unregistered its user, 7.2', () => {
  const rig = new Rig('7.2', FUNCTIONS);
  rig.answer({ do: 'register_fprobe_ips', fprobe: 'fprobe#1', ips: ['f5'], entry: true, exit: false });
  rig.answer(UNLOAD);
  expect(rig.k.ftrace.opsList).toEqual([]);
  expect(rig.k.probes.fprobeNodes).toEqual({ fprobe_graph_ops: 0, fprobe_ftrace_ops: 0 });
});

describe('6.1', () => {
  test('a program that was attached once is not attached to a function that has gone', () => {
    const rig = new Rig('6.1', FUNCTIONS);
    rig.load(1, 'fentry', 'f5');
    rig.link(1);
    rig.close(1);
    expect(rig.answer(UNLOAD)).toBe(0);
    expect(rig.link(1)).toBe('ENOENT');
  });

  test('unregister_ftrace_direct(ip) of a function that has gone is ENODEV, and its entry stays', () => {
    const rig = new Rig('6.1', FUNCTIONS);
    rig.answer({ do: 'register_ftrace_direct(ip)', ip: 'f5', addr: 'my_tramp1' });
    rig.answer(UNLOAD);
    const leave = { do: 'unregister_ftrace_direct(ip)', ip: 'f5 (gone 1)', addr: 'my_tramp1' } as const;
    expect(rig.answer(leave)).toBe('ENODEV');
    expect(rig.k.ftrace.directFunctions).toEqual({ 'f5 (gone 1)': 'my_tramp1' });
  });
});

test('a multi link to a function of a module is not modelled in a design that does not say who holds it', () => {
  const rig = new Rig('6.12, multiLinks = one by one', FUNCTIONS);
  rig.load(1, 'fentry', '', { multi: true });
  const link = { do: 'BPF_LINK_CREATE', link: 'link#1', prog: 1, targets: ['f1', 'f5'] } as const;
  expect(() => rig.answer(link)).toThrow('a multi link to f5, which is in a module: not modelled');
});

test('what calls others, or is called by them, is in no module', () => {
  expect(() => moduleFunction('cb', 1, 'u64 x2 -> u64', 'm1')).toThrow('cb calls others');
  const functions = [tracedFunction('cb', 1, 'u64 x2 -> u64'), moduleFunction('f1', 2, 'u64 -> u64', 'm1')];
  expect(() => new Rig('6.12', functions)).toThrow('f1 is called by another function');
  expect(targetProgram('p1', 1, 'u64 -> u64').module).toBe('');
});
