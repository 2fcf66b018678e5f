import type { Action, ActionOf } from '../../../model/client/all.ts';
import type { FunctionName, ProgId } from '../../../model/core/ids.ts';
import type { Profile } from '../../../model/core/profile.ts';
import { designOf } from '../../../model/trampoline/designs/chosen.ts';
import type { TracedFunction } from '../../../model/trampoline/traced-function.ts';

/*
 * Multi links to functions of a module, where the program holds it: all targets are then in the BTF of the program.
 */

/** The program of multi links that is loaded for a module, if a function is in one. */
const OF_MODULE: ProgId = 5;

export function withBtf(profile: Profile, functions: readonly TracedFunction[], load: Action): Action {
  const btf = functions.find(({ module }) => module !== '')?.module;
  if (load.do !== 'BPF_PROG_LOAD' || btf === undefined || !holdsModules(profile)) return load;
  return load.program.multi && load.program.id === OF_MODULE ? { ...load, btf } : load;
}

/** A link of that program has functions of the module. A link to `mixed` is refused if one is not in its BTF. */
export function withModules(
  profile: Profile,
  functions: readonly TracedFunction[],
  link: ActionOf<'BPF_LINK_CREATE'>,
  mixed: readonly FunctionName[],
): Action {
  if (!holdsModules(profile)) return link;
  if (mixed.length > 0) return { ...link, targets: mixed };
  const inModule = functions.flatMap(({ name, module }) => (module === '' ? [] : [name]));
  return link.prog === OF_MODULE && inModule.length > 0 ? { ...link, targets: inModule } : link;
}

function holdsModules(profile: Profile): boolean {
  return designOf(profile)?.modulesHeldBy === 'program';
}
