import type { Action } from '../../../model/client/all.ts';
import type { CloseLink } from '../../../model/client/close-link.ts';
import type { LinkId } from '../../../model/core/ids.ts';
import { readObjectName } from '../../../model/core/object-name.ts';
import { KPROBE_LINK } from '../draw/kprobe-events.ts';
import { numbers } from '../draw/programs.ts';
import { LINK } from '../draw/tracepoints.ts';
import { actions, weighed } from '../draw/weighed.ts';
import { linkMadeBy } from './link-made.ts';
import { isLive } from './promised-now.ts';
import type { SearchedCall } from './searched-call.ts';

export const searchedCloseLink: SearchedCall<CloseLink> = {
  draw: ({ functions }) => [
    weighed(
      5,
      numbers(functions).map((prog) => ({ do: 'close(link)', link: `link#${prog}` })),
    ),
    actions(2, 'close(link)', { link: KPROBE_LINK }),
  ],
  drawHits: () => [actions(6, 'close(link)', { link: LINK })],
  isLikely: (p, { link }) => isLive(p, link),
  effort: 6,
  lifeOf: ({ link }, all) => `prog#${programOf(all.find(makes(link))) ?? 0}`,
  objectsOf: ({ link }) => [`link ${link}`],
  next: ({ link }) => ({
    word: 'unload',
    action: { do: 'close(prog)', prog: readObjectName(link).number ?? 0 },
  }),
  givesBack({ link }, done) {
    const prog = programOf(done.findLast(makes(link)));
    return prog === undefined ? undefined : { do: 'close(prog)', prog };
  },
};

function makes(link: LinkId): (action: Action) => boolean {
  return (action) => linkMadeBy(action)?.link === link;
}

function programOf(action: Action | undefined): number | undefined {
  return action === undefined ? undefined : linkMadeBy(action)?.prog;
}
