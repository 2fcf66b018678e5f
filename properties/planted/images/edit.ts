import type { Item, PointRole } from '../../../model/trampoline/item.ts';
import { planItems, planParts } from '../../../model/trampoline/plan/plan.ts';
import type { ImagePlan, PlanParts } from '../../../model/trampoline/plan/planner.ts';
import type { Resolve } from '../../../model/x86/assembled.ts';
import type { Word } from '../../../model/x86/word.ts';
import type { Toolchain } from '../../observed/subject.ts';

/** Ways to break the generation of an image. Each takes the kernel's toolchain and changes one thing in it. */
type Spoil = (kernel: Toolchain) => Toolchain;

/** Drops the items of one role. */
export function without(role: PointRole): Spoil {
  return editItems((items) => items.filter((item) => item.role !== role));
}

/** Edits the items after planning. */
export function editItems(edit: (items: readonly Item[], plan: ImagePlan) => Item[]): Spoil {
  return (kernel) => ({
    ...kernel,
    plan: (request) => {
      const plan = kernel.plan(request);
      return { ...plan, items: edit(plan.items, plan) };
    },
  });
}

/** Changes frame, slots or program lists before the items are planned. */
export function editParts(edit: (parts: PlanParts) => PlanParts): Spoil {
  return (kernel) => ({ ...kernel, plan: (request) => planItems(edit(planParts(request))) });
}

/** Moves a symbol to another address. */
export function misplace(
  symbol: string,
  place: (resolve: Resolve, plan: ImagePlan) => Word | undefined,
): Spoil {
  return (kernel) => ({
    ...kernel,
    generate: (plan, base, resolve) =>
      kernel.generate(plan, base, (name) => (name === symbol ? place(resolve, plan) : resolve(name))),
  });
}

/** Edits the bytes after generation. */
export function editBytes(
  edit: (bytes: Uint8Array, plan: ImagePlan, relocations: readonly RelocationField[]) => Uint8Array,
): Spoil {
  return (kernel) => ({
    ...kernel,
    generate: (plan, base, resolve) => {
      const generated = kernel.generate(plan, base, resolve);
      if ('refused' in generated) return generated;
      const { image } = generated;
      return { image: { ...image, bytes: edit(image.bytes.slice(), plan, image.relocations) } };
    },
  });
}

/** A field of the bytes that holds a symbol's address. */
interface RelocationField {
  readonly offset: number;
  readonly symbol: string;
  readonly kind: 'absolute' | 'relative';
}
