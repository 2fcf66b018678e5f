import { codePlace } from '../../model/call/code-place.ts';
import { entry } from '../../model/core/present.ts';
import { bytesOfHex } from '../../model/ftrace/entry/hex-text.ts';
import type { KernelView } from '../../model/kernel.ts';
import { PAGE_BYTES, pageAddress, SPACE } from '../../model/text/space.ts';
import { siteAddress } from '../../model/text/text.ts';
import { imageOfStruct, imageStructAt } from '../../model/trampoline/world.ts';
import { decode } from '../../model/x86/decode/decode.ts';
import { FIELD, FIELDS } from '../../model/x86/instruction.ts';
import type { Word } from '../../model/x86/word.ts';
import { displacement, plus } from '../../model/x86/word.ts';

/* Code without addresses: its instructions, in which allocated places have names. */

/** The content of a page. Bytes that do not decode stay as they are, with their place. */
export function pageText(k: KernelView, name: string): string {
  const { at: index, bytes } = entry(k.text.pages, name);
  const patchable = entry(k.text.pages, name).patchable ?? [];
  return `${codeText(k, bytes, pageAddress(index)) ?? `${index}: ${bytes}`} ${patchable.join()}`;
}

/** The content of a call site. */
export function siteText(k: KernelView, fn: string): string {
  const bytes = entry(k.text.sites, fn);
  return codeText(k, bytes, siteAddress(k, fn)) ?? bytes;
}

/** An instruction: its fields, and two numbers that may be places. */
interface Row {
  readonly fields: string;
  readonly disp: Word;
  readonly imm: Word;
}

/** Instructions from an address onward; undefined when the model lacks one of them. */
function codeText(k: KernelView, hex: string, address: Word): string | undefined {
  return rowsAt(hex, address)
    ?.map(({ fields, disp, imm }) => `${fields} ${wordText(k, disp)} ${wordText(k, imm)}`)
    .join(';');
}

/** The same few pages are in most kernels: the most recently decoded are kept. */
const DECODED = new Map<string, readonly Row[] | undefined>();
const DECODED_MOST = 2000;

function rowsAt(hex: string, address: Word): readonly Row[] | undefined {
  const key = `${address.hi}:${address.lo} ${hex}`;
  if (DECODED.has(key)) return DECODED.get(key);
  if (DECODED.size >= DECODED_MOST) DECODED.clear();
  const rows = decoded(hex, address);
  DECODED.set(key, rows);
  return rows;
}

const ROW = new Int32Array(FIELDS);

function decoded(hex: string, address: Word): readonly Row[] | undefined {
  const bytes = bytesOfHex(hex);
  const rows: Row[] = [];
  for (let index = 0; index < bytes.length; ) {
    const rip = plus(address, index);
    const length = decode(bytes, index, ROW, 0, rip.hi, rip.lo);
    if (length === 0) return undefined;
    rows.push(rowOf(ROW));
    index += length;
  }
  return rows;
}

function rowOf(row: Int32Array): Row {
  const fields = [...row];
  const disp = fields.splice(FIELD.DISP_LO, 4);
  const [immLo = 0, immHi = 0] = disp.splice(2, 2);
  const [dispLo = 0, dispHi = 0] = disp;
  return { fields: fields.join(), disp: { hi: dispHi, lo: dispLo }, imm: { hi: immHi, lo: immLo } };
}

/** More than any kernel allocates. */
const PAGES = 0x10000;

/** A number, or the name of the allocated object at it: a place on a page, the structure of an image. */
function wordText(k: KernelView, word: Word): string {
  const onPage = displacement(word, SPACE.PAGES);
  if (onPage !== undefined && onPage >= 0 && onPage < PAGES * PAGE_BYTES) return codePlace(k, word);
  const image = imageOfStruct(word);
  if (displacement(word, IMAGE_STRUCTS) !== undefined && image in k.bpf.images) return image;
  return `${word.hi}:${word.lo}`;
}

const IMAGE_STRUCTS = imageStructAt('tramp#0');
