import { present } from '../../core/present.ts';
import { Assembler } from '../../x86/assemble.ts';
import { forgetCode } from '../../x86/machine.ts';
import { clear, writeBytes } from '../../x86/memory.ts';
import { RAX, RSP } from '../../x86/register.ts';
import type { Word } from '../../x86/word.ts';
import { IMAGE } from '../plan/symbols.ts';
import type { Stage } from './stage.ts';
import { bodyStub } from './stubs.ts';

/** Bytes of `endbr64`, and of the call site after it. */
const ENDBR_BYTES = 4;

export const SITE_BYTES = 5;

/** The three ways in which a call reaches an image: `call`, `jmp`, or through a live patch. */
export interface ImageEntry {
  readonly ibt: boolean;
  /** By `jmp` instead of `call`; the image of a struct_ops member from a thunk, with the pointer that C calls. */
  readonly jmp: boolean;
  /** Through an ftrace handler that has redirected the call to a replacement (live patch). */
  readonly redirected: boolean;
}

/** `endbr64` comes first with IBT; ftrace_location() is after it. */
export function siteOffset(ibt: boolean): number {
  return ibt ? ENDBR_BYTES : 0;
}

/**
 * Puts an image in place and points the traced function's call site at it. Decoded code is dropped, as after
 * a text poke, and the bytes of a longer image before are cleared: an image that runs past its end executes
 * zeroes, not its predecessor.
 */
export function installImage(stage: Stage, bytes: Uint8Array, entry: ImageEntry, stackWords: number): void {
  const { machine, image, traced } = stage;
  forgetCode(machine, image);
  clear(image, 0, stage.installed.imageBytes);
  writeBytes(image, 0, bytes);
  stage.installed.imageBytes = bytes.length;
  const site = (entry.ibt ? 1 : 0) | (entry.jmp ? 2 : 0) | (entry.redirected ? 4 : 0) | (stackWords << 3);
  if (site === stage.installed.site) return;
  forgetCode(machine, traced);
  writeBytes(traced, 0, (stage.sites[site] ??= assembleTraced(stage, entry, stackWords)));
  stage.installed.site = site;
}

/** The traced function: its call site, a jump to its body, and the handler that a live patch goes through. */
function assembleTraced(stage: Stage, entry: ImageEntry, stackWords: number): Uint8Array {
  const body = present(stage.stubs[bodyStub(stackWords)], bodyStub(stackWords));
  const a = new Assembler(stage.layout.traced, (name) =>
    name === IMAGE ? stage.layout.image : name === 'body' ? body : undefined,
  );
  if (entry.ibt) a.endbr64();
  if (entry.redirected) a.call('ftrace_regs_caller');
  else if (entry.jmp) a.jump(IMAGE);
  else a.call(IMAGE);
  a.jump('body');
  emitRedirect(a, body);
  return a.finish().bytes;
}

/**
 * A reduced ftrace_regs_caller() with a live patch: the return address becomes the replacement's, and the
 * direct call follows (`orig_ax`), as at label 1 of the assembly in arch/x86/kernel/ftrace_64.S. The image
 * finds the replacement where it expects the traced function:
 *
 * ```text
 *  rsp + 8   return address into the caller
 *  rsp       entry of the replacement         <- was: after the call site
 * ```
 */
function emitRedirect(a: Assembler, replacement: Word): void {
  a.label('ftrace_regs_caller');
  a.push(RAX);
  a.loadConstant(RAX, replacement, false);
  a.store(RSP, 8, RAX);
  a.pop(RAX);
  a.jump(IMAGE);
}
