import { describe, expect, test } from 'vitest';
import type { Raw } from '../../conformance/sequences/rig.ts';
import { raw, replay } from '../../conformance/sequences/rig.ts';
import { divergenceReport } from './report.ts';

function reportOf(edit: (record: Raw) => void): string {
  const record = raw('6.12', 'common', 242);
  edit(record);
  const [result] = replay(record);
  return `\n${divergenceReport(result!).join('\n')}\n`;
}
const look = (record: Raw, step: number) => record.steps[step]!.obs[0]!;

describe('a changed record is reported', () => {
  test('the record that the others are made of agrees', () => {
    expect(replay(raw('6.12', 'common', 242))[0]!.divergence).toBeUndefined();
  });

  test('another errno', () => {
    expect(reportOf((record) => Object.assign(record.steps[2]!, { errno: 0 }))).toMatchInlineSnapshot(`
      "
      ✗ a.jsonl:1                                               6.12 common 242, first

         1  kpon f2 1                                                              = 0
         2  freg f2 0                                                              = 0
      ✗  3  dreg f2 1 2                                                            = 0

                          kernel                        model
      ✗ errno             0                             EBUSY

        question   fns=f2: kpon f2 1; freg f2 0; dreg f2 1 2
      "
    `);
  });

  test('an event less', () => {
    expect(reportOf((record) => look(record, 4).call.ev.splice(2, 1))).toMatchInlineSnapshot(`
      "
      ✗ a.jsonl:1                                               6.12 common 242, first

         1  kpon f2 1                                                              = 0
         2  freg f2 0                                                              = 0
         3  dreg f2 1 2                                                        = EBUSY
         4  b+ f2 0 fexit                                                          = 0
      ✗  5  gon f2                                                                 = 0

        events, f2
          kernel: 6 events                      model: 7 events
          fg_entry                              fg_entry
          ftrace plain =2                       ftrace plain =2
      ✗   kprobe_post 1                         kprobe 1 =2
          body =2 ret 0xcb6161702cf771cc        kprobe_post 1
          bpf 0 =2 ret 0xcb6161702cf771cc       body =2 ret 0xcb6161702cf771cc
          fg_exit                               bpf 0 =2 ret 0xcb6161702cf771cc
          … 1 after

        question   fns=f2: kpon f2 1; freg f2 0; dreg f2 1 2; b+ f2 0 fexit; gon f2
      "
    `);
  });

  test('another return value in an event', () => {
    expect(
      reportOf((record) => Object.assign(look(record, 3).call.ev.at(-1)!, { ret: '0x1' })),
    ).toMatchInlineSnapshot(`
      "
      ✗ a.jsonl:1                                               6.12 common 242, first

         1  kpon f2 1                                                              = 0
         2  freg f2 0                                                              = 0
         3  dreg f2 1 2                                                        = EBUSY
      ✗  4  b+ f2 0 fexit                                                          = 0

        events, f2
          kernel: 5 events                      model: 5 events
          … 1 before
          kprobe 1 =2                           kprobe 1 =2
          kprobe_post 1                         kprobe_post 1
          body =2 ret 0xcb6161702cf771cc        body =2 ret 0xcb6161702cf771cc
      ✗   bpf 0 =2 ret 0x1                      bpf 0 =2 ret 0xcb6161702cf771cc
            ret 0x1                               ret 0xcb6161702cf771cc

        question   fns=f2: kpon f2 1; freg f2 0; dreg f2 1 2; b+ f2 0 fexit
      "
    `);
  });

  test('another entry', () => {
    expect(
      reportOf((record) => Object.assign(look(record, 0), { entry: 'ftrace_caller+0x0/0x58' })),
    ).toMatchInlineSnapshot(`
      "
      ✗ a.jsonl:1                                               6.12 common 242, first

      ✗  1  kpon f2 1                                                              = 0

                          kernel                        model
      ✗ entry, f2         call ftrace_caller            call an ops trampoline

        question   fns=f2: kpon f2 1
      "
    `);
  });

  test('another count in enabled_functions', () => {
    expect(
      reportOf((record) => {
        look(record, 3).enabled = look(record, 3).enabled!.replace('(3)', '(2)');
      }),
    ).toMatchInlineSnapshot(`
      "
      ✗ a.jsonl:1                                               6.12 common 242, first

         1  kpon f2 1                                                              = 0
         2  freg f2 0                                                              = 0
         3  dreg f2 1 2                                                        = EBUSY
      ✗  4  b+ f2 0 fexit                                                          = 0

      ✗ enabled_functions, f2
        kernel            2 ops, R I D, direct a BPF trampoline
        model             3 ops, R I D, direct a BPF trampoline

        question   fns=f2: kpon f2 1; freg f2 0; dreg f2 1 2; b+ f2 0 fexit
      "
    `);
  });

  test('a site that is left patched', () => {
    expect(
      reportOf((record) => Object.assign(record, { after_reset: ['ftrace_regs_caller+0x0/0x58'] })),
    ).toMatchInlineSnapshot(`
      "
      ✗ a.jsonl:1                                               6.12 common 242, first

         1  kpon f2 1                                                              = 0
         2  freg f2 0                                                              = 0
         3  dreg f2 1 2                                                        = EBUSY
         4  b+ f2 0 fexit                                                          = 0
         5  gon f2                                                                 = 0
         6  freg f2 2                                                          = EBUSY
      ✗  7  everything is detached

                          kernel                        model
      ✗ after_reset, f2   call ftrace_regs_caller       nop

        question   fns=f2: kpon f2 1; freg f2 0; dreg f2 1 2; b+ f2 0 fexit; gon f2; freg f2 2
      "
    `);
  });

  test.each<[string, (record: Raw) => void]>([
    ['rax', (record) => Object.assign(look(record, 5).call, { rax: '0x1' })],
    ['callee-saved', (record) => Object.assign(look(record, 5).call, { callee_saved_bad: 2 })],
    ['poisoned', (record) => Object.assign(record, { poisoned: { fn: 'f2', dreg_errno: 16 } })],
    ['stage', (record) => Object.assign(record.steps[3]!, { stage: 'load' })],
    ['attached', (record) => Object.assign(record.steps[3]!, { attached: 1 })],
    ['entry', (record) => Object.assign(look(record, 3), { jmp: 1 })],
  ])('%s', (aspect, edit) => {
    const record = raw('6.12', 'common', 242);
    edit(record);
    expect(replay(record)[0]!.divergence!.aspect).toBe(aspect);
  });
});
