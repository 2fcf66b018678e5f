import type { Ip } from '../core/ids.ts';
import { item } from '../core/present.ts';
import { hexText } from '../ftrace/entry/hex-text.ts';
import { functionOf, probedAt } from '../text/body-address.ts';
import { functionAddress } from '../text/space.ts';
import type { TextView } from '../text/text.ts';
import { SITE_BYTES } from '../text/text.ts';
import { assembleFunction } from '../trampoline/body.ts';
import type { TracedFunction } from '../trampoline/traced-function.ts';
import { functionNamed, functionsWithin } from '../trampoline/traced-function.ts';
import { FAMILY } from '../x86/instruction.ts';
import type { Swept } from '../x86/sweep.ts';
import { sweep } from '../x86/sweep.ts';
import { displacement } from '../x86/word.ts';

/*
 * The instructions of bodies, as they were compiled: what kprobes copy.
 */

/** A kernel, as far as its functions go. */
interface Bodies extends TextView {
  readonly functions: Readonly<Record<string, string>>;
}

/**
 * `KprobeSite.code` of an address: the instruction that begins there and, if a jump of five bytes can take their place,
 * those after it (can_optimize() and copy_optimized_instructions() in arch/x86/kernel/kprobes/opt.c). Empty: none begins
 * there.
 */
export function codeAt(k: Bodies, ip: Ip): readonly string[] {
  const name = functionOf(ip);
  if (functionNamed(k.functions, name) === undefined) return [];
  const { bytes, insns } = bodyOf(k, name);
  const { offset } = probedAt(ip);
  const first = insns.findIndex((insn) => insn.offset === offset);
  // can_probe(): it is an int3 of the compiler.
  if (first < 0 || bytes[offset] === INT3) return [];
  const replaced = replacedBy(insns, first);
  if (replaced.length === 0 || insns.some((insn) => jumpsInto(insn, insns, offset)))
    return [hexText(bytes.slice(offset, offset + 1))];
  return replaced.map((insn) => hexText(bytes.slice(insn.offset, insn.offset + insn.length)));
}

const INT3 = 0xcc;

interface Body {
  readonly bytes: Uint8Array;
  /** After the call site. */
  readonly insns: readonly Swept[];
}

/** The bodies that were asked for, by the text of their functions. */
const KNOWN = new Map<string, Body>();

function bodyOf(k: Bodies, name: string): Body {
  const functions = functionsWithin(k.functions, name);
  const places = functions.map((fn) => k.text.functions[fn.name] ?? -1);
  const key = JSON.stringify([name, k.text.siteOffset, places, functions.map((fn) => k.functions[fn.name])]);
  const known = KNOWN.get(key);
  if (known !== undefined) return known;
  const made = assembled(
    functions,
    functions.findIndex((fn) => fn.name === name),
    k.text.siteOffset,
    places,
  );
  KNOWN.set(key, made);
  return made;
}

function assembled(functions: TracedFunction[], order: number, siteOffset: number, places: number[]): Body {
  const bytes = assembleFunction(functions, order, siteOffset, places);
  const base = functionAddress(item(places, order));
  const insns = sweep(bytes, base).filter(({ offset }) => offset >= siteOffset + SITE_BYTES);
  return { bytes, insns };
}

/** The instructions that five bytes cover, from one on; none if one of them cannot be copied (can_boost()). */
function replacedBy(insns: readonly Swept[], first: number): readonly Swept[] {
  let length = 0;
  for (let i = first; i < insns.length; i++) {
    const insn = item(insns, i);
    if (NOT_BOOSTABLE.has(insn.family)) return [];
    length += insn.length;
    if (length >= SITE_BYTES) return insns.slice(first, i + 1);
  }
  return [];
}

/** A call pushes the address of its copy; what follows a jump or a return is not executed. */
const NOT_BOOSTABLE: ReadonlySet<number> = new Set([
  FAMILY.CALL,
  FAMILY.JUMP,
  FAMILY.JCC,
  FAMILY.RETURN,
  FAMILY.TRAP,
]);

/** insn_jump_into_range(): the function jumps to one of the four bytes after the int3, or to the one after them. */
function jumpsInto({ family, target }: Swept, insns: readonly Swept[], offset: number): boolean {
  if (family !== FAMILY.JCC && family !== FAMILY.JUMP) return false;
  const { at: start, offset: from } = item(insns, 0);
  const to = (displacement(target, start) ?? -1) + from;
  return to > offset && to <= offset + SITE_BYTES;
}
