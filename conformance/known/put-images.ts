import type { AttachBreach } from '../../checker/sequences/played.ts';
import type { KernelView } from '../../model/kernel.ts';
import type { Lead } from '../../properties/finding/state-finding.ts';

/*
 * Of an image that is put although its call site calls it.
 */

/** A call site, or the entry of a direct call, is unchanged: its target existed before the step. */
export function hasStayed(before: KernelView, after: KernelView, from: Lead): boolean {
  if (from.is === 'call site') return after.text.sites[from.of] === before.text.sites[from.of];
  const { directFunctions } = after.ftrace;
  return from.is === 'direct call' && directFunctions[from.of] === before.ftrace.directFunctions[from.of];
}

/** A link to several functions is refused, and its rollback, over which ftrace dies, detaches the program from them. */
export function isTakenBack({ action, outcome, before, after }: AttachBreach['moment'], from: Lead): boolean {
  return (
    action.do === 'BPF_LINK_CREATE' &&
    action.targets.length > 1 &&
    action.targets.includes(from.of) &&
    outcome.errno !== 0 &&
    !before.ftrace.disabled &&
    after.ftrace.disabled
  );
}

/** An image, the trampoline of an ops, or a page that was one of them. */
export function isOfBpfOrOps(page: string): boolean {
  return page.startsWith('tramp#') || page.startsWith('page ') || page.endsWith('.trampoline');
}
