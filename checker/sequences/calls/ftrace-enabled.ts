import fc from 'fast-check';
import type { FtraceEnabled } from '../../../model/client/ftrace-enabled.ts';
import { actions } from '../draw/weighed.ts';
import type { SearchedCall } from './searched-call.ts';
import { noObjects } from './searched-call.ts';

export const searchedFtraceEnabled: SearchedCall<FtraceEnabled> = {
  draw: () => [actions(1, 'kernel.ftrace_enabled', { value: fc.boolean() })],
  isLikely: (p, { value }) => value !== p.tracing,
  effort: 4,
  lifeOf: ({ do: name }, _, index) => `${name} ${index}`,
  objectsOf: noObjects,
};
