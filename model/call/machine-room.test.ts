import { describe, expect, test } from 'vitest';
import { crashText } from '../core/crash-words.ts';
import {
  FUNCTIONS,
  HOOKS,
  hex,
  patch,
  requestOf,
  returnOf,
  setHandler,
  withCode,
  withHooks,
  words,
  worldOf,
} from '../testing/call-rig.ts';
import { pageAddress } from '../text/space.ts';
import type { TextWorld } from '../text/text.ts';
import { allocatePage, freePage, NOP5 } from '../text/text.ts';
import { isBreakpoint } from '../x86/link.ts';
import { offsetIn } from '../x86/memory.ts';
import { RAX } from '../x86/register.ts';
import { fromNumber, plus } from '../x86/word.ts';
import { runCall } from './call.ts';
import type { CallRun } from './call-frame.ts';
import { PAGES_MOST } from './code-place.ts';
import { roomFor } from './room-cache.ts';
import { bringPage, syncText } from './sync-text.ts';

const PLAIN = hex(returnOf('f2', words(2)));
const REPLACED = '0xaaaa000055550000';

function call(k: TextWorld, functions = FUNCTIONS, hooks = HOOKS): CallRun {
  return runCall(k, functions, requestOf('f2', words(2)), withHooks(hooks));
}

/** A page whose code returns a number to the caller of f2. */
function answering(k: TextWorld, page: string, answer: number): void {
  withCode(k, page, (a) => {
    a.loadConstant(RAX, fromNumber(answer), false);
    a.ret();
  });
}

describe('the machine executes what the state says', () => {
  test('a call site that is patched and patched back', () => {
    const k = worldOf('6.12');
    const seen = [call(k).rax];
    patch(k, 'f2', 'replacement', 'e9');
    seen.push(call(k).rax);
    k.text.sites.f2 = NOP5;
    seen.push(call(k).rax);
    expect(seen).toEqual([PLAIN, REPLACED, PLAIN]);
  });

  test('two states in turn, each with its own text', () => {
    const plain = worldOf('6.12');
    const patched = worldOf('6.12');
    patch(patched, 'f2', 'replacement', 'e9');
    const seen = [plain, patched, plain, patched].map((k) => call(k).rax);
    expect(seen).toEqual([PLAIN, REPLACED, PLAIN, REPLACED]);
  });

  test('an inner call of another handler', () => {
    const k = worldOf('6.12');
    patch(k, 'f2', 'ftrace_caller');
    const called: string[] = [];
    const hooks = {
      ...HOOKS,
      ftrace_stub: () => void called.push('stub'),
      kprobe_ftrace_handler: () => void called.push('kprobe'),
    };
    call(k, FUNCTIONS, hooks);
    setHandler(k, 'kprobe_ftrace_handler');
    call(k, FUNCTIONS, hooks);
    expect(called).toEqual(['stub', 'kprobe']);
  });

  test('a page that is freed, and allocated again', () => {
    const k = worldOf('6.12');
    answering(k, 'tramp#1', 1);
    patch(k, 'f2', 'tramp#1', 'e9');
    const seen = [call(k).rax];
    freePage(k, 'tramp#1');
    seen.push(crashText(call(k).fault!));
    answering(k, 'ops#1.trampoline', 2);
    seen.push(call(k).rax);
    expect(seen).toEqual(['0x1', 'fetch of 1 byte at page 0: unmapped, at f2+0x4', '0x2']);
  });

  test('nothing is left of longer code that was on a page before', () => {
    const k = worldOf('6.12');
    answering(k, 'tramp#1', 1);
    patch(k, 'f2', 'tramp#1', 'e9');
    call(k);
    k.text.pages['tramp#1']!.bytes = k.text.pages['tramp#1']!.bytes.slice(0, 10);
    expect(crashText(call(k).fault!)).toBe('breakpoint trap at tramp#1+0x5');
  });

  test('a place of a page that is patched from now on, where runs stop then', () => {
    const k = worldOf('6.12');
    answering(k, 'tramp#1', 1);
    const page = k.text.pages['tramp#1']!;
    const stops = [undefined, [5], undefined].map((patchable) => {
      if (patchable === undefined) delete page.patchable;
      else page.patchable = patchable;
      const room = roomFor(k, FUNCTIONS, true);
      syncText(room, k);
      bringPage(room, k, pageAddress(page.at));
      return isBreakpoint(room.machine, plus(pageAddress(page.at), 5));
    });
    expect(stops).toEqual([false, true, false]);
  });

  test('the last page is as good as the first', () => {
    const k = worldOf('6.12');
    for (let index = 0; index < PAGES_MOST - 1; index++) allocatePage(k, `tramp#${index}`, '');
    answering(k, 'last', 3);
    patch(k, 'f2', 'last', 'e9');
    expect(call(k).rax).toBe('0x3');
    k.text.pages = {};
    expect(crashText(call(k).fault!)).toBe('fetch of 1 byte at page 63: unmapped, at f2+0x4');
  });

  test('a page without a free slot replaces another, which is loaded again', () => {
    const k = worldOf('6.12');
    answering(k, 'first', 1);
    for (let index = 1; index < PAGES_MOST; index++) allocatePage(k, `tramp#${index}`, '');
    answering(k, 'one more', 2);
    const seen = ['one more', 'first', 'one more'].map((page) => {
      patch(k, 'f2', page, 'e9');
      return call(k).rax;
    });
    expect(seen).toEqual(['0x2', '0x1', '0x2']);
    freePage(k, 'one more');
    expect(crashText(call(k).fault!)).toMatch(
      /^fetch of 1 byte at 0xffffffffc0240000: unmapped, at f2\+0x4$/,
    );
    answering(k, 'another', 3);
    expect(call(k).rax).toBe('0x3');
  });

  test('where runs stop everywhere a page is there from its first access on, until the text changes', () => {
    const k = worldOf('6.12');
    answering(k, 'tramp#1', 1);
    const room = roomFor(k, FUNCTIONS, true);
    syncText(room, k);
    const address = pageAddress(k.text.pages['tramp#1']!.at);
    const isIn = () => room.regions.some((region) => offsetIn(region, address.hi, address.lo) < region.size);
    const seen = [isIn(), bringPage(room, k, address), isIn(), bringPage(room, k, address)];
    syncText(room, k);
    expect([...seen, isIn()]).toEqual([false, true, true, false, false]);
    freePage(k, 'tramp#1');
    expect(bringPage(room, k, address)).toBe(false);
  });

  test('where runs stop everywhere a page that has no slot is refused when it is reached', () => {
    const k = worldOf('6.12');
    for (let index = 0; index <= PAGES_MOST; index++) allocatePage(k, `tramp#${index}`, '');
    const room = roomFor(k, FUNCTIONS, true);
    syncText(room, k);
    expect(() => bringPage(room, k, pageAddress(PAGES_MOST))).toThrow(
      'tramp#64 lies on page 64, after the last one',
    );
  });

  test('a call does not depend on the calls before it', () => {
    const k = worldOf('6.12');
    const first = call(k);
    const busy = worldOf('6.12');
    patch(busy, 'f2', 'ftrace_regs_caller');
    call(busy);
    expect(call(k)).toEqual(first);
  });
});

describe('a machine', () => {
  test('is shared by equal lists of functions, and not by kernels that differ in entry code', () => {
    const room = roomFor(worldOf('6.12'), FUNCTIONS);
    expect(roomFor(worldOf('6.12'), [...FUNCTIONS])).toBe(room);
    expect(roomFor(worldOf('6.12'), structuredClone(FUNCTIONS))).toBe(room);
    expect(roomFor(worldOf('6.12'), FUNCTIONS.slice(0, -1))).not.toBe(room);
    expect(roomFor(worldOf('6.12'), FUNCTIONS.with(0, { ...FUNCTIONS[0]!, id: 7 }))).not.toBe(room);
    expect(roomFor(worldOf('7.2'), FUNCTIONS)).not.toBe(room);
    expect(roomFor(worldOf('6.1'), FUNCTIONS)).not.toBe(room);
  });

  test('is refused for a state whose functions are others', () => {
    const k = worldOf('6.12');
    expect(() => call(k, FUNCTIONS.toReversed())).toThrow(/ of the state, and not in that order$/);
    delete k.text.sites.f2;
    expect(() => call(k)).toThrow('f2 has no call site in the state');
  });
});
