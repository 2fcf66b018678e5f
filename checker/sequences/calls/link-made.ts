import type { Action, ActionOf } from '../../../model/client/all.ts';

/** The link that an action creates, and its program; undefined: none. */
export function linkMadeBy(
  action: Action,
): ActionOf<'BPF_LINK_CREATE' | 'BPF_RAW_TRACEPOINT_OPEN' | 'BPF_LINK_CREATE(perf_event)'> | undefined {
  const isOne =
    action.do === 'BPF_LINK_CREATE' ||
    action.do === 'BPF_RAW_TRACEPOINT_OPEN' ||
    action.do === 'BPF_LINK_CREATE(perf_event)';
  return isOne ? action : undefined;
}
