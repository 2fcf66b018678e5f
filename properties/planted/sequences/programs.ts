import { kprobeLoad } from '../../../model/client/bpf-prog-load.ts';
import { kprobeEvent } from '../../../model/client/perf-event-open-kprobe.ts';
import type { Locals } from '../../../model/core/part.ts';
import { entry } from '../../../model/core/present.ts';
import type { Kernel } from '../../../model/kernel.ts';
import { probedAt } from '../../../model/text/body-address.ts';
import type { Cpu } from '../../../model/text/cpu.ts';
import { addressOf } from '../../../model/text/space.ts';
import { siteAddress } from '../../../model/text/text.ts';
import { plus, toHex, ZERO } from '../../../model/x86/word.ts';
import { kprobeEventsRunTheirProgram } from '../../ftrace/kprobe-events-run-their-program.ts';
import { missesAreCountedOnce } from '../../ftrace/misses-are-counted-once.ts';
import { programsGetTheirCookieAndFunctionIp } from '../../ftrace/programs-get-their-cookie-and-function-ip.ts';
import { attached, CALL_F1, link, probeLoad } from './actions.ts';
import { edit, followedBy } from './edits.ts';
import type { AttachPlanted } from './planted.ts';

/** Planted bugs in the helpers around a program, and for the law on what those of a program return. */
export const PLANTED_PROGRAMS: readonly AttachPlanted[] = [
  {
    name: 'program-that-runs-is-counted-as-missed',
    sentence: '__bpf_prog_enter_recur() counts a miss of each program, also of one that runs.',
    history: undefined,
    law: missesAreCountedOnce,
    profile: '6.12',
    edits: [
      edit(
        '__bpf_prog_enter_recur',
        'set the run context, and count',
        followedBy((k) => {
          for (const prog of Object.values(k.bpf.progs)) if (prog.active > 0) prog.misses++;
        }),
      ),
    ],
    smallest: [...attached('fentry'), CALL_F1],
    finding: 'prog#1 misses 0 of its calls, and counts 0 / it counts 1',
  },
  {
    name: 'cookie-is-forgotten',
    sentence: 'A program is attached without the cookie of its link.',
    history: undefined,
    law: programsGetTheirCookieAndFunctionIp,
    profile: '6.12',
    edits: [
      edit(
        '__bpf_trampoline_link_prog',
        'enter the list',
        followedBy((k, locals) => {
          const { nodes } = entry(k.bpf.trampolines, locals['target'] as string);
          nodes.push({ ...nodes.pop()!, cookie: ZERO });
        }),
      ),
    ],
    smallest: [...attached('fentry', 0x1), CALL_F1],
    finding: 'prog#1 on f1 has the cookie 0x1 / it gets 0x0',
  },
  {
    name: 'kprobe-multi-ip-of-the-call-site',
    sentence: 'bpf_get_func_ip() of a kprobe.multi program returns the address of the call site.',
    history: 'bpf: Adjust kprobe_multi entry_ip for CONFIG_X86_KERNEL_IBT (6.1)',
    law: programsGetTheirCookieAndFunctionIp,
    profile: '7.2',
    edits: ['fprobe_ftrace_entry', 'fprobe_fgraph_entry'].map((handler) =>
      edit(handler, 'call the entry handler', followedBy(ipOfCallSite)),
    ),
    smallest: [probeLoad({ getFuncIp: true }), link(1, 1, ['f1']), CALL_F1],
    finding: 'bpf_get_func_ip() returns 0xffffffff81100000 (f1) to prog#1 / it returns 0xffffffff81100004',
  },
  {
    name: 'kprobe-in-a-body-tells-its-address',
    sentence: 'bpf_get_func_ip() returns the address of the kprobe, also of one that is at no entry.',
    history: undefined,
    law: kprobeEventsRunTheirProgram,
    profile: '6.12',
    edits: [
      edit(
        'kprobe_perf_func',
        'kprobe_running',
        followedBy((k, locals) => {
          const { name, offset } = probedAt(locals['fn'] as string);
          if (offset > 0) locals['funcIp'] = toHex(plus(addressOf(k, name), offset));
        }),
      ),
    ],
    smallest: [
      kprobeEvent(1, 'f1', 10),
      kprobeLoad(1),
      { do: 'PERF_EVENT_IOC_SET_BPF', event: 'perf#1', prog: 1 },
      CALL_F1,
    ],
    finding: 'bpf_get_func_ip() returns 0x0 (f1+0xa) to perf#1 / it returns 0xffffffff8110000a',
  },
];

/** The program in an fprobe's entry handler gets the address that ftrace has called from. */
function ipOfCallSite(k: Kernel, locals: Locals): void {
  const { events } = locals['cpu'] as Cpu;
  const event = events.at(-1);
  if (event?.kind !== 'kprobe.multi' || event.ip === undefined) return;
  events.splice(-1, 1, { ...event, ip: toHex(siteAddress(k, event.fn)) });
}
