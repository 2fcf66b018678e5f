import type { KernelView } from '../../model/kernel.ts';
import type { Moment } from '../../properties/law/sequence-law.ts';

/**
 * Whether a step concerns multi links: one is attached, being attached or detached, or its function is
 * called.
 */
export function isOfMultiLinks(moment: Moment): boolean {
  const { before, action, after } = moment;
  if (action.do === 'call') return targetsIn(before).has(action.fn);
  const comes = action.do === 'BPF_LINK_CREATE' && after.bpf.progs[action.prog]?.program.multi === true;
  return comes || targetsIn(before).size > 0;
}

function targetsIn({ bpf }: KernelView): ReadonlySet<string> {
  const links = Object.values(bpf.links).filter(({ kind }) => kind === 'tracing multi');
  return new Set(links.flatMap(({ targets }) => targets));
}
