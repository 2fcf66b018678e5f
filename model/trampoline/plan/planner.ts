import type { ArgumentSlot } from '../../abi/x86-64.ts';
import type { Mitigations, Profile } from '../../core/profile.ts';
import { RAX } from '../../x86/register.ts';
import type { Word } from '../../x86/word.ts';
import type { ImageFlags, StickyFlags } from '../flags.ts';
import type { ImageFrame } from '../frame.ts';
import { returnPlace } from '../frame.ts';
import type { Item, PointRole } from '../item.ts';
import { constant, plain, withMemory, withSymbol } from '../item.ts';
import type { BpfProgram, ProgramLists } from '../program.ts';
import type { Signature } from '../signature.ts';

/** What an image is built for. Plain data; `mitigations` and `ibt` are those of the running kernel. */
export interface PlanRequest {
  readonly profile: Profile;
  readonly mitigations: Mitigations;
  /** The traced function starts with `endbr64`. */
  readonly ibt: boolean;
  readonly signature: Signature;
  /** In order of attachment. */
  readonly programs: readonly BpfProgram[];
  readonly sticky: StickyFlags;
  /**
   * Bytes from a function's start to the return address that its call site leaves, for an image of many
   * functions, which may contain nothing of a single one.
   */
  readonly returnOffset?: number;
  /**
   * Words after which the return value is stored again: those of the function, where the image has more because a
   * program was checked against another one.
   */
  readonly ownWords?: number;
}

/** A plan: the frame and the symbolic instructions, before addresses are known. */
export interface ImagePlan {
  readonly request: PlanRequest;
  readonly flags: ImageFlags;
  /** Where the kernel's generator takes the argument words to be. */
  readonly slots: readonly ArgumentSlot[];
  readonly lists: ProgramLists;
  readonly frame: ImageFrame;
  readonly items: readonly Item[];
}

/** Everything that is decided before the first instruction. */
export type PlanParts = Omit<ImagePlan, 'items'>;

export interface Planner extends ImagePlan {
  readonly items: Item[];
}

/** A call, with the accounting that call-depth tracking asks for before it (emit_rsb_call()). */
export function call(p: Planner, role: PointRole, index: number, symbol: string): void {
  const { mitigations, profile } = p.request;
  const accounted = mitigations.callDepth && !profile.unaccounted.includes(symbol);
  if (accounted) p.items.push(plain('account for call', index, 'account'));
  p.items.push(withSymbol(role, index, 'call', symbol));
}

export function storeConstant(
  { items }: Planner,
  role: PointRole,
  index: number,
  offset: number,
  value: Word,
): void {
  items.push(constant(role, index, RAX, value));
  items.push(withMemory(role, index, 'store', RAX, offset));
}

/** `rax` becomes the return value that programs see, wherever the program was checked to find it. */
export function storeReturn({ frame, request, items }: Planner, role: PointRole, index: number): void {
  items.push(withMemory(role, index, 'store', RAX, returnPlace(frame)));
  const { ownWords } = request;
  if (ownWords !== undefined) items.push(withMemory(role, index, 'store', RAX, frame.argsAt + 8 * ownWords));
}
