import type { FunctionName, ProgId } from '../core/ids.ts';
import { present } from '../core/present.ts';
import type { DeepReadonly } from '../core/readonly.ts';
import type { BpfWorld } from '../trampoline/world.ts';

/*
 * The dispatcher of XDP programs, kernel/bpf/dispatcher.c: code that jumps to a program directly where an indirect jump
 * would be slow. It has nothing to do with which programs a device runs; a program that it does not have is jumped to
 * through a thunk.
 *
 * ```text
 *   eth0 ── dev->xdp_prog ──▶ rdx = prog->bpf_func
 *     └─▶ bpf_dispatcher_xdp_func ─▶ static call ─┬─▶ image: cmp, je prog#1 … jmp *rdx
 *                                                 └─▶ bpf_dispatcher_nop_func: jmp *rdx
 * ```
 */

/** The number of programs whose image still fits half a page. */
export const BPF_DISPATCHER_MAX = 48;

/** The function whose calls are dispatched, and the place of its static call. */
export const DISPATCHER_FUNC = 'bpf_dispatcher_xdp_func';
export const DISPATCHER_CALL = 'bpf_dispatcher_xdp_call';
/** What it calls without a program. */
export const NOP_FUNC = 'bpf_dispatcher_nop_func';
/** The page of the images, `d->image`, by its symbol. */
export const DISPATCHER_IMAGE = 'bpf_dispatcher_xdp';

/** `struct bpf_dispatcher_prog`. */
export interface DispatcherProg {
  /** 0: the slot is free. */
  prog: ProgId;
  users: number;
}

/** `struct bpf_dispatcher`, and its static call. */
export interface BpfDispatcher {
  /** The slots that were ever taken, at most BPF_DISPATCHER_MAX. */
  progs: DispatcherProg[];
  /** `image_off`: the half of the page that is in use. */
  imageOff: number;
  /** `key->func`: a function, or the image with its half. */
  call: string;
}

/** A network device with generic XDP, by the name of the function that receives its packets. */
export interface XdpDevice {
  /** `dev->xdp_prog`, which packets read; 0: none. */
  xdpProg: ProgId;
  /** `dev->xdp_state[XDP_MODE_SKB].prog`. */
  stateProg: ProgId;
}

export interface Xdp {
  readonly devices: Record<FunctionName, XdpDevice>;
  readonly dispatcher: BpfDispatcher;
}

/** A kernel that may have devices; without the dispatcher's function the field is absent. */
export interface XdpWorld extends BpfWorld {
  xdp?: Xdp;
}

/** Read-only. */
export type XdpView = DeepReadonly<XdpWorld>;

/** No device has a program. */
export function bootXdp(devices: readonly FunctionName[]): Xdp {
  return {
    devices: Object.fromEntries(devices.map((name) => [name, { xdpProg: 0, stateProg: 0 }])),
    dispatcher: { progs: [], imageOff: 0, call: NOP_FUNC },
  };
}

export function xdpOf(k: XdpWorld): Xdp;
export function xdpOf(k: XdpView): DeepReadonly<Xdp>;
export function xdpOf(k: XdpView): DeepReadonly<Xdp> {
  return present(k.xdp, 'devices');
}

/** `d->num_progs`. */
export function programsCounted({ progs }: DeepReadonly<BpfDispatcher>): number {
  return progs.filter(({ prog }) => prog !== 0).length;
}
