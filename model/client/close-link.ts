import { without } from '../contract/changes.ts';
import { ofClient } from '../contract/footprint.ts';
import { eventLinkClosed, ofLinkedEvent } from '../contract/perf-events.ts';
import { withoutProbe } from '../contract/promised-hits.ts';
import type { LinkId } from '../core/ids.ts';
import { closeLink } from '../trampoline/release.ts';
import type { ClientCall } from './client-call.ts';
import { argsOf, never, servedBy } from './client-call.ts';
import { called } from './spelling.ts';

/*
 * bpf_link_release() and bpf_link_free() in kernel/bpf/syscall.c. close() answers 0 whatever happens: errors of
 * `link->ops->release()` end in a WARN (bpf_tracing_link_release()) or nowhere
 * (bpf_kprobe_multi_link_release()). The program stays attached then, and its client has no handle left to try
 * again.
 *
 * A tracing link is freed at once, because images refer to programs and not to links. Links of kprobe.multi and
 * raw tracepoints are what the handler is given, and so they are freed after RCU, or RCU-tasks-trace when the
 * program can sleep.
 */

/**
 * close() of a link. No other file descriptor and no pin refers to it: the reference that is dropped is the
 * last one.
 */
export interface CloseLink {
  readonly do: 'close(link)';
  readonly link: LinkId;
}

export const closeLinkCall: ClientCall<CloseLink> = {
  sentence: 'Closes a link.',
  examples: [{ do: 'close(link)', link: 'link#1' }],
  service: servedBy(closeLink, argsOf),
  role: 'detaches',
  isMisuse: never,
  promised: (p, { link }) => {
    const left = eventLinkClosed(without(p, link), link);
    return { ...left, probes: withoutProbe(left.probes, link) };
  },
  isDoneAnyway: true,
  touched: (p, k, { link }) => ofLinkedEvent(p, link) ?? ofClient(p, k, link),
  sharesOps: 'of fprobes',
  print: ({ link }) => called('close', link),
  parse: ({ name, args: [link = ''] }) =>
    name === 'close' && !/^(?:prog|perf)#/.test(link) ? { do: 'close(link)', link } : undefined,
};
