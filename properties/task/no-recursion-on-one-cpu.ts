import type { CallEvent, EventKind } from '../../model/core/event.ts';
import type { KernelView } from '../../model/kernel.ts';
import type { Happening, TaskJudgement, TaskLaw } from '../law/interleaving-law.ts';

/** C10, first half. */
export const noRecursionOnOneCpu: TaskLaw = {
  name: 'task/no-recursion-on-one-cpu',
  sentence:
    'Neither a tracing program nor the handler of a kprobe runs recursively on one CPU; a recursive entry is skipped.',
  source:
    'kernel/bpf/trampoline.c __bpf_prog_enter_recur, __bpf_prog_enter_sleepable_recur; kernel/trace/bpf_trace.c kprobe_multi_link_prog_run, trace_call_bpf; arch/x86/kernel/kprobes/ftrace.c kprobe_ftrace_handler; kernel/trace/fprobe.c fprobe_kprobe_handler',
  witness: 'a run of a program, or an interrupt in a handler',
  judge: ({ happening, kernel }) => {
    if (happening.is === 'call over') return judgeInterrupt(happening, kernel);
    if (happening.is !== 'runs program') return 'not applicable';
    const { prog, bodies } = happening;
    if (mayRecur(kernel, prog)) return 'not applicable';
    if (bodies < 2) return 'held';
    return { is: 'program-runs-in-itself', prog, bodies };
  },
};

/**
 * __bpf_prog_enter() does not count: a program of BPF LSM, or of a member of struct_ops, may recur. So may one of XDP, which
 * bpf_prog_run_xdp() calls, and an extension, which its target does.
 */
function mayRecur({ bpf }: KernelView, prog: number): boolean {
  const load = bpf.progs[prog];
  if (load === undefined) return false;
  const { lsm, structOps, kind } = load.program;
  return lsm === true || structOps === true || kind === 'freplace' || load.probe === 'xdp';
}

/**
 * The call of an interrupt in the handler of a kprobe calls no other, nor in a program that bpf_prog_active guards:
 * of kprobe.multi, or of a perf event on a tracepoint or a kprobe. The handler of an fprobe that is shared with kprobes is one of
 * theirs.
 */
function judgeInterrupt(
  { within, run }: Extract<Happening, { readonly is: 'call over' }>,
  { probes, bpf }: KernelView,
): TaskJudgement {
  if (within === undefined) return 'not applicable';
  const { kprobe, bpfProgActive } = within;
  const recursive = [...(kprobe ? KPROBES : []), ...(bpfProgActive > 0 ? PROGRAMS : [])];
  if (recursive.length === 0) return 'not applicable';
  const isShared = ({ kind, who }: CallEvent) =>
    kprobe && kind === 'fprobe entry' && probes.fprobes[who]?.shared === true;
  const isOfPerfEvent = ({ kind, who, prog }: CallEvent) =>
    bpfProgActive > 0 &&
    (prog !== undefined ||
      (kind === 'program' && bpf.progs[Number(who.slice('prog#'.length))]?.probe === 'tp'));
  const event = run.events.find(
    (seen) => recursive.includes(seen.kind) || isShared(seen) || isOfPerfEvent(seen),
  );
  if (event === undefined) return 'held';
  const { who, fn, kind } = event;
  return { is: 'handler-runs-in-a-handler', event: { who, fn, kind, atReturn: false } };
}

const KPROBES: readonly EventKind[] = ['kprobe', 'kprobe post', 'kretprobe entry', 'kretprobe'];
const PROGRAMS: readonly EventKind[] = ['kprobe.multi', 'kprobe.multi return'];
