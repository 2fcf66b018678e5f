import { describe, expect, test } from 'vitest';
import { profileNamed } from '../core/profile.ts';
import { ask } from '../testing/asked.ts';

/** An instruction after the call site, at an offset from the body. */
function inBody(profile: string, offset: number): string {
  return `f1+0x${((profileNamed(profile).ibt ? 9 : 5) + offset).toString(16)}`;
}

/** The instructions of the prologue, and the bytes of two of them that begin none. */
const [PUSH, SUB, MOV] = [0, 1, 5];
const LIVE_PATCH =
  'ops#1 = ftrace_ops(SAVE_REGS | IPMODIFY); ftrace_set_filter_ip(ops#1, f1); register_ftrace_function(ops#1)';

describe.each(['6.1', '6.12', '7.2'])('a kprobe in the body of a function, %s', (profile) => {
  const insn = (offset: number) => inBody(profile, offset);

  test.each([PUSH, SUB, MOV])('fires with the arguments of the call, at +%i', (offset) => {
    const { rig, answers } = ask(profile, `register_kprobe(kprobe#1, ${insn(offset)}, post_handler)`);
    expect(answers).toEqual([0]);
    const plain = ask(profile, 'register_kprobe(kprobe#1, f2)').rig.call('f1');
    const seen = rig.call('f1');
    expect(seen.who).toEqual(['kprobe#1', 'kprobe#1', 'f1']);
    expect(seen.run.rax).toBe(plain.run.rax);
    rig.answer({ do: 'unregister_kprobe', kprobe: 'kprobe#1' });
    expect(rig.call('f1').who).toEqual(['f1']);
    expect(rig.k.text.probed).toEqual({});
  });

  test('is no user of ftrace: the record has none, and no live patch refuses it', () => {
    const { rig, answers } = ask(
      profile,
      `${LIVE_PATCH}; register_kprobe(kprobe#1, ${insn(PUSH)}, post_handler)`,
    );
    expect(answers.at(-1)).toBe(0);
    expect(rig.k.ftrace.records['f1']!.count).toBe(1);
    expect(rig.call('f1').who).toEqual(['ops#1', 'replacement']);
  });

  test('is EILSEQ within the call site and within an instruction, and leaves nothing', () => {
    for (const offset of [-4, -1, 2, 4, 6]) {
      const { rig, answers } = ask(profile, `register_kprobe(kprobe#1, ${insn(offset)})`);
      expect(answers).toEqual(['EILSEQ']);
      expect(rig.k.probes.kprobeTable).toEqual({});
      expect(rig.k.locks).toEqual({});
    }
  });

  test('joins another at the instruction, and stays armed until both are disabled', () => {
    const ip = insn(SUB);
    const { rig } = ask(profile, `register_kprobe(kprobe#1, ${ip}); register_kprobe(kprobe#2, ${ip})`);
    expect(rig.call('f1').who).toEqual(['kprobe#2', 'kprobe#1', 'f1']);
    rig.answer({ do: 'disable_kprobe', kp: 'kprobe#2' });
    expect(rig.call('f1').who).toEqual(['kprobe#1', 'f1']);
    rig.answer({ do: 'disable_kprobe', kp: 'kprobe#1' });
    expect(rig.k.text.probed).toEqual({});
    rig.answer({ do: 'enable_kprobe', kp: 'kprobe#1' });
    expect(rig.call('f1').who).toEqual(['kprobe#1', 'f1']);
  });

  test('fires while kernel.ftrace_enabled is 0, and beside a kprobe at the entry', () => {
    const { rig } = ask(profile, `register_kprobe(kprobe#1, ${insn(PUSH)}); register_kprobe(kprobe#2, f1)`);
    expect(rig.call('f1').who).toEqual(['kprobe#2', 'kprobe#1', 'f1']);
    rig.answer({ do: 'kernel.ftrace_enabled', value: false });
    expect(rig.call('f1').who).toEqual(['kprobe#1', 'f1']);
  });

  test('of a kretprobe is EINVAL: it is no function entry', () => {
    const { rig } = ask(profile, 'register_kprobe(kprobe#2, f2)');
    const register = { kretprobe: 'kretprobe#1', ip: insn(PUSH), maxactive: 2, entryHandler: false };
    expect(rig.answer({ do: 'register_kretprobe', ...register })).toBe('EINVAL');
  });

  test('that is hit while a kprobe runs on the CPU counts a miss', () => {
    const { rig } = ask(profile, `register_kprobe(kprobe#1, ${insn(PUSH)})`);
    rig.k.current.kprobe = true;
    expect(rig.call('f1').who).toEqual(['f1']);
    expect(rig.k.probes.kprobes['kprobe#1']!.nmissed).toBe(1);
  });

  test.runIf(profileNamed(profile).ibt)(
    'at the call site, after endbr64, has the name of the function',
    () => {
      expect(() => ask(profile, 'register_kprobe(kprobe#1, f1+0x4)')).toThrow('write f1');
    },
  );

  test('fires at every instruction of a body, and at no other offset', () => {
    const plain = ask(profile, 'register_kprobe(kprobe#1, f2)').rig.call('f1').run.rax;
    let probed = 0;
    for (let offset = 0; offset < 0x80; offset++) {
      const { rig, answers } = ask(profile, `register_kprobe(kprobe#1, ${insn(offset)})`);
      if (answers[0] === 'EILSEQ') continue;
      probed++;
      expect(answers).toEqual([0]);
      expect(rig.call('f1').who.toSorted()).toEqual(['f1', 'kprobe#1']);
      expect(rig.call('f1').run.rax).toBe(plain);
    }
    expect(probed).toBe(22);
  });
});
