import type { Action } from '../../model/action.ts';
import { warningText } from '../../model/core/warning-words.ts';
import type { AttachLaw } from '../law/sequence-law.ts';
import { isAlive } from '../law/sequence-law.ts';

const DETACHES: ReadonlySet<Action['do']> = new Set([
  'unregister_ftrace_function',
  'unregister_ftrace_direct',
  'unregister_ftrace_direct(ip)',
  'update_ftrace_direct_del',
  'unregister_ftrace_graph',
  'unregister_kprobe',
  'unregister_kretprobe',
  'unregister_fprobe',
  'close(link)',
]);

/** I-27. */
export const detachingNeedsNoMemory: AttachLaw = {
  name: 'ftrace/detaching-needs-no-memory',
  sentence: 'Detaching does not fail for lack of memory: a client that has attached can always leave.',
  source:
    'kernel/trace/ftrace.c  ftrace_shutdown, ftrace_shutdown_subops; kernel/bpf/trampoline.c  bpf_trampoline_update',
  witness: 'an allocation failed in a detach',
  judge: (moment) => {
    const { before, after, action, outcome } = moment;
    if (
      !DETACHES.has(action.do) ||
      !isAlive(moment) ||
      before.fault?.what !== 'allocation' ||
      after.fault !== null
    )
      return 'no say';
    const { where } = before.fault;
    const expected = `${action.do} does without the memory that ${where} lacks`;
    if (outcome.errno !== 0) return { expected, observed: `it answers ${outcome.errno}` };
    const [warning] = outcome.warnings;
    if (warning !== undefined) return { expected, observed: warningText(warning) };
    const stuck = after.fgraph.subops.filter(
      (name) => !after.fgraph.array.includes(name.replace(/\.ops$/, '')),
    );
    if (stuck.length > 0) return { expected, observed: `${stuck.join(', ')} stays with its manager` };
    return 'held';
  },
};
