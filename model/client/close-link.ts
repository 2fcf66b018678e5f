import { without } from '../contract/changes.ts';
import { ofClient } from '../contract/footprint.ts';
import { withoutProbe } from '../contract/promised-hits.ts';
import type { LinkId } from '../core/ids.ts';
import { closeLink } from '../trampoline/release.ts';
import type { ClientCall } from './client-call.ts';
import { argsOf, never, servedBy } from './client-call.ts';
import { called } from './spelling.ts';

/** close() of a link, the last of its file descriptors. */
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
  promised: (p, { link }) => ({ ...without(p, link), probes: withoutProbe(p.probes, link) }),
  isDoneAnyway: true,
  touched: (p, k, { link }) => ofClient(p, k, link),
  sharesOps: 'of fprobes',
  print: ({ link }) => called('close', link),
  parse: ({ name, args: [link = ''] }) =>
    name === 'close' && !link.startsWith('prog#') ? { do: 'close(link)', link } : undefined,
};
