import type { Ip } from '../core/ids.ts';
import { useAfterFree } from '../core/oops.ts';
import { entry } from '../core/present.ts';
import type { DeepReadonly } from '../core/readonly.ts';
import type { TaskWorld } from '../task/current.ts';
import type { Word } from '../x86/word.ts';
import { equal, plus } from '../x86/word.ts';
import { ipAt } from './body-address.ts';
import { spliced, writeBody } from './body-text.ts';
import type { Module } from './module.ts';
import { addressOf, branchBytes, C_FUNCTIONS, ENTRY_CODE, programStartingAt } from './space.ts';
import type { View } from './view.ts';

/**
 * Kernel text that changes. Bytes are hexadecimal text: they print, compare and are copied like any other value.
 */
export interface Text {
  /** The five bytes at each traced function's call site. */
  sites: Record<string, string>;
  /**
   * What memory has at instructions of bodies that kprobes change, from the first byte of each: an int3, or, until every
   * CPU is synchronised, the opcode; up to five bytes where a jump takes the place of instructions (`optprobe.ts`).
   */
  probed: Record<Ip, string>;
  /** Calls inside ftrace's own entry code: `ftrace_call`, `ftrace_regs_call`. */
  inner: Record<string, string>;
  /** Executable memory that was allocated: BPF images, ftrace's copies of its entry code. */
  pages: Record<string, TextPage>;
  /** BPF images that share a page: the half of their trampoline's page that each is in. */
  halves: Record<string, PageHalf>;
  /** Modules by name, loaded or not. */
  modules: Record<string, Module>;
  /** The traced functions, each with its position in the address space. */
  functions: Record<string, number>;
  /** Functions in C that only this kernel has, each with one of the spare stubs. */
  readonly stubs: readonly string[];
  /** Bytes from a function's start to its call site: after `endbr64`. */
  readonly siteOffset: number;
  /** How often each call site, inner call or page has been poked so far. */
  pokes: Record<string, number>;
  /** `tp_vec` with its reference counter, while a batch of changes is under way. */
  poke: PokeBatch | null;
  /** CPUs in the int3 handler that hold the batch. They have interrupts disabled, and take no IPI. */
  inInt3: number;
  /** Pages below this number have been in use, once CPUs run independently. */
  pagesUsed: number;
  /** What each CPU may still fetch; empty while operations run one after the other. */
  views: View[];
}

/** Changes under way: the batch in which the int3 handler searches. */
export interface PokeBatch {
  /** `bp_desc.refs`, since 6.16 the sum of `text_poke_array_refs`: while it is zero, an int3 is not ours. */
  refs: number;
  readonly vec: readonly PokeEntry[];
}

/** One change: the instructions before and after it, up to five bytes each. */
export interface PokeEntry {
  readonly place: TextPlace;
  readonly from: string;
  readonly to: string;
}

/** One page of executable memory. */
export interface TextPage {
  /** Number of the page. */
  readonly at: number;
  bytes: string;
  /** Offsets of the instructions in it that may be patched while it is executed. */
  patchable?: readonly number[];
  /** Part of the kernel's text: there since boot, never freed. */
  readonly isPermanent?: true;
}

/** A place in a page that has another name. */
export interface PageHalf {
  readonly page: string;
  /** Bytes from the start of the page. */
  readonly offset: number;
}

export interface TextWorld extends TaskWorld {
  text: Text;
}

/** Read-only. */
export type TextView = DeepReadonly<TextWorld>;

export const NOP5 = '0f1f440000';
export const SITE_BYTES = 5;

/** Symbols that have the same address in every state. */
const FIXED: readonly string[] = [...ENTRY_CODE, ...C_FUNCTIONS];

/** The place of a change of text: a call site, an inner call, a place in a page, or the first byte of an instruction in a body. */
export interface TextPlace {
  readonly kind: 'site' | 'inner' | 'page' | 'probed';
  readonly name: string;
  /** Bytes from the start of what lies in a page, of the entry code that holds an inner call, or of the function. */
  readonly offset: number;
}

export function siteOf(name: string): TextPlace {
  return { kind: 'site', name, offset: 0 };
}

/** The bytes at a place now; of an instruction in a body those that kprobes change. */
export function readText(k: TextView, { kind, name, offset }: TextPlace, bytes: number): string {
  if (kind === 'probed') return entry(k.text.probed, ipAt(name, offset)).slice(0, bytes * 2);
  if (kind === 'site') return siteText(k, name).slice(0, bytes * 2);
  if (kind === 'inner') return entry(k.text.inner, name).slice(0, bytes * 2);
  const from = offset + startInPage(k, name);
  return entry(k.text.pages, pageOf(k, name)).bytes.slice(from * 2, (from + bytes) * 2);
}

/** The bytes of a call site; a crash if its module was unloaded. */
function siteText({ text }: TextView, name: string): string {
  const bytes = text.sites[name];
  if (bytes === undefined) throw useAfterFree({ is: 'text', fn: name });
  return bytes;
}

/** Writes bytes at a place, from its byte `from` on. */
export function writeText(k: TextWorld, place: TextPlace, from: number, bytes: string): void {
  const { kind, name, offset } = place;
  if (kind === 'probed') return writeBody(k, place, from, bytes);
  if (kind === 'page') {
    const page = entry(k.text.pages, pageOf(k, name));
    page.bytes = spliced(page.bytes, (startInPage(k, name) + offset + from) * 2, bytes);
    return;
  }
  const table = kind === 'site' ? k.text.sites : k.text.inner;
  table[name] = spliced(entry(table, name), from * 2, bytes);
}

/** The name of the page that an object is in: its own, or a shared one. */
function pageOf({ text }: TextView, name: string): string {
  return text.halves[name]?.page ?? name;
}

/** Bytes from the start of that page. */
function startInPage({ text }: TextView, name: string): number {
  return text.halves[name]?.offset ?? 0;
}

/** Address of a call site: the result of `ftrace_location()`. */
export function siteAddress(k: TextView, name: string): Word {
  return plus(addressOf(k, name), k.text.siteOffset);
}

/** The instruction after a traced function's call site. */
export function bodyAddress(k: TextView, name: string): Word {
  return plus(siteAddress(k, name), SITE_BYTES);
}

/** The five bytes of a call from a call site to a symbol, or of a jump. */
export function branchAtSite(k: TextView, name: string, opcode: 'e8' | 'e9', to: string): string {
  return branchBytes(opcode, siteAddress(k, name), addressOf(k, to));
}

/** The page, traced function, fixed symbol or program that starts at an address, if one does. */
export function nameAt(k: TextView, address: Word): string | undefined {
  for (const name of [
    ...Object.keys(k.text.halves),
    ...Object.keys(k.text.pages),
    ...Object.keys(k.text.functions),
    ...FIXED,
    ...k.text.stubs,
  ]) {
    if (equal(addressOf(k, name), address)) return name;
  }
  return programStartingAt(address);
}

/**
 * Takes the lowest free page. While tasks are in calls, it takes one that was never used, so that a return to
 * freed memory is noticed: reuse would hide it.
 */
export function allocatePage(k: TextWorld, name: string, bytes: string): void {
  const taken = takenPages(k);
  let offset = k.text.views.length > 0 ? k.text.pagesUsed : taken.from;
  while (taken.numbers.has(offset)) offset++;
  if (k.text.views.length === 0) taken.from = offset + 1;
  taken.numbers.add(offset);
  k.text.pages[name] = { at: offset, bytes };
  if (k.text.views.length > 0) k.text.pagesUsed = offset + 1;
}

/** Numbers of the pages that are in use; none below `from` is free. */
interface TakenPages {
  readonly numbers: Set<number>;
  from: number;
}

/** For each state in which pages were allocated; derived from its pages. */
const TAKEN = new WeakMap<object, TakenPages>();

function takenPages({ text: { pages } }: TextView): TakenPages {
  let taken = TAKEN.get(pages);
  if (taken === undefined) {
    taken = { numbers: new Set(Object.values(pages).map((page) => page.at)), from: 0 };
    TAKEN.set(pages, taken);
  }
  return taken;
}

export function freePage(k: TextWorld, name: string): void {
  const page = k.text.pages[name];
  const taken = TAKEN.get(k.text.pages);
  if (page !== undefined && taken !== undefined) {
    taken.numbers.delete(page.at);
    taken.from = Math.min(taken.from, page.at);
  }
  delete k.text.pages[name];
  delete k.text.halves[name];
}

/** Whether an object of this name is in memory now. */
export function isAllocated({ text }: TextView, name: string): boolean {
  return text.pages[name] !== undefined || text.halves[name] !== undefined;
}
