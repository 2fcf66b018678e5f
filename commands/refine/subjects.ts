import { InputError } from '../../model/core/input-error.ts';
import { item } from '../../model/core/present.ts';
import type { KernelVersion } from '../../model/core/profile.ts';
import { KERNELS, PREFERRED, PROFILES, profileNamed } from '../../model/core/profile.ts';
import { DESIGNS } from '../../model/trampoline/designs/all.ts';
import { designOf } from '../../model/trampoline/designs/chosen.ts';

/**
 * The kernels of two designs: by their names on a kernel that supports both, else each on its own; or as profiles,
 * `7.2, multiLinks = one by one`. Throws an InputError for an unknown design, or a kernel that does not support it.
 */
export function subjectsOf(names: readonly [string, string]): readonly [string, string] {
  const bases = names.map(basesFor);
  const common = PREFERRED.find((base) => bases.every((list) => list.includes(base)));
  const [text, other] = names.map((name, i) => profileOf(name, common ?? item(item(bases, i), 0)));
  return [text!, other!];
}

/** A design on its preferred kernel. */
export function subjectOf(name: string): string {
  return profileOf(name, item(basesFor(name), 0));
}

/** The kernels that support a design; that of a profile is given. */
function basesFor(name: string): readonly KernelVersion[] {
  const given = KERNELS.find((kernel) => name === kernel || name.startsWith(`${kernel},`));
  if (given !== undefined) return [given];
  const design = DESIGNS.find((design) => design.name === name);
  if (design === undefined)
    throw new InputError(
      `there is no design ${name}; there are ${DESIGNS.map((design) => design.name).join(', ')}`,
    );
  return PREFERRED.filter((kernel) => design.needs?.(PROFILES[kernel]) === undefined);
}

function profileOf(name: string, base: KernelVersion): string {
  const profile = (KERNELS as readonly string[]).includes(item(name.split(','), 0))
    ? name
    : PROFILES[base].multiLinks === name
      ? base
      : `${base}, multiLinks = ${name}`;
  if (designOf(profileNamed(profile)) === undefined)
    throw new InputError(`${profile} has no multi links to compare`);
  return profile;
}
