import type { DevChangeXdpFd } from '../../../model/client/dev-change-xdp-fd.ts';
import type { SearchedCall } from './searched-call.ts';
import { notDrawn } from './searched-call.ts';

export const searchedDevChangeXdpFd: SearchedCall<DevChangeXdpFd> = {
  draw: notDrawn,
  isLikely: (p, { prog }) => prog === 0 || p.programs[prog]?.probe === 'xdp',
  effort: 6,
  lifeOf: ({ dev }) => dev,
  objectsOf: ({ dev, prog }) => [`device ${dev}`, `prog ${prog}`],
  next: ({ dev }) => ({ word: 'detach', action: { do: 'dev_change_xdp_fd', dev, prog: 0 } }),
};
