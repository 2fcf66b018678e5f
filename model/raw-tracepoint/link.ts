import type { LinkId, ProgId } from '../core/ids.ts';
import { entry } from '../core/present.ts';
import { profileNamed } from '../core/profile.ts';
import { routine } from '../core/routine.ts';
import type { Kernel, KernelView } from '../kernel.ts';
import { tracepointProbeRegister, tracepointProbeUnregister } from '../tracepoint/register.ts';
import { bpfStubName, DEFAULT_PRIO, isTracepoint, tracepointNamed } from '../tracepoint/tracepoint.ts';
import { forgetRawLink } from '../trampoline/release.ts';
import { dropLink, makeLink } from '../trampoline/tracing-attach.ts';

/*
 * Links of raw tracepoint programs, kernel/bpf/syscall.c and kernel/trace/bpf_trace.c: the probe is the stub of the
 * tracepoint, its data the link, or up to 6.9 the program.
 */

interface OpenArgs {
  link: LinkId;
  prog: ProgId;
  tracepoint: string;
}

/** bpf_raw_tracepoint_open() and bpf_raw_tp_link_attach(), for a tracepoint by its name. */
export const bpfRawTpLinkAttach = routine<Kernel, OpenArgs>(
  'bpf_raw_tp_link_attach',
  ({ refuse, allocate, step, attempt, call }) => [
    refuse('EBADF', 'there is no such program', (k, { prog }) => (k.bpf.progs[prog]?.refs ?? 0) === 0),
    refuse('EINVAL', 'it is no program for raw tracepoints', (k, { prog }) => {
      return entry(k.bpf.progs, prog).probe !== 'raw_tp';
    }),
    refuse('ENOENT', 'there is no such tracepoint', (k, { tracepoint }) => !isTracepoint(k, tracepoint)),
    refuse('EINVAL', 'it may sleep, and the probes of the tracepoint may not', (k, { prog, tracepoint }) => {
      return entry(k.bpf.progs, prog).program.sleepable && !tracepointNamed(k, tracepoint).faultable;
    }),
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
  ],
);

/** bpf_raw_tp_link_release(): nobody is called any more who has not been called yet. */
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

/** What is registered: one program has one tracepoint once where it is the data itself. */
function probeOf(k: KernelView, { link, prog, tracepoint }: OpenArgs) {
  const data = profileNamed(k.profile).rawTracepointData === 'link' ? link : `prog#${prog}`;
  return { func: bpfStubName(tracepoint), data };
}

/** bpf_probe_register(): `max_ctx_offset` of the program, and as many u64 as the tracepoint has arguments. */
function readsTooMuch(k: KernelView, { prog, tracepoint }: OpenArgs): boolean {
  const { accesses = [] } = entry(k.bpf.progs, prog).program;
  return accesses.some((number) => number >= tracepointNamed(k, tracepoint).sizes.length);
}
