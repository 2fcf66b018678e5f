import { expect, test } from 'vitest';
import { ask } from '../testing/asked.ts';

test('a kprobe that has lost its address stays in the table while another comes and goes', () => {
  const { rig, answers } = ask(
    '6.1',
    [
      'register_kprobe(kprobe#1, f1)',
      'the next poke in ftrace_replace_code fails',
      'unregister_kprobe(kprobe#1)',
      'register_kprobe(kprobe#2, f1)',
      'register_kprobe(kprobe#1, f1)',
    ].join('; '),
  );
  expect(answers.slice(-2)).toEqual(['ENODEV', 'EINVAL']);
  expect(rig.k.probes.kprobeTable['f1']).toMatchObject({ probes: ['kprobe#1'] });
});

test.each(['6.1', '6.12', '7.2'])(
  'memory that has lost its address in the table is not registered elsewhere, %s',
  (profile) => {
    const { answers } = ask(
      profile,
      [
        'register_kretprobe(kretprobe#1, f1, maxactive=1)',
        'register_kprobe(kprobe#2, f2)',
        'the next allocation in ftrace_set_hash fails',
        'unregister_kretprobe(kretprobe#1)',
        'register_kprobe(kprobe#3, f1)',
        'register_kretprobe(kretprobe#1, f2, maxactive=1)',
      ].join('; '),
    );
    expect(answers.slice(-2)).toEqual([0, 'EBADF']);
  },
);

test.each(['6.1', '6.12', '7.2'])(
  'memory that another kprobe hides in the table is not registered at its address, %s',
  (profile) => {
    const { answers } = ask(
      profile,
      [
        'register_kretprobe(kretprobe#1, f1, maxactive=0)',
        'register_kprobe(kprobe#3, f2)',
        'the next allocation in ftrace_set_hash fails',
        'unregister_kretprobe(kretprobe#1)',
        'register_kprobe(kprobe#2, f1)',
        'register_kretprobe(kretprobe#1, f1, maxactive=2)',
        'kfree(kretprobe#1)',
      ].join('; '),
    );
    expect(answers.slice(-2)).toEqual(['EBADF', 'EBADF']);
  },
);
