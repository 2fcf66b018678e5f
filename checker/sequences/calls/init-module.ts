import type { InitModule } from '../../../model/client/init-module.ts';
import { actions } from '../draw/weighed.ts';
import { MODULE } from './drawn-names.ts';
import type { SearchedCall } from './searched-call.ts';

export const searchedInitModule: SearchedCall<InitModule> = {
  draw: ({ functions }) => [
    actions(functions.some((fn) => fn.module !== '') ? 4 : 0, 'init_module', { module: MODULE }),
  ],
  isLikely: (p, { module }) => p.modules[module]?.live === false,
  effort: 4,
  lifeOf: ({ module }) => module,
  objectsOf: ({ module }) => [`module ${module}`],
};
