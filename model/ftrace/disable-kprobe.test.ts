import { describe, expect, test } from 'vitest';
import { ask } from '../testing/asked.ts';

const PATCH =
  'ops#1 = ftrace_ops(SAVE_REGS | IPMODIFY); ftrace_set_filter_ip(ops#1, f1); register_ftrace_function(ops#1)';

describe.each(['6.1', '6.12', '7.2'])('a kprobe that is disabled, %s', (profile) => {
  test('sees no call, and its site is a nop, until it is enabled', () => {
    const { rig } = ask(profile, 'register_kprobe(kprobe#1, f1); disable_kprobe(kprobe#1)');
    expect(rig.call('f1').who).toEqual(['f1']);
    expect(rig.k.ftrace.records['f1']!.count).toBe(0);
    expect(rig.answer({ do: 'enable_kprobe', kp: 'kprobe#1' })).toBe(0);
    expect(rig.call('f1').who).toEqual(['kprobe#1', 'f1']);
  });

  test('from its registration on is armed when it is enabled', () => {
    const { rig, answers } = ask(
      profile,
      'register_kprobe(kprobe#1, f1, KPROBE_FLAG_DISABLED); enable_kprobe(kprobe#1)',
    );
    expect(answers).toEqual([0, 0]);
    expect(rig.call('f1').who).toEqual(['kprobe#1', 'f1']);
  });

  test('leaves another of its address alone', () => {
    const { rig } = ask(
      profile,
      'register_kprobe(kprobe#1, f1); register_kprobe(kprobe#2, f1); disable_kprobe(kprobe#1)',
    );
    expect(rig.call('f1').who).toEqual(['kprobe#2', 'f1']);
    rig.answer({ do: 'disable_kprobe', kp: 'kprobe#2' });
    expect(rig.k.ftrace.records['f1']!.count).toBe(0);
    rig.answer({ do: 'unregister_kprobe', kprobe: 'kprobe#2' });
    rig.answer({ do: 'unregister_kprobe', kprobe: 'kprobe#1' });
    expect(rig.k.probes.kprobeTable).toEqual({});
  });

  test('and has a post_handler does not keep a live patch out; enabling it is EBUSY then', () => {
    const { answers } = ask(
      profile,
      `register_kprobe(kprobe#1, f1, post_handler); disable_kprobe(kprobe#1); ${PATCH}; enable_kprobe(kprobe#1)`,
    );
    expect(answers.slice(-2)).toEqual([0, 'EBUSY']);
  });

  test('and has a post_handler makes one without ask for IPMODIFY', () => {
    const { answers } = ask(
      profile,
      `${PATCH}; register_kprobe(kprobe#1, f1, post_handler, KPROBE_FLAG_DISABLED); register_kprobe(kprobe#2, f1)`,
    );
    expect(answers.slice(-2)).toEqual([0, 'EBUSY']);
  });

  test('asks for IPMODIFY after one with a post_handler has been refused', () => {
    const { answers } = ask(
      profile,
      `${PATCH}; register_kprobe(kprobe#1, f1, KPROBE_FLAG_DISABLED); register_kprobe(kprobe#2, f1, post_handler); enable_kprobe(kprobe#1)`,
    );
    expect(answers.slice(-3)).toEqual([0, 'EBUSY', 'EBUSY']);
  });

  test('is enabled beside a live patch otherwise', () => {
    const { rig, answers } = ask(
      profile,
      `${PATCH}; register_kprobe(kprobe#1, f1, KPROBE_FLAG_DISABLED); enable_kprobe(kprobe#1)`,
    );
    expect(answers.at(-1)).toBe(0);
    expect(rig.call('f1').who).toContain('kprobe#1');
  });

  test('cannot be enabled or disabled once it is unregistered', () => {
    const { answers } = ask(
      profile,
      'register_kprobe(kprobe#1, f1); unregister_kprobe(kprobe#1); enable_kprobe(kprobe#1); disable_kprobe(kprobe#1)',
    );
    expect(answers.slice(-2)).toEqual(['EINVAL', 'EINVAL']);
  });

  test('is the one that a kretprobe embeds', () => {
    const { rig } = ask(
      profile,
      'register_kretprobe(kretprobe#1, f1, maxactive=1); disable_kretprobe(kretprobe#1)',
    );
    expect(rig.call('f1').who).toEqual(['f1']);
    expect(rig.answer({ do: 'enable_kprobe', kp: 'kretprobe#1' })).toBe(0);
    expect(rig.call('f1').who).toEqual(['f1', 'kretprobe#1']);
  });
});
