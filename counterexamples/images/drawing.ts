import { placeName } from '../../model/abi/x86-64.ts';
import { item } from '../../model/core/present.ts';
import { enteredByJmp } from '../../model/trampoline/flags.ts';
import type { ImageFrame } from '../../model/trampoline/frame.ts';
import type { ImagePlan } from '../../model/trampoline/plan/planner.ts';
import { isOfMember } from '../../model/trampoline/program.ts';
import type { Signature } from '../../model/trampoline/signature.ts';
import { abiSlots, kernelSlots } from '../../model/trampoline/signature.ts';

/** A word of the arguments: its place in ctx, its meaning, where the caller passes it, and where the image looks. */
export interface ArgumentRow {
  readonly place: string;
  readonly what: string;
  readonly passed: string;
  /** Where the image looks for it: elsewhere, if it does not follow the ABI. */
  readonly read: string;
}

export function argumentRows(signature: Signature): ArgumentRow[] {
  const taken = kernelSlots(signature);
  return abiSlots(signature).map(({ argument, word, place }, k) => {
    const type = item(signature.args, argument);
    const what = `argument ${argument + 1}, ${type.name}${type.size > 8 ? ` word ${word + 1}` : ''}`;
    return { place: `ctx[${k}]`, what, passed: placeName(place), read: placeName(item(taken, k).place) };
  });
}

/** The same as text. */
export function argumentTable(signature: Signature): string[] {
  return argumentRows(signature).map(({ place, what, passed, read }) => {
    const note = read === passed ? '' : `, the image reads ${read}`;
    return `    ${place.padEnd(9)}${what.padEnd(26)}${passed}${note}`;
  });
}

/** A place in the frame: offset from `rbp` in bytes, and its content. */
export type DrawingRow = readonly [at: number, what: string];

/** The frame, highest address first. */
export function frameDrawing(plan: ImagePlan): string[] {
  return fromAbove(plan).map(([index, what]) => `    ${frameOffset(index).padStart(6)}   ${what}`);
}

/** The words of the frame, highest address first. */
export function fromAbove(plan: ImagePlan): DrawingRow[] {
  return frameRows(plan).toSorted(([a], [b]) => b - a);
}

/** The words of the frame, and those above it. */
export function frameRows(plan: ImagePlan): DrawingRow[] {
  return [...aboveRbp(plan), ...belowRbp(plan.frame), ...atRsp(plan)];
}

/** `−8`, `+16`: bytes from `rbp`. */
export function frameOffset(index: number): string {
  return index < 0 ? `−${-index}` : `+${index}`;
}

function aboveRbp({ frame, flags, request }: ImagePlan): DrawingRow[] {
  const rows: DrawingRow[] = [[0, "the caller's rbp"]];
  if (frame.stackSlots > 0) rows.push([frame.callerStackAt, "the caller's stack arguments, upward"]);
  if (isOfMember(request.programs) || enteredByJmp(flags)) return [...rows, [8, 'return to the caller']];
  return [...rows, [8, 'return into f, after its call site'], [16, 'return to the caller']];
}

function belowRbp(frame: ImageFrame): DrawingRow[] {
  const { argsAt, slots, sessionCookies } = frame;
  const rows: DrawingRow[] = Array.from({ length: slots }, (_, k) => [argsAt + 8 * k, `ctx[${k}]`]);
  const add = (index: number | undefined, what: string) => {
    if (index !== undefined) rows.push([index, what]);
  };
  add(frame.returnAt, `ctx[${slots}], the return value`);
  add(frame.metaAt, 'ctx[−1], the number of argument words');
  add(frame.ipAt, 'ctx[−2], the address of f');
  for (let k = 0; k < sessionCookies; k++) add(frame.sessionCookiesAt + 8 * k, 'a session cookie');
  add(frame.rbxAt, "the caller's rbx");
  add(frame.runCtxAt + 8, 'bpf_tramp_run_ctx: saved_run_ctx');
  add(frame.runCtxAt, 'bpf_tramp_run_ctx: bpf_cookie');
  return rows;
}

/** Below the run context: copies of stack arguments, and pushed words. */
function atRsp({ frame }: ImagePlan): DrawingRow[] {
  const { stackArgsAt, stackSlots, tailCallAt, rbxAt, bytes } = frame;
  const rows: DrawingRow[] = [];
  if (stackArgsAt !== undefined)
    for (let k = 0; k < stackSlots; k++)
      rows.push([stackArgsAt + 8 * k, `stack argument, word ${k + 1}, for f`]);
  if (tailCallAt !== undefined) rows.push([tailCallAt, 'rax: the tail-call counter, pushed']);
  if (rbxAt === undefined)
    rows.push([-bytes - (tailCallAt === undefined ? 8 : 16), "the caller's rbx, pushed"]);
  return rows;
}
