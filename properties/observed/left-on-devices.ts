import { entry } from '../../model/core/present.ts';
import { NOP_FUNC } from '../../model/dispatcher/dispatcher.ts';
import type { KernelView } from '../../model/kernel.ts';
import type { Leftover } from '../finding/answer-finding.ts';

/** What XDP programs have left. The page of the dispatcher is kept, and which half of it was used last. */
export function leftOnDevices({ xdp }: KernelView): Leftover[] {
  if (xdp === undefined) return [];
  const { devices, dispatcher } = xdp;
  const inUse = Object.keys(devices).filter((dev) => {
    const { xdpProg, stateProg } = entry(devices, dev);
    return xdpProg !== 0 || stateProg !== 0;
  });
  const taken = dispatcher.progs.filter(({ prog }) => prog !== 0);
  return [
    ...inUse.map((of): Leftover => ({ is: 'device', of })),
    ...taken.map(({ prog }): Leftover => ({ is: 'dispatched program', of: `prog#${prog}` })),
    ...(dispatcher.call === NOP_FUNC ? [] : [{ is: 'static call', of: '' } as const]),
  ];
}
