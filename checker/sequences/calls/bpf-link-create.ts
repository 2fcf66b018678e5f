import type { BpfLinkCreate } from '../../../model/client/bpf-link-create.ts';
import { isLoadedForOne } from '../../../model/contract/promises.ts';
import { few } from '../draw/few-programs.ts';
import { links } from '../draw/programs.ts';
import { weighed } from '../draw/weighed.ts';
import { isLive } from './promised-now.ts';
import type { SearchedCall } from './searched-call.ts';

export const searchedBpfLinkCreate: SearchedCall<BpfLinkCreate> = {
  draw: ({ profile, functions, ips }) => [weighed(16, links(profile, functions, ips))],
  isLikely: (p, { link, prog }) => !isLive(p, link) && p.programs[prog] !== undefined,
  isModelled: (p, { prog, targets }) => targets.length === 0 || p.programs[prog]?.program.kind !== 'freplace',
  fitted: ({ programs }, action) => {
    const load = programs[action.prog];
    return load !== undefined && isLoadedForOne(load) ? { ...action, targets: [] } : action;
  },
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
