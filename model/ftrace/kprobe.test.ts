import { describe, expect, test } from 'vitest';
import type { Action } from '../client/all.ts';
import { apply } from '../step.ts';
import { ask } from '../testing/asked.ts';

const DIRECT = 'ftrace_set_filter_ip(direct#1, f1); register_ftrace_direct(direct#1, my_tramp1)';

describe.each(['6.1', '6.12', '7.2'])('a kprobe, %s', (profile) => {
  test('fires while it is registered', () => {
    const { rig } = ask(profile, 'register_kprobe(kprobe#1, f1)');
    expect(rig.call('f1').who).toEqual(['kprobe#1', 'f1']);
    rig.answer({ do: 'unregister_kprobe', kprobe: 'kprobe#1' });
    expect(rig.call('f1').who).toEqual(['f1']);
  });

  test('and a second one of the function count as one user of its site', () => {
    const { rig } = ask(profile, 'register_kprobe(kprobe#1, f1); register_kprobe(kprobe#2, f1)');
    expect(new Set(rig.call('f1').who)).toEqual(new Set(['kprobe#1', 'kprobe#2', 'f1']));
    expect(rig.k.ftrace.records['f1']!.count).toBe(1);
  });

  test('with a post_handler over a direct call is EBUSY, and on 7.2 registered without effect', () => {
    const { rig, answers } = ask(profile, `${DIRECT}; register_kprobe(kprobe#1, f1, post_handler)`);
    expect(answers.at(-1)).toBe(profile === '7.2' ? 0 : 'EBUSY');
    expect(rig.call('f1').who).not.toContain('kprobe#1');
  });

  test('again has the call in the trampoline of its ops poked again, which is static', () => {
    const { rig } = ask(profile, 'register_kprobe(kprobe#1, f1); unregister_kprobe(kprobe#1)');
    const page = 'kprobe_ftrace_ops.trampoline';
    const { bytes } = rig.k.text.pages[page]!;
    expect(rig.k.text.pokes[page]).toBeUndefined();
    rig.answer({ do: 'register_kprobe', kprobe: 'kprobe#1', ip: 'f1', post: false });
    expect(rig.k.text.pokes[page]).toBe(1);
    expect(rig.k.text.pages[page]!.bytes).toBe(bytes);
    expect(rig.call('f1').who).toEqual(['kprobe#1', 'f1']);
  });

  test.each<Action>([
    { do: 'register_kprobe', kprobe: 'kprobe#1', ip: 'f1', post: false },
    { do: 'register_kretprobe', kretprobe: 'kretprobe#1', ip: 'f1', maxactive: 2, entryHandler: false },
  ])('registered again is EINVAL with a WARN: $do', (register) => {
    const { k } = ask(profile, 'ftrace_set_filter_ip(direct#1, f1)').rig;
    expect(apply(k, register)).toMatchObject({ errno: 0, warnings: [] });
    expect(apply(k, register)).toMatchObject({
      errno: 'EINVAL',
      warnings: [{ is: 'kprobe registered again' }],
    });
  });
});

test('a kprobe that could not be disarmed is written for the registration that is refused', () => {
  const { rig, answers } = ask(
    '6.1',
    [
      'register_kprobe(kprobe#1, f1, post_handler)',
      'the next poke in ftrace_replace_code fails',
      'unregister_kprobe(kprobe#1)',
      'register_kprobe(kprobe#1, f1)',
    ].join('; '),
  );
  expect(answers.at(-1)).toBe('EINVAL');
  expect(rig.k.probes.kprobeTable['f1']).toMatchObject({ post: false, disabled: false });
  expect(rig.call('f1').run.events.map(({ kind }) => kind)).toEqual(['kprobe', 'body']);
});
