import { describe, expect, test } from 'vitest';
import { profileNamed } from '../core/profile.ts';
import { ask } from '../testing/asked.ts';
import type { Rig } from '../testing/attach-rig.ts';

const ON = 'sysctl debug.kprobes-optimization=1; ';
const SETTLED = '; all grace periods end';

/** The offsets of the first three instructions of a body, from the symbol. */
function offsets(profile: string): [push: string, sub: string, mov: string] {
  const site = profileNamed(profile).ibt ? 4 : 0;
  return [5, 6, 10].map((offset) => `f1+0x${(site + offset).toString(16)}`) as [string, string, string];
}

/** Which addresses have a jump, and which an int3. */
function text({ k }: Rig): Record<string, string> {
  const kinds: Record<string, string> = { cc: 'int3', e9: 'jump' };
  const heads = Object.entries(k.text.probed).map(([ip, bytes]) => [ip, kinds[bytes.slice(0, 2)]] as const);
  return Object.fromEntries(heads.flatMap(([ip, kind]) => (kind === undefined ? [] : [[ip, kind]])));
}

describe.each(['6.1', '6.12', '7.2'])('an optimised kprobe, %s', (profile) => {
  const [push, sub, mov] = offsets(profile);
  const run = (calls: string) => ask(profile, ON + calls);
  const register = (n: number, ip: string, more = '') => `register_kprobe(kprobe#${n}, ${ip}${more})`;

  test.each([push, sub, mov])('is an int3, then a jump to a detour that calls it, %s', (ip) => {
    const plain = ask(profile, 'all grace periods end').rig.call('f1').run.rax;
    const { rig } = run(register(1, ip));
    expect(text(rig)).toEqual({ [ip]: 'int3' });
    expect(rig.call('f1')).toMatchObject({ who: ['kprobe#1', 'f1'], run: { rax: plain } });
    rig.answer({ do: 'settle' });
    expect(text(rig)).toEqual({ [ip]: 'jump' });
    expect(rig.call('f1')).toMatchObject({ who: ['kprobe#1', 'f1'], run: { rax: plain } });
    rig.answer({ do: 'unregister_kprobe', kprobe: 'kprobe#1' });
    expect(rig.call('f1')).toMatchObject({ who: ['f1'], run: { rax: plain } });
    rig.answer({ do: 'settle' });
    expect(rig.k.text).toMatchObject({ probed: {}, pages: {} });
    expect(rig.k.probes).toMatchObject({ kprobeTable: {}, optimizer: { ops: {} } });
  });

  test('gives its handlers the registers of the call', () => {
    const { rig } = run(register(1, push) + SETTLED);
    const [event] = rig.call('f1').run.events;
    const { rig: trapped } = ask(profile, register(1, push));
    expect(event).toEqual(trapped.call('f1').run.events[0]);
  });

  test('loses its jump at once to a kprobe among its instructions', () => {
    const { rig } = run(`${register(1, push)}${SETTLED}; ${register(2, sub)}`);
    expect(text(rig)).toEqual({ [push]: 'int3', [sub]: 'int3' });
    expect(rig.call('f1').who).toEqual(['kprobe#1', 'kprobe#2', 'f1']);
    rig.answer({ do: 'settle' });
    expect(text(rig)).toEqual({ [push]: 'int3', [sub]: 'jump' });
    expect(rig.call('f1').who).toEqual(['kprobe#1', 'kprobe#2', 'f1']);
  });

  // Seen in kprobes/list of 6.12.117 and 7.2.13, at vfs_fsync_range+0x9 and +0xd.
  test('gets it back when the other goes, since 7.0', () => {
    const { rig } = run(`${register(1, push)}${SETTLED}; ${register(2, sub)}${SETTLED}`);
    rig.answer({ do: 'unregister_kprobe', kprobe: 'kprobe#2' });
    rig.answer({ do: 'settle' });
    expect(text(rig)).toEqual({ [push]: profile === '7.2' ? 'jump' : 'int3' });
  });

  test('is none beside an armed kprobe among its instructions', () => {
    const { rig } = run(`${register(2, sub)}${SETTLED}; ${register(1, push)}${SETTLED}`);
    expect(text(rig)).toEqual({ [push]: 'int3', [sub]: 'jump' });
  });

  test('may cover a disabled kprobe, and loses its jump when that is enabled', () => {
    const { rig } = run(`${register(2, sub, ', KPROBE_FLAG_DISABLED')}; ${register(1, push)}${SETTLED}`);
    expect(text(rig)).toEqual({ [push]: 'jump' });
    rig.answer({ do: 'enable_kprobe', kp: 'kprobe#2' });
    rig.answer({ do: 'settle' });
    expect(text(rig)).toEqual({ [push]: 'int3', [sub]: 'jump' });
    expect(rig.call('f1').who).toEqual(['kprobe#1', 'kprobe#2', 'f1']);
  });

  test('has no post_handler, and loses its jump to one that has', () => {
    expect(text(run(register(1, push, ', post_handler') + SETTLED).rig)).toEqual({ [push]: 'int3' });
    const { rig } = run(`${register(1, push)}${SETTLED}; ${register(2, push, ', post_handler')}`);
    expect(text(rig)).toEqual({ [push]: 'int3' });
    expect(rig.call('f1').who).toEqual(['kprobe#2', 'kprobe#1', 'kprobe#2', 'f1']);
    rig.answer({ do: 'unregister_kprobe', kprobe: 'kprobe#2' });
    rig.answer({ do: 'settle' });
    expect(text(rig)).toEqual({ [push]: 'jump' });
  });

  test('is one jump for all kprobes of an address', () => {
    const { rig } = run(`${register(1, push)}${SETTLED}; ${register(2, push)}`);
    expect(text(rig)).toEqual({ [push]: 'jump' });
    expect(rig.call('f1').who).toEqual(['kprobe#2', 'kprobe#1', 'f1']);
  });

  test('comes and goes with debug.kprobes-optimization', () => {
    const { rig } = run(`${register(1, push)}${SETTLED}; sysctl debug.kprobes-optimization=0`);
    expect(text(rig)).toEqual({ [push]: 'int3' });
    rig.answer({ do: 'debug.kprobes-optimization', value: true });
    rig.answer({ do: 'settle' });
    expect(text(rig)).toEqual({ [push]: 'jump' });
  });

  test('that is disabled is disarmed by the optimiser, and the address is used again', () => {
    const { rig } = run(`${register(1, push)}${SETTLED}; disable_kprobe(kprobe#1)`);
    expect(rig.call('f1').who).toEqual(['f1']);
    rig.answer({ do: 'settle' });
    expect(text(rig)).toEqual({});
    rig.answer({ do: 'enable_kprobe', kp: 'kprobe#1' });
    rig.answer({ do: 'settle' });
    expect(text(rig)).toEqual({ [push]: 'jump' });
    expect(rig.call('f1').who).toEqual(['kprobe#1', 'f1']);
  });

  test('counts a miss while a kprobe runs on the CPU', () => {
    const { rig } = run(register(1, push) + SETTLED);
    rig.k.current.kprobe = true;
    expect(rig.call('f1').who).toEqual(['f1']);
    expect(rig.k.probes.kprobes['kprobe#1']!.nmissed).toBe(1);
  });
});
