import type { AttachCase } from '../attach-case.ts';
import { searchedCall } from '../calls/all.ts';

/** The sequence with one request less in one action. */
export function withPlainerActions(c: AttachCase): AttachCase[] {
  return c.actions.flatMap((action, i) =>
    (searchedCall(action).plainer?.(action, c) ?? []).map((plainer) => ({
      ...c,
      actions: c.actions.with(i, plainer),
    })),
  );
}
