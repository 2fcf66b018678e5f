import { describe, expect, test } from 'vitest';
import { parseSequence } from '../../counterexamples/sequences/attach-trace.ts';
import { bootKernel } from '../kernel.ts';
import { apply } from '../step.ts';
import { ask } from '../testing/asked.ts';

const BOTH =
  'register_fprobe_ips(fprobe#1, { f1 }, exit_handler); register_fprobe_ips(fprobe#2, { f2 }, exit_handler)';

const DEAD = `the next poke in ftrace_replace_code fails
ftrace_set_filter_ip(ops#1, f1)
register_ftrace_function(ops#1)
`;

describe('fprobes on function graph', () => {
  // Shown on 7.2.13.
  test.each([
    ['', 'ENOENT', 'gone'],
    [DEAD, 'ENOENT', 'gone'],
    [DEAD, 'ENODEV', 'there'],
  ])('find no symbol in a module that is gone, dead or alive: %j', (before, errno, module) => {
    const gone = module === 'gone' ? 'delete_module(m1)\n' : '';
    const { case: c } = parseSequence(
      `kernel   7.2\n\nf1 [m1] = function(u64 -> u64)\n${before}${gone}register_fprobe_ips(fprobe#1, { f1 })\n`,
    );
    const k = bootKernel({ profile: c.profile, boot: 'default', functions: c.functions });
    expect(c.actions.map((action) => apply(k, action).errno).at(-1)).toBe(errno);
  });

  test('leave their functions in the filter without memory for an array, until the last of them goes', () => {
    const { rig, answers } = ask(
      '7.2',
      `${BOTH}; the next allocation in unregister_fprobe (fgraph) fails; unregister_fprobe(fprobe#1)`,
    );
    expect(answers.at(-1)).toBe(0);
    expect(rig.k.ftrace.ops['fprobe_graph_ops.ops']!.filter).toEqual(['f1', 'f2']);
    expect(rig.site('f1')).not.toBe('nop5');
    expect(rig.call('f1').who).toEqual(['f1']);
    rig.answer({ do: 'unregister_fprobe', fprobe: 'fprobe#2' });
    expect([rig.site('f1'), rig.site('f2')]).toEqual(['nop5', 'nop5']);
  });

  test('warn when the user that they share cannot be registered', () => {
    const { rig, answers } = ask(
      '7.2',
      'the next allocation in ftrace_startup_subops fails; register_fprobe_ips(fprobe#1, { f1 }, exit_handler)',
    );
    expect(answers.at(-1)).toBe('ENOMEM');
    expect(rig.k.warnings).toEqual([{ is: 'graph user of fprobes refused' }]);
  });
});
