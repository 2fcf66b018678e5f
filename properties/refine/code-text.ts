import { codePlace } from '../../model/code-place.ts';
import { bytesOfHex } from '../../model/ftrace/entry/hex-text.ts';
import type { Kernel } from '../../model/kernel.ts';
import { PAGE_BYTES, pageAddress, SPACE } from '../../model/text/space.ts';
import { siteAddress } from '../../model/text/text.ts';
import { imageOfStruct, imageStructAt } from '../../model/trampoline/world.ts';
import { decode } from '../../model/x86/decode/decode.ts';
import { FIELD, FIELDS } from '../../model/x86/instruction.ts';
import type { Word } from '../../model/x86/word.ts';
import { displacement, plus } from '../../model/x86/word.ts';

/*
 * Code without addresses: its instructions, in which places that can be allocated elsewhere have their names.
 */

/** What stands on a page. What cannot be read as instructions stays as it is, with the place where it lies. */
export function pageText(k: Kernel, name: string): string {
  const { at, bytes } = k.text.pages[name]!;
  const patchable = k.text.pages[name]!.patchable ?? [];
  return `${codeText(k, bytes, pageAddress(at)) ?? `${at}: ${bytes}`} ${patchable.join()}`;
}

/** What stands at a call site. */
export function siteText(k: Kernel, fn: string): string {
  const bytes = k.text.sites[fn]!;
  return codeText(k, bytes, siteAddress(k, fn)) ?? bytes;
}

const ROW = new Int32Array(FIELDS);

/** Instructions from an address on; undefined when there is one that the model does not have. */
function codeText(k: Kernel, hex: string, address: Word): string | undefined {
  const bytes = bytesOfHex(hex);
  const lines: string[] = [];
  for (let at = 0; at < bytes.length; ) {
    const rip = plus(address, at);
    const length = decode(bytes, at, ROW, 0, rip.hi, rip.lo);
    if (length === 0) return undefined;
    lines.push(rowText(k, ROW));
    at += length;
  }
  return lines.join(';');
}

/** A row of fields; its immediate and its displacement may be places. */
function rowText(k: Kernel, row: Int32Array): string {
  const fields = [...row];
  const disp = fields.splice(FIELD.DISP_LO, 4);
  const [immLo = 0, immHi = 0] = disp.splice(2, 2);
  const [dispLo = 0, dispHi = 0] = disp;
  return `${fields.join()} ${wordText(k, { hi: dispHi, lo: dispLo })} ${wordText(k, { hi: immHi, lo: immLo })}`;
}

/** More than any kernel allocates. */
const PAGES = 0x10000;

/** A number, or the name of what lies there if that is allocated: a place on a page, the structure of an image. */
function wordText(k: Kernel, word: Word): string {
  const onPage = displacement(word, SPACE.PAGES);
  if (onPage !== undefined && onPage >= 0 && onPage < PAGES * PAGE_BYTES) return codePlace(k, word);
  const image = imageOfStruct(word);
  if (displacement(word, IMAGE_STRUCTS) !== undefined && image in k.bpf.images) return image;
  return `${word.hi}:${word.lo}`;
}

const IMAGE_STRUCTS = imageStructAt('tramp#0');
