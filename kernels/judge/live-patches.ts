import type { Promises } from '../../model/contract/promises.ts';
import { LIVE_PATCH_FLAGS } from '../../model/ftrace/ops.ts';
import type { ExpectedCall } from '../../properties/observed/expectation.ts';
import { allCalls } from '../../properties/observed/expectation.ts';
import type { Seen } from '../history/seen.ts';

/**
 * The handler of a live patch is the kernel's own, and tells nobody that it has run: that its replacement runs says so. Its
 * event is put before that of the replacement; of the ops of a client that stands for a live patch it is there already.
 */
export function withPatches(
  expected: ExpectedCall,
  { flags }: Pick<Promises, 'flags'>,
  events: readonly Seen[],
): Seen[] {
  const patches = allCalls(expected).flatMap(({ fn, clients }) =>
    clients.filter(({ who }) => flags[who] === LIVE_PATCH_FLAGS).map(({ who }) => ({ fn, who })),
  );
  const silent = patches.filter(
    ({ who }) => !events.some((event) => event.kind === 'ftrace' && event.who === who),
  );
  return events.flatMap((event) => {
    if (event.kind !== 'replacement') return [event];
    const ran = silent.shift();
    return ran === undefined ? [event] : [{ kind: 'ftrace', ...ran }, event];
  });
}
