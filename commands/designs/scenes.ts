import type { AttachCase } from '../../checker/sequences/attach-case.ts';
import { readDeclaration } from '../../counterexamples/sequences/attach-trace.ts';
import { parseAction } from '../../model/action-text.ts';

/** Situations that random sequences seldom reach while a multi link is attached: each exercises one law. */
interface Scene {
  readonly law: string;
  /** Declarations and actions as traces spell them, with `; ` between them. */
  readonly text: string;
}

const FUNCTIONS = 'f1 = function(u64 -> u64); f2 = function(u64 x2 -> u64)';
const ATTACHED = 'prog#1 = BPF_PROG_LOAD(fentry multi); link#1 = BPF_LINK_CREATE(prog#1, { f1 })';
const CALL_F1 = 'task#1 calls f1(0x5100000071000000)';

const SCENES: readonly Scene[] = [
  {
    law: 'ftrace/empty-filter-does-not-trace-everything',
    text: `${FUNCTIONS}; ${ATTACHED}; ops#1 = ftrace_ops(); ftrace_set_filter_ip(ops#1, f1); ftrace_set_filter_ip(ops#1, f2); register_ftrace_function(ops#1); ftrace_set_filter_ip(ops#1, f2, 1, 0)`,
  },
  {
    law: 'ftrace/no-callbacks-while-tracing-is-off',
    text: `${FUNCTIONS}; ${ATTACHED}; sysctl kernel.ftrace_enabled=0; ${CALL_F1}`,
  },
  {
    law: 'trampoline/target-modules-stay-loaded',
    text: `${FUNCTIONS}; f3 [m1] = function(u64 -> u64); ${ATTACHED}; prog#2 = BPF_PROG_LOAD(fentry, f3); link#2 = BPF_LINK_CREATE(prog#2)`,
  },
  {
    law: 'trampoline/programs-fit-their-target',
    text: `${FUNCTIONS}; ${ATTACHED}; prog#2 = BPF_PROG_LOAD(fmod_ret, f2); link#2 = BPF_LINK_CREATE(prog#2)`,
  },
  {
    law: 'ftrace/detach-needs-no-memory',
    text: `${FUNCTIONS}; ${ATTACHED}; register_kprobe(kprobe#1, f1); the next allocation in ftrace_set_hash fails; unregister_kprobe(kprobe#1)`,
  },
  {
    law: 'trampoline/extensions-exclude-programs',
    text: `${FUNCTIONS}; p3 = program(u64 -> u64); ${ATTACHED}; prog#9 = BPF_PROG_LOAD(freplace, p3); link#9 = BPF_LINK_CREATE(prog#9)`,
  },
  {
    law: 'ftrace/overruns-are-counted',
    text: `${FUNCTIONS}; ${ATTACHED}; register_ftrace_graph(gops#1); ${CALL_F1}`,
  },
  {
    law: 'ftrace/programs-get-their-cookie-and-function-ip',
    text: `${FUNCTIONS}; prog#1 = BPF_PROG_LOAD(fentry multi cookie=0x10 get_func_ip); link#1 = BPF_LINK_CREATE(prog#1, { f1, f2 }); ${CALL_F1}`,
  },
  {
    law: 'ftrace/programs-get-their-cookie-and-function-ip',
    text: `${FUNCTIONS}; prog#1 = BPF_PROG_LOAD(fentry multi get_func_ip); link#1 = BPF_LINK_CREATE(prog#1, { f1, f2 }); ${CALL_F1}`,
  },
  {
    law: 'ftrace/return-hooks-run-in-reverse-order',
    text: `${FUNCTIONS}; ${ATTACHED}; register_kretprobe(kretprobe#1, f1, maxactive=0, entry_handler); register_kretprobe(kretprobe#2, f1, maxactive=0, entry_handler); ${CALL_F1}`,
  },
  {
    law: 'ftrace/replaced-return-addresses-are-recoverable',
    text: `${FUNCTIONS}; prog#1 = BPF_PROG_LOAD(fexit multi); link#1 = BPF_LINK_CREATE(prog#1, { f1 }); register_ftrace_graph(gops#1); register_kretprobe(kretprobe#1, f1, maxactive=0); ${CALL_F1}`,
  },
  {
    law: 'ftrace/missed-returns-are-counted',
    text: `${FUNCTIONS}; ${ATTACHED}; register_kretprobe(kretprobe#1, f1, maxactive=1); ${CALL_F1}`,
  },
  {
    law: 'ftrace/entry-data-reaches-its-exit',
    text: `${FUNCTIONS}; ${ATTACHED}; register_fprobe_ips(fprobe#1, { f1 }, entry_handler, exit_handler, entry_data_size=8); ${CALL_F1}`,
  },
  {
    law: 'ftrace/direct-trampoline-runs-exactly-once',
    text: `${FUNCTIONS}; f3 = function(u64 -> u64); prog#1 = BPF_PROG_LOAD(fentry multi); link#1 = BPF_LINK_CREATE(prog#1, { f1, f2 }); direct#1 = ftrace_ops(DIRECT); ftrace_set_filter_ip(direct#1, f3); register_ftrace_direct(direct#1, my_tramp1); prog#2 = BPF_PROG_LOAD(fentry multi); link#2 = BPF_LINK_CREATE(prog#2, { f1, f3 }); task#1 calls f3(0x5100000071000000)`,
  },
  {
    law: 'ftrace/kprobe-events-run-their-program',
    text: `${FUNCTIONS}; ${ATTACHED}; perf#2 = perf_event_open(kprobe, f1); prog#2 = BPF_PROG_LOAD(kprobe); PERF_EVENT_IOC_SET_BPF(perf#2, prog#2); ${CALL_F1}`,
  },
  {
    law: 'trampoline/no-jump-under-a-live-patch',
    text: `${FUNCTIONS}; ${ATTACHED}; prog#2 = BPF_PROG_LOAD(fexit, f2); link#2 = BPF_LINK_CREATE(prog#2); register_kprobe(kprobe#1, f2, post_handler)`,
  },
];

/** Scenes whose images exercise a law on images. */
const IMAGE_SCENES: readonly Scene[] = [
  {
    law: 'trampoline/stack-is-aligned',
    text: `f7 = function(u64 x7 -> u64); prog#1 = BPF_PROG_LOAD(fexit multi); link#1 = BPF_LINK_CREATE(prog#1, { f7 })`,
  },
  {
    law: 'trampoline/stack-is-aligned',
    text: `f7 = function(u64 x7 -> u64); prog#1 = BPF_PROG_LOAD(fentry, f7); link#1 = BPF_LINK_CREATE(prog#1); prog#2 = BPF_PROG_LOAD(fexit multi); link#2 = BPF_LINK_CREATE(prog#2, { f7 })`,
  },
  {
    law: 'trampoline/programs-run-in-order',
    text: `${FUNCTIONS}; ${ATTACHED}; prog#2 = BPF_PROG_LOAD(fexit multi); link#2 = BPF_LINK_CREATE(prog#2, { f1 }); prog#3 = BPF_PROG_LOAD(fentry multi); link#3 = BPF_LINK_CREATE(prog#3, { f1 })`,
  },
  {
    law: 'trampoline/exit-programs-see-the-return-value',
    text: `${FUNCTIONS}; prog#1 = BPF_PROG_LOAD(fexit multi); link#1 = BPF_LINK_CREATE(prog#1, { f1 })`,
  },
  {
    law: 'trampoline/narrow-arguments-are-defined',
    text: `f3 = function(u64, u32, u8 -> u64); prog#1 = BPF_PROG_LOAD(fentry, f3); link#1 = BPF_LINK_CREATE(prog#1); prog#2 = BPF_PROG_LOAD(fentry multi); link#2 = BPF_LINK_CREATE(prog#2, { f3 })`,
  },
  {
    law: 'trampoline/session-cookies-are-separate',
    text: `${FUNCTIONS}; prog#1 = BPF_PROG_LOAD(fsession multi session_cookie); link#1 = BPF_LINK_CREATE(prog#1, { f1, f2 })`,
  },
];

/** The scenes in a kernel. */
export function scenesFor(profile: string): (AttachCase & Pick<Scene, 'law'>)[] {
  return [...SCENES, ...IMAGE_SCENES].map(({ law, text }) => {
    const lines = text.split('; ');
    const functions = lines.flatMap((line, i) => readDeclaration(line, i + 1) ?? []);
    const actions = lines
      .slice(functions.length)
      .map((action) => parseAction(action, { profile, functions }));
    return { law, profile, functions, actions };
  });
}
