import type { ProgId } from '../core/ids.ts';
import { entry } from '../core/present.ts';
import { profileNamed } from '../core/profile.ts';
import { routine } from '../core/routine.ts';
import { fails } from '../core/world.ts';
import { hexText } from '../ftrace/entry/hex-text.ts';
import { addressOfPlace } from '../text/int3.ts';
import { textPokeBpBatch } from '../text/poke.ts';
import { addressOf, branchBytes, HALF_BYTES } from '../text/space.ts';
import type { TextPlace } from '../text/text.ts';
import { allocatePage } from '../text/text.ts';
import { bpfProgPut } from '../trampoline/release.ts';
import type { Word } from '../x86/word.ts';
import { plus } from '../x86/word.ts';
import type { XdpView, XdpWorld } from './dispatcher.ts';
import {
  BPF_DISPATCHER_MAX,
  DISPATCHER_CALL,
  DISPATCHER_IMAGE,
  NOP_FUNC,
  programsCounted,
  xdpOf,
} from './dispatcher.ts';
import { dispatcherImage } from './dispatcher-image.ts';

/*
 * kernel/bpf/dispatcher.c. Two halves of a page take turns: the new image is written where no CPU is, the static call
 * is led there, and the wait makes sure that the other half is left before the next change writes to it.
 */

interface ChangeArgs {
  /** 0: NULL. */
  from: ProgId;
  to: ProgId;
}

interface Changing extends ChangeArgs {
  prev?: number;
  removed?: boolean;
  changed?: boolean;
}

/**
 * bpf_dispatcher_change_prog(). It answers nothing: without memory for the page, and beyond 48 programs, a program is
 * reached by the indirect jump.
 */
export const bpfDispatcherChangeProg = routine<XdpWorld, ChangeArgs, Changing>(
  'bpf_dispatcher_change_prog',
  ({ finish, holding, when, step, call }) => [
    finish('nothing changes', (_, { from, to }) => from === to),
    holding('dispatcher mutex', [
      when('there is no page', (k) => k.text.pages[DISPATCHER_IMAGE] === undefined, [
        finish('no memory for it', (k) => fails(k, 'allocation', 'bpf_dispatcher_change_prog')),
        step('allocate the page', (k) => {
          allocatePage(k, DISPATCHER_IMAGE, '');
          const { at: position } = entry(k.text.pages, DISPATCHER_IMAGE);
          k.text.pages[DISPATCHER_IMAGE] = { at: position, bytes: '', isPermanent: true };
        }),
      ]),
      step('bpf_dispatcher_remove_prog', (k, locals) => {
        locals.prev = programsCounted(xdpOf(k).dispatcher);
        locals.removed = removeProg(k, locals.from);
        locals.changed = locals.removed;
      }),
      when('it had its last user', (_, { removed }) => removed === true, [
        call(bpfProgPut, (_, { from }) => ({ prog: from })),
      ]),
      step('bpf_dispatcher_add_prog', (k, locals) => {
        if (addProg(k, locals.to)) locals.changed = true;
      }),
      finish('no program came or went', (_, { changed }) => changed !== true),
      call(bpfDispatcherUpdate, (_, { prev = 0 }) => ({ prev })),
    ]),
  ],
);

/** bpf_dispatcher_remove_prog(), up to the reference: whether the program has no user any more. */
function removeProg(k: XdpWorld, prog: ProgId): boolean {
  const found = prog === 0 ? undefined : slotOf(k, prog);
  if (found === undefined) return false;
  found.users--;
  if (found.users > 0) return false;
  found.prog = 0;
  return true;
}

/** bpf_dispatcher_add_prog(): whether it is new. A slot holds a reference on its program, whatever its users. */
function addProg(k: XdpWorld, prog: ProgId): boolean {
  if (prog === 0) return false;
  const found = slotOf(k, prog);
  if (found !== undefined) {
    found.users++;
    return false;
  }
  const { progs } = xdpOf(k).dispatcher;
  const free = slotOf(k, 0);
  if (free === undefined && progs.length === BPF_DISPATCHER_MAX) return false;
  entry(k.bpf.progs, prog).refs++;
  if (free === undefined) progs.push({ prog, users: 1 });
  else Object.assign(free, { prog, users: 1 });
  return true;
}

/** bpf_dispatcher_find_prog(). */
function slotOf(k: XdpWorld, prog: ProgId) {
  return xdpOf(k).dispatcher.progs.find((slot) => slot.prog === prog);
}

interface UpdateArgs {
  /** The number of programs before the change. */
  prev: number;
}

interface Updating extends UpdateArgs {
  /** The half that is written; undefined: no program is left. */
  half?: number;
}

/** bpf_dispatcher_update(). A half is free for the first program, as no CPU is in either then. */
export const bpfDispatcherUpdate = routine<XdpWorld, UpdateArgs, Updating>(
  'bpf_dispatcher_update',
  ({ holding, when, step, finish, call, wait }) => [
    when('there are programs', (k) => programsCounted(xdpOf(k).dispatcher) > 0, [
      finish('it cannot be written', (k) => fails(k, 'poke', 'bpf_dispatcher_update')),
      holding('text_mutex', [
        step('write the other half', (k, locals) => {
          locals.half = locals.prev > 0 ? xdpOf(k).dispatcher.imageOff ^ HALF_BYTES : 0;
          writeHalf(k, locals.half, imageOf(k, locals.half));
        }),
      ]),
    ]),
    call(dispatcherStaticCall, (_, { half }) => ({
      func: half === undefined ? NOP_FUNC : imageName(half),
    })),
    // A caller is in a section of RCU, also while it is in the image.
    wait('rcu'),
    when('there are programs (2)', (_, { half }) => half !== undefined, [
      step('remember the half', (k, { half = 0 }) => {
        xdpOf(k).dispatcher.imageOff = half;
      }),
    ]),
  ],
);

/** The image in a half, as the static call has it. */
export function imageName(half: number): string {
  return `${DISPATCHER_IMAGE}+0x${half.toString(16)}`;
}

/** Address of what the static call calls. */
export function calledAddress(k: XdpView, func: string): Word {
  const [page = '', offset = '0'] = func.split('+');
  return plus(addressOf(k, page), Number(offset));
}

/** The code for the programs that there are, in a half. */
export function imageOf(k: XdpView, half: number): Uint8Array {
  const profile = profileNamed(k.profile);
  const { progs } = xdpOf(k).dispatcher;
  const taken = progs.filter(({ prog }) => prog !== 0);
  const { indirectThunk } = profile.boots[k.boot as keyof typeof profile.boots];
  return dispatcherImage(
    taken.map(({ prog }) => addressOf(k, `prog#${prog}`)),
    {
      base: calledAddress(k, imageName(half)),
      indirect: indirectThunk === undefined ? 'jmp' : { thunk: addressOf(k, indirectThunk) },
      longestNop: profile.longestNop,
    },
  );
}

/** text_poke_copy_locked() of half a page, below bpf_arch_text_copy(): after a shorter image, the end of the one before stays. */
export function writeHalf(k: XdpWorld, half: number, image: Uint8Array): void {
  if (image.length > HALF_BYTES) throw new Error('an image of a dispatcher outgrows half a page');
  const page = entry(k.text.pages, DISPATCHER_IMAGE);
  const from = half * 2;
  const bytes = hexText(image);
  page.bytes = page.bytes.slice(0, from).padEnd(from, '00') + bytes + page.bytes.slice(from + bytes.length);
}

/**
 * __static_call_update() and arch_static_call_transform(), arch/x86/kernel/static_call.c: the jump in the function
 * itself. That of the trampoline `__SCT__bpf_dispatcher_xdp_call`, which no caller uses, changes with it.
 */
const dispatcherStaticCall = routine<XdpWorld, { func: string }>(
  '__BPF_DISPATCHER_UPDATE',
  ({ holding, finish, step, call }) => [
    holding('static_call_mutex', [
      finish('it calls it already', (k, { func }) => xdpOf(k).dispatcher.call === func),
      step('note the function', (k, { func }) => {
        xdpOf(k).dispatcher.call = func;
      }),
      holding('text_mutex', [
        call(textPokeBpBatch, (k, { func }) => ({ pokes: [{ place: CALL_PLACE, to: jumpTo(k, func) }] })),
      ]),
    ]),
  ],
);

/** The instruction of the static call. */
export const CALL_PLACE: TextPlace = { kind: 'inner', name: DISPATCHER_CALL, offset: 0 };

/** A static call that is the last thing that its function does is a jump (`static_call_is_tail()`). */
export function jumpTo(k: XdpView, func: string): string {
  return branchBytes('e9', addressOfPlace(k, CALL_PLACE), calledAddress(k, func));
}
