import type { ProgId } from '../core/ids.ts';
import { programNumber } from '../core/object-name.ts';
import { entry, present } from '../core/present.ts';
import type { CFunctions, Cpu } from '../text/cpu.ts';
import type { MemoryObject } from '../text/memory-object.ts';
import { addressOf, XDP_PROGS } from '../text/space.ts';
import { programInMemory } from '../trampoline/in-memory.ts';
import { BPF_FUNC, programInsnsAt, programOfStruct, programStructAt } from '../trampoline/world.ts';
import { RAX, RDI, RSI } from '../x86/register.ts';
import type { Word } from '../x86/word.ts';
import { displacement, plus, toHex, ZERO } from '../x86/word.ts';
import type { XdpView, XdpWorld } from './dispatcher.ts';
import { DISPATCHER_FUNC, xdpOf } from './dispatcher.ts';

/*
 * A packet comes in: what the code of a device's function reads and calls. bpf_prog_run_xdp() passes the packet, the
 * instructions of the program and the address of its code to `bpf_dispatcher_xdp_func`.
 */

/** The section of RCU in which packets are received: netif_receive_skb_internal(), net/core/dev.c. */
export const XDP_FUNCTIONS: CFunctions<XdpWorld> = {
  __rcu_read_lock: {
    atOnce: ({ current }) => {
      current.rcu++;
    },
  },
  __rcu_read_unlock: {
    atOnce: ({ current }) => {
      current.rcu--;
    },
  },
};

/** An XDP program sees its packet, and has been given its own instructions. */
export function runXdpProgram(k: XdpView, cpu: Cpu, number: ProgId): void {
  const { returns } = programInMemory(k, number, 'the program itself');
  const args = [RDI, RSI].map((reg) => toHex(cpu.register(reg)));
  cpu.events.push({ kind: 'xdp program', who: `prog#${number}`, fn: DISPATCHER_FUNC, args });
  cpu.setRegister(RAX, returns);
}

/** What bpf_prog_run_xdp() passes on after the packet: the program's instructions, and the address of its code. */
export function xdpArguments(k: XdpView, who: string): readonly [Word, Word] {
  return [programInsnsAt(present(programNumber(who), who)), addressOf(k, who)];
}

/** Bytes of a pointer. */
const POINTER_BYTES = 8;

/** `dev->xdp_prog` of a device, or the fields of a program that bpf_prog_run_xdp() reads. */
export function xdpMemory(k: XdpView, address: Word): MemoryObject | undefined {
  return k.xdp === undefined ? undefined : (pointerAt(k, address) ?? fieldAt(k, address));
}

function pointerAt(k: XdpView, address: Word): MemoryObject | undefined {
  const { devices } = xdpOf(k);
  const by = displacement(address, XDP_PROGS);
  const name = Object.keys(devices).find(
    (dev) => k.text.functions[dev] === Math.floor((by ?? -1) / POINTER_BYTES),
  );
  if (by === undefined || name === undefined) return undefined;
  const { xdpProg } = entry(devices, name);
  return {
    base: plus(XDP_PROGS, by - (by % POINTER_BYTES)),
    words: [xdpProg === 0 ? ZERO : programStructAt(xdpProg)],
  };
}

/** Programs that a sequence can load have three digits. */
const PROGRAMS_MOST = 999;

/** `prog->bpf_func`: its code. */
function fieldAt(k: XdpView, address: Word): MemoryObject | undefined {
  const number = programOfStruct(plus(address, -BPF_FUNC));
  if (!Number.isInteger(number) || number < 1 || number > PROGRAMS_MOST) return undefined;
  programInMemory(k, number, 'bpf_prog_run_xdp');
  return { base: address, words: [addressOf(k, `prog#${number}`)] };
}
