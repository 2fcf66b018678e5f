import { describe, expect, test } from 'vitest';
import { ask } from '../testing/asked.ts';

const patch = (n: number) =>
  `ops#${n} = ftrace_ops(SAVE_REGS | IPMODIFY); ftrace_set_filter_ip(ops#${n}, f1); register_ftrace_function(ops#${n})`;

describe.each(['6.1', '6.12', '7.2'])('which ops may set where a function continues, %s', (profile) => {
  test('is one on each function', () => {
    const { answers } = ask(profile, `${patch(1)}; ${patch(2)}`);
    expect(answers.filter((answer) => answer !== 0)).toEqual(['EBUSY']);
  });

  test('makes room for the next when it leaves', () => {
    const { answers } = ask(profile, `${patch(1)}; unregister_ftrace_function(ops#1); ${patch(2)}`);
    expect(answers.at(-1)).toBe(0);
  });

  test('lives with BPF programs: their image calls the replacement', () => {
    const { rig, answers } = ask(
      profile,
      `prog#1 = BPF_PROG_LOAD(fexit, f1); link#1 = BPF_LINK_CREATE(prog#1); ${patch(1)}`,
    );
    expect(answers.every((answer) => answer === 0)).toBe(true);
    expect(rig.call('f1').who).toEqual(['ops#1', 'replacement', 'prog#1']);
  });
});
