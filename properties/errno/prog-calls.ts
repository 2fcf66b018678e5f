import type { BpfProgLoad } from '../../model/client/bpf-prog-load.ts';
import type { CloseLink } from '../../model/client/close-link.ts';
import type { CloseProg } from '../../model/client/close-prog.ts';
import type { DevChangeXdpFd } from '../../model/client/dev-change-xdp-fd.ts';
import { programsOf } from '../../model/contract/perf-events.ts';
import type { Promises } from '../../model/contract/promises.ts';
import { isLoadedForOne } from '../../model/contract/promises.ts';
import type { Errno } from '../../model/core/errno.ts';
import type { AskedCall, CallErrnos, ReasonToRefuse } from './contract.ts';
import { perhapsIf, reason } from './contract.ts';
import { isOwnMultiLinks, isUnloaded } from './promised-sites.ts';
import { isClosed } from './tracepoint-calls.ts';

/*
 * Loading and closing programs. What the verifier says of a program is the matter of `trampoline/programs-fit-their-target`:
 * here a load has the errnos of a verifier, or those of its target.
 */

/** What the verifier answers for a program is not judged here: any of its errnos will do. */
function verifier(errnos: readonly Errno[]): readonly ReasonToRefuse<BpfProgLoad>[] {
  return errnos.map((errno) =>
    reason(errno, 'the verifier refuses the program', ({ action: { probe } }) => perhapsIf(probe === '')),
  );
}

function isForGoneModule({ action, promised: p }: AskedCall<BpfProgLoad>): boolean {
  const { target, btf } = action;
  const isGone = isLoadedForOne(action) && isUnloaded(p, target);
  return isGone || (btf !== undefined && p.modules[btf]?.live === false);
}

export const BPF_PROG_LOAD: CallErrnos<BpfProgLoad> = {
  stages: [
    [
      reason('EINVAL', 'the verifier refuses a program for probes', ({ action: { probe } }) =>
        perhapsIf(probe !== ''),
      ),
    ],
    [
      reason('EINVAL', 'there is no such function', ({ action, promised: p }) => {
        const { target } = action;
        return isLoadedForOne(action) && !p.functions.includes(target) && !p.bpf.includes(target);
      }),
    ],
    [
      reason('EINVAL', 'the module was unloaded', (asked) => {
        return asked.profile.goneModule === 'refused first' && isForGoneModule(asked);
      }),
    ],
    verifier(['EINVAL', 'EOPNOTSUPP', 'EACCES']),
    [reason('ENOENT', 'the module was unloaded', isForGoneModule)],
    verifier(['EINVAL', 'EACCES', 'ENOTSUPP']),
    [
      reason('EBUSY', 'the function has a trampoline of a design', ({ action, profile }) =>
        perhapsIf(action.probe === '' && !isOwnMultiLinks(profile.multiLinks)),
      ),
    ],
  ],
};

function isLink(p: Promises, link: string): boolean {
  return (
    p.clients.some(({ object, onEvent }) => object === link || onEvent?.link === link) ||
    p.probes.some(({ object }) => object === link) ||
    programsOf(p).some(({ object }) => object === link)
  );
}

export const CLOSE_LINK: CallErrnos<CloseLink> = {
  stages: [
    [reason('EBADF', 'there is no such link', ({ action, promised }) => !isLink(promised, action.link))],
  ],
};

export const CLOSE_PROG: CallErrnos<CloseProg> = {
  stages: [[reason('EBADF', 'there is no such program', isClosed)]],
};

export const DEV_CHANGE_XDP_FD: CallErrnos<DevChangeXdpFd> = {
  stages: [
    [reason('EBADF', 'there is no such program', (asked) => asked.action.prog !== 0 && isClosed(asked))],
    [
      reason('EINVAL', 'it is no XDP program', ({ action: { prog }, promised: p }) => {
        return prog !== 0 && p.programs[prog]?.probe !== 'xdp';
      }),
    ],
  ],
};
