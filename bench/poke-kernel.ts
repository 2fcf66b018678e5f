import { linkProgram } from '../model/core/link.ts';
import { Oops, useAfterFree } from '../model/core/oops.ts';
import { routine } from '../model/core/routine.ts';
import type { World } from '../model/core/world.ts';
import { nothingForbidden } from '../model/task/current.ts';
import { symbolAt } from '../model/text/branch.ts';
import { int3Handler } from '../model/text/int3.ts';
import { textPokeBpBatch } from '../model/text/poke.ts';
import { branchTarget } from '../model/text/space.ts';
import type { TextView, TextWorld } from '../model/text/text.ts';
import {
  allocatePage,
  branchAtSite,
  freePage,
  isAllocated,
  NOP5,
  siteAddress,
  siteOf,
} from '../model/text/text.ts';
import type { View } from '../model/text/view.ts';
import { fetches, INT3 } from '../model/text/view.ts';

/**
 * A kernel that is nothing but text: traced functions with their call sites, an image for each while it is allocated,
 * and what each CPU may still fetch. The updater is made of the words, the steps and the fetches of the model;
 * `spin/text-poke.pml` is the same model in Promela.
 */
export interface PokeKernel extends World, TextWorld {}

/** The traced functions of a kernel: `f1`, `f2`, … */
function functionsOf({ text }: TextView): string[] {
  return Object.keys(text.functions);
}

function imageOf(fn: string): string {
  return fn.replace('f', 'tramp#');
}

/** This many functions, none of them with an image, and this many CPUs that have seen everything. */
export function bootPokeKernel(sites: number, cpus: number): PokeKernel {
  const names = Array.from({ length: sites }, (_, i) => `f${i + 1}`);
  return {
    profile: '6.12',
    locks: {},
    warnings: [],
    fault: null,
    deferred: [],
    current: nothingForbidden(),
    text: {
      sites: Object.fromEntries(names.map((fn) => [fn, NOP5])),
      probed: {},
      inner: {},
      pages: {},
      halves: {},
      modules: {},
      functions: Object.fromEntries(names.map((fn, i) => [fn, i])),
      stubs: [],
      siteOffset: 0,
      pokes: {},
      poke: null,
      inInt3: 0,
      pagesUsed: 0,
      views: Array.from({ length: cpus }, () => ({})),
    },
  };
}

/** Leads every call site to an image of its own, in one batch. */
const link = routine<PokeKernel, object>('link', ({ step, call }) => [
  step('allocate the images', (k) => {
    for (const fn of functionsOf(k)) allocatePage(k, imageOf(fn), '');
  }),
  call(textPokeBpBatch, (k) => ({
    pokes: functionsOf(k).map((fn) => ({ place: siteOf(fn), to: branchAtSite(k, fn, 'e8', imageOf(fn)) })),
  })),
]);

/** Leads every call site back, and frees the images when the last task has left them. */
const unlink = routine<PokeKernel, object>('unlink', ({ step, call, wait }) => [
  call(textPokeBpBatch, (k) => ({
    pokes: functionsOf(k).map((fn) => ({ place: siteOf(fn), to: NOP5 })),
  })),
  step('retire the images', () => {}),
  wait('rcu_tasks'),
  step('free the images', (k) => {
    for (const fn of functionsOf(k)) freePage(k, imageOf(fn));
  }),
]);

/** What the updater does over and over. */
export const POKE_ROUTINES = ['link', 'unlink'] as const;
export const POKE_PROGRAM = linkProgram({ routines: [link, unlink], upcalls: {} });

/** Drops the counts of executed steps: no task reads them, and they would make every state a new one. */
export function forgetCounters({ text }: PokeKernel): void {
  text.pokes = {};
  text.pagesUsed = 0;
}

/** The location of a task that has called a function: in its body, or in the image that the call site calls. */
export interface Reached {
  /** The function, or the image. */
  readonly place: string;
  /** What its CPU may fetch afterwards. */
  readonly view: View;
}

/** All that may come of a call of a function on a CPU; throws when one crashes. */
export function reachedFrom(k: PokeKernel, fn: string, cpu: number): Reached[] {
  return fetches(k, k.text.views[cpu]!, siteOf(fn)).map(({ bytes, torn, view }) => {
    if (torn) throw new Oops({ is: 'torn instruction', place: fn, bytes });
    return { place: placeOf(k, fn, bytes), view };
  });
}

function placeOf(k: PokeKernel, fn: string, bytes: string): string {
  const trap = bytes === INT3 ? int3Handler(k, siteOf(fn)) : { emulates: bytes };
  if (typeof trap === 'string') throw new Oops({ is: 'unknown int3', place: fn });
  if (trap.emulates === NOP5) return fn;
  return symbolAt(k, branchTarget(trap.emulates, siteAddress(k, fn)));
}

/** A task resumes where it is and leaves the kernel's text; throws when no instruction is left. */
export function leave(k: PokeKernel, place: string): void {
  const isText = functionsOf(k).includes(place) || isAllocated(k, place);
  if (!isText) throw useAfterFree({ is: 'code', of: place });
}
