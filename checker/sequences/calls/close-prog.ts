import type { CloseProg } from '../../../model/client/close-prog.ts';
import { xdpCloses } from '../draw/devices.ts';
import { few } from '../draw/few-programs.ts';
import { numbers } from '../draw/programs.ts';
import { PROG } from '../draw/tracepoints.ts';
import { actions, weighed } from '../draw/weighed.ts';
import type { SearchedCall } from './searched-call.ts';

export const searchedCloseProg: SearchedCall<CloseProg> = {
  draw: ({ functions }) => [
    weighed(
      2,
      numbers(functions).map((prog) => ({ do: 'close(prog)', prog })),
    ),
    ...xdpCloses(functions),
  ],
  drawHits: () => [actions(1, 'close(prog)', { prog: PROG })],
  isLikely: () => false,
  effort: 7,
  lifeOf: ({ prog }) => `prog#${prog}`,
  objectsOf: ({ prog }) => [`prog ${prog}`],
  ofMultiLinks: (action) => ({ ...action, prog: few(action.prog) }),
};
