import { expect, test } from 'vitest';
import type { AttachCase } from '../../checker/sequences/attach-case.ts';
import { runSequence } from '../../checker/sequences/run-sequence.ts';
import { parseAction } from '../../model/action-text.ts';
import { KERNELS } from '../../model/core/profile.ts';
import { F1 } from '../planted/sequences/actions.ts';
import { detachNeedsNoMemory } from './detach-needs-no-memory.ts';

const SHARED =
  'ops#1 = ftrace_ops(SAVE_REGS | IPMODIFY); ftrace_set_filter_ip(ops#1, f1); prog#1 = BPF_PROG_LOAD(fexit, f1); link#1 = BPF_LINK_CREATE(prog#1)';
const LACKS_MEMORY = 'the next allocation in bpf_trampoline_update fails';

function judged(profile: string, calls: string) {
  const functions = [F1];
  const actions = calls.split('; ').map((text) => parseAction(text, { profile, functions }));
  const c: AttachCase = { profile, functions, actions };
  return runSequence(c, { laws: [detachNeedsNoMemory] });
}

test.each(KERNELS)('an attached client of %s needs memory', (kernel) => {
  const { breach } = judged(
    kernel,
    `${SHARED}; prog#2 = BPF_PROG_LOAD(fentry, f1); link#2 = BPF_LINK_CREATE(prog#2); ${LACKS_MEMORY}; close(link#2)`,
  );
  expect(breach?.finding).toMatchObject({ is: 'detaching-needs-memory', action: 'close(link)' });
});

test.each(KERNELS)('what %s refuses with memory too breaks no law without', (kernel) => {
  const { breach, outcomes, witnesses } = judged(
    kernel,
    `${SHARED}; register_kprobe(kprobe#1, f1, post_handler); ${LACKS_MEMORY}; unregister_ftrace_function(ops#1)`,
  );
  expect(outcomes.at(-1)?.errno).toBe('EBUSY');
  expect(breach).toBeUndefined();
  expect(witnesses.size).toBe(0);
});
