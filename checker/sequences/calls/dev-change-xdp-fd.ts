import type { DevChangeXdpFd } from '../../../model/client/dev-change-xdp-fd.ts';
import { xdpChanges } from '../draw/devices.ts';
import { isLive } from './promised-now.ts';
import type { SearchedCall } from './searched-call.ts';
import { count } from './searched-call.ts';

export const searchedDevChangeXdpFd: SearchedCall<DevChangeXdpFd> = {
  draw: ({ functions }) => xdpChanges(functions),
  isLikely: (p, { dev, prog }) => (prog === 0 ? isLive(p, dev) : p.programs[prog]?.probe === 'xdp'),
  effort: 6,
  optionEffort: ({ prog }) => count(prog !== 0),
  plainer: (action) => [{ ...action, prog: 0 }],
  lifeOf: ({ dev }) => dev,
  objectsOf: ({ dev, prog }) => [`device ${dev}`, `prog ${prog}`],
  next: ({ dev }) => ({ word: 'detach', action: { do: 'dev_change_xdp_fd', dev, prog: 0 } }),
};
