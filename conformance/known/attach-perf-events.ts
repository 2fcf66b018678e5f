import type { KernelView } from '../../model/kernel.ts';
import { hasMultiHelpers } from '../../model/perf-event/run-context.ts';
import type { KnownAttach } from './attach.ts';
import { known } from './attach.ts';

const EVIDENCE =
  'kernel/events/core.c  __perf_event_set_bpf_prog compares prog->type alone; kernel/trace/bpf_trace.c  bpf_kprobe_multi_entry_ip, bpf_kprobe_multi_cookie; run on 6.1.192, 6.12.117 and 7.2.13';

/** Programs of kprobe.multi that PERF_EVENT_IOC_SET_BPF sets on events of kprobes. */
export const KNOWN_PERF_EVENTS: readonly KnownAttach[] = [
  known({
    name: 'event-of-a-kprobe-misleads-a-multi-program',
    sentence:
      'PERF_EVENT_IOC_SET_BPF sets a program of kprobe.multi on the event of a kprobe: bpf_get_func_ip() returns a word of the stack to it, and 0 without fprobes.',
    evidence: EVIDENCE,
    law: 'ftrace/kprobe-events-run-their-program',
    kernels: ['6.1', '6.12', '7.2'],
    finding: 'function-ip-differs',
    when: ({ who }, { moment: { after } }) => runsMultiProgram(after, who),
    example:
      'prog#1 = BPF_PROG_LOAD(kprobe.multi entry get_func_ip); perf#1 = perf_event_open(kprobe, f1); PERF_EVENT_IOC_SET_BPF(perf#1, prog#1); task#1 calls f1(0x5100000071000000)',
  }),
  known({
    name: 'event-of-a-kprobe-crashes-a-multi-program',
    sentence:
      'PERF_EVENT_IOC_SET_BPF sets a program of kprobe.multi on the event of a kprobe: bpf_get_attach_cookie() follows the canary of the stack, where it expects its link, and bpf_session_cookie() returns NULL.',
    evidence: `${EVIDENCE} (a general protection fault in bpf_get_attach_cookie_kprobe_multi() on the later two)`,
    law: 'ftrace/traced-calls-return',
    kernels: ['6.12', '7.2'],
    restsOn: ['fprobe'],
    finding: 'call-does-not-return',
    when: ({ why }) => why.is === 'run context of an event',
    example:
      'prog#1 = BPF_PROG_LOAD(kprobe.multi entry cookie=0x7); perf#1 = perf_event_open(kprobe, f1); PERF_EVENT_IOC_SET_BPF(perf#1, prog#1); task#1 calls f1(0x5100000071000000)',
  }),
];

function runsMultiProgram(k: KernelView, event: string): boolean {
  const loaded = k.bpf.progs[k.perf?.events[event]?.prog ?? 0];
  return loaded !== undefined && hasMultiHelpers(k, loaded);
}
