import { ALL_SEARCHED, searchedCall } from '../../checker/sequences/calls/all.ts';
import type { Action } from '../../model/client/all.ts';
import { ALL_CALLS, callOf } from '../../model/client/all.ts';
import { profileNamed } from '../../model/core/profile.ts';
import { DESIGNS } from '../../model/trampoline/designs/all.ts';
import { designOf } from '../../model/trampoline/designs/chosen.ts';
import { ABI_WORDS } from '../../properties/finding/abi-words.ts';
import { IMAGE_WORDS } from '../../properties/finding/image-words.ts';
import { STUB_WORDS } from '../../properties/finding/stub-words.ts';

/** A list of the model or of the laws, or other things that a module imports, and those of them that a page needs. */
export interface ListOfModules {
  /** The module that imports them, from the root of the package: `properties/task-laws.ts`. */
  readonly path: string;
  readonly elements: ReadonlySet<unknown>;
  readonly needed: ReadonlySet<unknown>;
}

export function listOf(
  path: string,
  elements: readonly unknown[],
  needed: readonly unknown[],
): ListOfModules {
  return { path, elements: new Set(elements), needed: new Set(needed) };
}

/** What any page with a kernel needs of the model: the calls that its clients make, and the designs of its kernels. */
export function modelLists(profiles: readonly string[], actions: readonly Action[]): ListOfModules[] {
  const made: readonly Action[] = [...actions, { do: 'settle' }];
  // Routines of ftrace call into these by name: nothing links without them.
  const bound = DESIGNS.filter(({ upcalls }) => upcalls !== undefined);
  const called = ALL_CALLS.filter((call) => call.service.by === 'task');
  return [
    listOf('model/client/all.ts', ALL_CALLS, [...made.map(callOf), ...called]),
    listOf('checker/sequences/calls/all.ts', ALL_SEARCHED, made.map(searchedCall)),
    listOf('model/trampoline/designs/all.ts', DESIGNS, [
      ...profiles.map((profile) => designOf(profileNamed(profile))),
      ...bound,
    ]),
    listOf('properties/finding/render.ts', [ABI_WORDS, IMAGE_WORDS, STUB_WORDS], []),
  ];
}
