import type { LinkId, ProgId } from '../core/ids.ts';
import type { Part } from '../core/part.ts';
import { entry } from '../core/present.ts';
import { profileNamed } from '../core/profile.ts';
import type { RoutineWords } from '../core/routine.ts';
import { routine } from '../core/routine.ts';
import type { Kernel, KernelView } from '../kernel.ts';
import { tracepointProbeRegister, tracepointProbeUnregister } from '../tracepoint/register.ts';
import { bpfStubName, DEFAULT_PRIO, isTracepoint, tracepointNamed } from '../tracepoint/tracepoint.ts';
import { bpfProgPut, forgetRawLink } from '../trampoline/release.ts';
import { bpfProgGet, dropLink, makeLink } from '../trampoline/tracing-attach.ts';

/*
 * Links of raw tracepoint programs, kernel/bpf/syscall.c and kernel/trace/bpf_trace.c. The probe is the stub of
 * the tracepoint; its data is the link, or up to 6.9 the program, so that a program could have a tracepoint only
 * once.
 *
 * ```text
 *   hit -> __bpf_trace_X(data, args) -> bpf_trace_runN(data, args) -> __bpf_trace_run(data) -> program
 * ```
 *
 * Closing the link unregisters the probe and does not wait: a task that has read the data still runs the program,
 * and the link and the program are freed after the grace period of the tracepoint's section.
 */

/** BPF_RAW_TRACEPOINT_OPEN: a program and the name of a tracepoint. */
interface OpenArgs {
  link: LinkId;
  prog: ProgId;
  tracepoint: string;
}

/**
 * bpf_raw_tracepoint_open() and bpf_raw_tp_link_attach(), for a tracepoint by its name. The checks of the program
 * come first, the link is allocated next, and bpf_probe_register() refuses last, with the link undone by
 * bpf_link_cleanup().
 */
export const bpfRawTpLinkAttach = routine<Kernel, OpenArgs>('bpf_raw_tp_link_attach', (words) => [
  words.refuse('EBADF', 'there is no such program', (k, { prog }) => !bpfProgGet(k, prog)),
  words.attempt(attachHeld(words), [words.call(bpfProgPut, (_, { prog }) => ({ prog }))]),
]);

/** With the program held. */
function attachHeld({ refuse, allocate, step, attempt, call }: RoutineWords<Kernel, OpenArgs>): Part[] {
  return [
    refuse('EINVAL', 'it is no program for raw tracepoints', (k, { prog }) => {
      return entry(k.bpf.progs, prog).probe !== 'raw_tp';
    }),
    refuse('ENOENT', 'there is no such tracepoint', (k, { tracepoint }) => !isTracepoint(k, tracepoint)),
    refuse('EINVAL', 'it may sleep, and the probes of the tracepoint may not', (k, { prog, tracepoint }) => {
      return entry(k.bpf.progs, prog).program.sleepable && !tracepointNamed(k, tracepoint).faultable;
    }),
    // After the checks of the program, before those of the tracepoint's arguments.
    allocate('the link'),
    step('make the link', (k, locals) => {
      const { faultable } = tracepointNamed(k, locals.tracepoint);
      makeLink(k, locals, 'raw tracepoint', [locals.tracepoint]);
      k.bpf.rawLinks = { ...k.bpf.rawLinks, [locals.link]: { prog: locals.prog, faultable } };
    }),
    attempt(
      [
        refuse('EINVAL', 'the program reads after the last argument', readsTooMuch),
        call(tracepointProbeRegister, (k, locals) => ({
          tracepoint: locals.tracepoint,
          ...probeOf(k, locals),
          prio: DEFAULT_PRIO,
          mayExist: true,
        })),
      ],
      [
        step('bpf_link_cleanup', (k, locals) => {
          dropLink(k, locals);
          forgetRawLink(k, locals.link);
        }),
      ],
    ),
  ];
}

/** bpf_raw_tp_link_release(): new hits do not call the program; those under way still may. */
export const bpfRawTpLinkRelease = routine<Kernel, { link: LinkId }>(
  'bpf_raw_tp_link_release',
  ({ call }) => [
    call(
      tracepointProbeUnregister,
      (k, { link }) => {
        const { prog, targets } = entry(k.bpf.links, link);
        const [tracepoint = ''] = targets;
        return { tracepoint, ...probeOf(k, { link, prog, tracepoint }), prio: 0, mayExist: false };
      },
      () => {},
    ),
  ],
);

/** The probe to register. Where the data is the program, one program has one tracepoint at most once. */
function probeOf(k: KernelView, { link, prog, tracepoint }: OpenArgs) {
  const data = profileNamed(k.profile).rawTracepointData === 'link' ? link : `prog#${prog}`;
  return { func: bpfStubName(tracepoint), data };
}

/** bpf_probe_register(): `max_ctx_offset` against the number of arguments. */
function readsTooMuch(k: KernelView, { prog, tracepoint }: OpenArgs): boolean {
  const { accesses = [] } = entry(k.bpf.progs, prog).program;
  return accesses.some((number) => number >= tracepointNamed(k, tracepoint).sizes.length);
}
