import type { DeleteModule } from '../../../model/client/delete-module.ts';
import { actions } from '../draw/weighed.ts';
import { MODULE } from './drawn-names.ts';
import type { SearchedCall } from './searched-call.ts';

export const searchedDeleteModule: SearchedCall<DeleteModule> = {
  draw: ({ functions }) => [
    actions(functions.some((fn) => fn.module !== '') ? 5 : 0, 'delete_module', { module: MODULE }),
  ],
  isLikely: (p, { module }) => p.modules[module]?.live === true,
  effort: 4,
  lifeOf: ({ module }) => module,
  objectsOf: ({ module }) => [`module ${module}`],
};
