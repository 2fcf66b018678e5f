import { item } from '../../model/core/present.ts';
import type { Item, PointRole } from '../../model/trampoline/item.ts';
import { SITE_BYTES, siteOffset } from '../../model/trampoline/stage/install.ts';
import type { ListingLine } from '../../model/x86/listing.ts';
import { disassemble } from '../../model/x86/listing.ts';
import type { Word } from '../../model/x86/word.ts';
import { equal, fromHex } from '../../model/x86/word.ts';
import type { Subject } from '../../properties/observed/subject.ts';

/** One line of a listing: an instruction, what it is for, and whether the report points at it. */
export interface ListedInstruction extends ListingLine {
  readonly note: string;
  readonly marked: boolean;
  /** The image that it belongs to, where there are several. */
  readonly image?: string;
}

/** The whole image as text, with the instructions at the given offsets marked. */
export function listImage(subject: Subject, marked: readonly number[] = []): ListedInstruction[] {
  const notes = notesOf(subject);
  return disassemble(subject.bytes, subject.base, (address) => nameAddress(subject, address)).map((line) => ({
    ...line,
    note: notes.get(line.offset) ?? '',
    marked: marked.includes(line.offset),
  }));
}

/** A listing's line as text: place, instruction, note. */
export function printListed({ offset, text, note, marked, image = 'tramp#1' }: ListedInstruction): string {
  const place = `${image}+0x${offset.toString(16)}`.padEnd(PLACE_COLUMNS);
  const line = `${marked ? '▶ ' : '  '}${place}${text}`;
  return note === '' ? line : `${line.padEnd(NOTE_COLUMN)}  # ${note}`;
}

const PLACE_COLUMNS = 17;
const NOTE_COLUMN = 48;

/** The lines around the marked ones, `around` on each side; an ellipsis replaces the omitted ones. */
export function excerpt(lines: readonly ListedInstruction[], around: number): string[] {
  const shown = lines.map((_, i) => lines.some((line, j) => line.marked && Math.abs(i - j) <= around));
  return lines.flatMap((line, i) => {
    if (shown[i]) return [printListed(line)];
    return i > 0 && shown[i - 1] && shown.includes(true, i) ? ['  …'] : [];
  });
}

/** A name for an address that an image refers to, in a report's words. */
function nameAddress(subject: Subject, address: Word): string | undefined {
  const { addresses, entry, base, bytes } = subject;
  const inside = address.hi === base.hi ? (address.lo - base.lo) >>> 0 : bytes.length;
  if (inside < bytes.length) return `tramp#1+0x${inside.toString(16)}`;
  const fromTraced = address.hi === addresses.traced.hi ? (address.lo - addresses.traced.lo) >>> 0 : -1;
  if (fromTraced === 0) return 'f';
  if (fromTraced === siteOffset(entry.ibt) + SITE_BYTES) return `f+0x${fromTraced.toString(16)}`;
  const program = addresses.programStructs.findIndex((word) => word !== undefined && equal(word, address));
  if (program >= 0) return `&prog#${program}`;
  if (addresses.imageStruct !== undefined && equal(addresses.imageStruct, address)) return '&tramp#1';
  return addresses.nameOf(address);
}

/** The purposes of the instructions, by offset: printed once where a purpose begins. */
function notesOf({ marks, patchPoints }: Subject): Map<number, string> {
  const notes = new Map<number, string>();
  let last = '';
  marks?.items.forEach((marked, i) => {
    const text = noteOf(marked);
    if (text !== last) notes.set(item(marks.offsets, i), text);
    last = text;
  });
  for (const { offset, target, program } of patchPoints) {
    notes.set(
      offset,
      program === 0 ? 'ip_after_call' : `skips prog#${program}, to +0x${target.toString(16)}`,
    );
    if (program === 0) notes.set(target, 'ip_epilogue');
  }
  return notes;
}

/** An item's purpose in a few words; those of its role where these suffice. */
function noteOf({ role, index }: Item): string {
  return NOTES[role]?.(index) ?? role;
}

const NOTES: Readonly<Partial<Record<PointRole, (index: number) => string>>> = {
  'save argument': (index) => `ctx[${index}]`,
  'restore argument': () => 'argument registers',
  'copy stack argument': (index) => `stack argument, word ${index + 1}`,
  'store argument count': () => 'ctx[-1]: argument words',
  'store function ip': () => 'ctx[-2]: f',
  'store cookie': (index) => `prog#${index}: store cookie`,
  'enter program': (index) => `prog#${index}: enter`,
  'keep start': (index) => `prog#${index}: keep start`,
  'skip program': (index) => `prog#${index}: skip`,
  'run program': (index) => `prog#${index}: run`,
  'store program return': (index) => `prog#${index}: store return`,
  'exit program': (index) => `prog#${index}: exit`,
  'stop at modified return': (index) => `prog#${index}: stop if not zero`,
};

/** Offset in the image of an instruction's address, if it is there. */
export function offsetOf(subject: Subject, address: Word | undefined): number | undefined {
  if (address === undefined || address.hi !== subject.base.hi) return undefined;
  const offset = (address.lo - subject.base.lo) >>> 0;
  return offset <= subject.bytes.length ? offset : undefined;
}

/** Addresses in a text by the names that they have: findings quote raw words. */
export function nameWords(subject: Subject, text: string): string {
  return text.replace(/0x[0-9a-f]{9,16}/g, (hex) => nameHex(subject, hex) ?? hex);
}

function nameHex(subject: Subject, hex: string): string | undefined {
  return nameAddress(subject, fromHex(hex));
}
