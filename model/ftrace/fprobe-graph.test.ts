import { describe, expect, test } from 'vitest';
import { ask } from '../testing/asked.ts';

const BOTH =
  'register_fprobe_ips(fprobe#1, { f1 }, exit_handler); register_fprobe_ips(fprobe#2, { f2 }, exit_handler)';

describe('fprobes on function graph', () => {
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
