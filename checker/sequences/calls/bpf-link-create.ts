import type { BpfLinkCreate } from '../../../model/client/bpf-link-create.ts';
import type { Promises } from '../../../model/contract/promises.ts';
import type { ProgId } from '../../../model/core/ids.ts';
import { few } from '../draw/few-programs.ts';
import { links } from '../draw/programs.ts';
import { weighed } from '../draw/weighed.ts';
import { isLive } from './promised-now.ts';
import type { SearchedCall } from './searched-call.ts';

export const searchedBpfLinkCreate: SearchedCall<BpfLinkCreate> = {
  draw: ({ profile, functions, ips }) => [weighed(16, links(profile, functions, ips))],
  isLikely: (p, { link, prog }) => !isLive(p, link) && p.programs[prog] !== undefined,
  isModelled: (p, { prog, targets }) => targets.length === 0 || p.programs[prog]?.program.kind !== 'freplace',
  fitted: (p, action) => (isLoadedForOne(p, action.prog) ? { ...action, targets: [] } : action),
  effort: 6,
  optionEffort: ({ targets }) => targets.length,
  plainer: (action) =>
    action.targets.length > 1 ? action.targets.map((ip) => ({ ...action, targets: [ip] })) : [],
  lifeOf: ({ prog }) => `prog#${prog}`,
  objectsOf: ({ link, prog }) => [`link ${link}`, `prog ${prog}`],
  next: ({ link }) => ({ word: 'detach', action: { do: 'close(link)', link } }),
  ofMultiLinks: (action, _, targets) => ({
    ...action,
    prog: few(action.prog),
    targets: action.targets.length > 0 ? action.targets : targets,
  }),
};

/** A program that has had its target since its load. */
function isLoadedForOne({ programs }: Promises, prog: ProgId): boolean {
  const load = programs[prog];
  return load !== undefined && load.probe === '' && !load.program.multi;
}
