import { entry, item } from '../core/present.ts';
import { bytesOfHex } from '../ftrace/entry/hex-text.ts';
import { pageOn } from '../text/allocated-on.ts';
import { functionOf } from '../text/body-address.ts';
import { isThere } from '../text/module.ts';
import { PAGE_BYTES, pageAddress, SPACE } from '../text/space.ts';
import type { TextView } from '../text/text.ts';
import type { Machine, MachineFault } from '../x86/machine.ts';
import { cutIncoming, forgetCode, forgetReturns } from '../x86/machine.ts';
import type { Region } from '../x86/memory.ts';
import { writeBytes } from '../x86/memory.ts';
import type { Word } from '../x86/word.ts';
import { forgetData } from './brought-data.ts';
import type { PageSlot, Room } from './machine-room.ts';
import { INT3, setCuts } from './machine-room.ts';

const EMPTY_PAGE = new Uint8Array(PAGE_BYTES).fill(INT3);

/**
 * Makes the machine's text that of the state: only differences are written, and decoded again. Where runs
 * stop before a place that may change, its bytes are put there when they are fetched. Data that was read
 * before may have changed.
 *
 * Comparing is cheap because text is kept as strings: an unchanged site or page is the very same string, and
 * equality is one pointer comparison.
 */
export function syncText(room: Room, k: TextView): void {
  forgetData(room);
  syncPages(room, k);
  syncProbed(room, k);
  if (room.cuts) return;
  syncSites(room, k);
  syncInner(room, k);
}

/**
 * Call sites, `__fentry__` in the kernel: NOP5, or a call or jump. The site of a function in a module that is
 * not loaded is left as it was: no call can get there.
 */
function syncSites(room: Room, k: TextView): void {
  const { functions, sites, traced, siteOffset } = room;
  for (let order = 0; order < functions.length; order++) {
    const { name } = item(functions, order);
    const bytes = k.text.sites[name];
    if (bytes === sites[order] || !isThere(k, name)) continue;
    if (bytes === undefined) throw new Error(`${name} has no call site in the state`);
    sites[order] = bytes;
    install(room, item(traced, order), siteOffset, bytes);
  }
}

/** Breakpoints in bodies. A function whose breakpoints have changed is decoded again. */
function syncProbed(room: Room, { text: { probed } }: TextView): void {
  if (isSame(room.probed, probed)) return;
  const changed = new Set([...room.probed, ...Object.keys(probed)].map(functionOf));
  room.probed.clear();
  for (const ip in probed) room.probed.add(ip);
  for (const region of room.traced) {
    if (!changed.has(region.name)) continue;
    forgetCode(room.machine, region);
    setCuts(room, region);
  }
}

function isSame(known: ReadonlySet<string>, probed: Readonly<Record<string, string>>): boolean {
  let count = 0;
  for (const ip in probed) {
    if (!known.has(ip)) return false;
    count++;
  }
  return count === known.size;
}

/** `ftrace_call` and `ftrace_regs_call`, which ftrace_update_ftrace_func() in arch/x86/kernel/ftrace.c pokes. */
function syncInner(room: Room, k: TextView): void {
  for (const call of room.inner) {
    const bytes = k.text.inner[call.name];
    if (bytes === call.bytes) continue;
    if (bytes === undefined) throw new Error(`the state does not say what ${call.name} calls`);
    call.bytes = bytes;
    install(room, call.region, call.offset, bytes);
  }
}

/**
 * Executable memory that was allocated. A slot whose page is no longer in the state is unmapped: execution
 * there is a fault, the use after free that the laws look for. With cuts every page has its own slot.
 */
function syncPages(room: Room, k: TextView): void {
  if (room.cuts) return hidePages(room);
  const { pages } = k.text;
  for (const slot of room.pages) slot.seen = false;
  for (const name in pages) {
    const { at: index, bytes, patchable = [] } = entry(pages, name);
    const slot = item(room.pages, index % room.pages.length);
    if (slot.at !== index) continue;
    slot.seen = true;
    syncPage(room, slot, bytes, patchable);
  }
  for (const slot of room.pages) if (!slot.seen && slot.bytes !== undefined) unmap(room, slot);
}

function syncPage(room: Room, slot: PageSlot, bytes: string, patchable: readonly number[]): void {
  const hasItsCuts = isSameList(slot.patchable, patchable);
  // A copy: the list of a state may be a draft, which ends before the machine does.
  if (!hasItsCuts) slot.patchable = [...patchable];
  if (slot.bytes !== bytes || !hasItsCuts) fillPage(room, slot, bytes);
}

/**
 * With cuts a page is in the machine only from its first access on, so that a call depends on no other pages of its state.
 * The decoded instructions of a page stay, without the links to them.
 */
function hidePages({ machine, regions, shown }: Room): void {
  if (shown.length === 0) return;
  for (const { mapped, unmapped } of shown) {
    regions[mapped.number] = unmapped;
    cutIncoming(machine, mapped);
  }
  forgetReturns(machine);
  shown.length = 0;
}

/** Puts the page with a number into a machine with cuts; answers whether it is allocated, and was not there. */
function showPage(room: Room, k: TextView, index: number): boolean {
  const name = pageOn(k.text, index);
  if (name === null) return false;
  const slot = room.pages[index];
  if (slot === undefined) throw new Error(`${name} lies on page ${index}, after the last one`);
  if (room.shown.includes(slot)) return false;
  const { bytes, patchable = [] } = entry(k.text.pages, name);
  room.regions[slot.mapped.number] = slot.mapped;
  syncPage(room, slot, bytes, patchable);
  room.shown.push(slot);
  return true;
}

/** A page with the same bytes may have got a place that is patched, or may be another one that has none. */
function isSameList(a: readonly number[], b: readonly number[]): boolean {
  return a.length === b.length && a.every((offset, i) => offset === b[i]);
}

/**
 * Puts the page of an address into the machine. Answers whether that is allocated, and was not in the machine yet.
 */
export function bringPage(room: Room, k: TextView, { hi, lo }: Word): boolean {
  if (hi !== SPACE.PAGES.hi) return false;
  const index = Math.floor(((lo - SPACE.PAGES.lo) >>> 0) / PAGE_BYTES);
  return room.cuts ? showPage(room, k, index) : loadPage(room, k, index);
}

/**
 * Resumes after a fault on a page that is in the machine now: a branch to it has been executed, a read is executed
 * again.
 */
export function resumeInPage(machine: Machine, { access, address, at: place }: MachineFault): void {
  Object.assign(machine.rip, access === 'execute' ? address : place);
  // It has been counted.
  if (access !== 'execute') machine.steps--;
}

/** Where there are more pages than slots, a page takes the place of another when it is executed. */
function loadPage(room: Room, k: TextView, index: number): boolean {
  const slot = item(room.pages, index % room.pages.length);
  const isKept = Object.values(k.text.pages).some((page) => page.at === index);
  if (slot.at === index || !isKept) return false;
  if (slot.bytes !== undefined) unmap(room, slot);
  slot.at = index;
  slot.mapped = { ...slot.mapped, base: pageAddress(index) };
  slot.unmapped = { ...slot.unmapped, base: pageAddress(index) };
  syncPages(room, k);
  return true;
}

function fillPage(room: Room, slot: PageSlot, bytes: string): void {
  writeBytes(slot.mapped, 0, EMPTY_PAGE);
  room.regions[slot.mapped.number] = slot.mapped;
  install(room, slot.mapped, 0, bytes);
  slot.bytes = bytes;
}

/**
 * Other regions' links into the page are cut, and its rows forgotten; its bytes stay until the slot is filled
 * again.
 */
function unmap(room: Room, slot: PageSlot): void {
  forgetCode(room.machine, slot.mapped);
  room.regions[slot.unmapped.number] = slot.unmapped;
  slot.bytes = undefined;
}

/** New bytes, and nothing that was decoded before. */
export function install(room: Room, region: Region, offset: number, bytes: string): void {
  writeBytes(region, offset, bytesOfHex(bytes));
  forgetCode(room.machine, region);
  setCuts(room, region);
}
