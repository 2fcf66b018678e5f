import type { Action } from '../../model/client/all.ts';
import type { Past } from './played.ts';

/**
 * The actions of a sequence without multi links that its kernel has refused, and without the failures that those met,
 * up to the last action, which stays: a design may refuse links that its kernel accepts, and they are attached to
 * nothing.
 */
export function withoutRefusedLinks(history: readonly Past[]): Action[] {
  const isRefused = (index: number) => index < history.length - 1 && isRefusedLink(history[index]);
  const isMet = (index: number) => isRefused(index + 1) && history[index + 2]?.before.fault === null;
  return history.flatMap(({ action }, index) =>
    isRefused(index) || (action.do === 'fail' && isMet(index)) ? [] : [action],
  );
}

function isRefusedLink(past: Past | undefined): boolean {
  if (past === undefined || past.outcome.errno === 0) return false;
  return past.action.do === 'BPF_LINK_CREATE' && past.action.targets.length > 0;
}
