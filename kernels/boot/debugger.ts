import { item } from '../../model/core/present.ts';
import { Duplex } from './duplex.ts';

/*
 * The debugger's side of an emulated machine, in the remote protocol of gdb: `$packet#checksum`. A breakpoint is the
 * emulator's own, no byte of the kernel changes; when a CPU reaches one, all of them stand until it is answered.
 */

/** A CPU at a breakpoint. */
export interface Hit {
  readonly cpu: number;
  readonly address: bigint;
}

/** Registers of x86-64 by number, eight bytes each. */
const RSP = 7;
const RIP = 16;
const INTERRUPT = '\x03';
const PACKET = /\$([^#]*)#[0-9a-f]{2}/;

export class Debugger {
  private readonly line: Duplex;
  private readonly set = new Set<bigint>();
  private isRunning = false;
  /** What to do at a breakpoint: the CPU is led elsewhere, or executes what is there. */
  atHit: (hit: Hit) => 'led away' | 'executes' = () => 'executes';

  constructor(path: string) {
    this.line = new Duplex(path);
  }

  /** To a machine that runs: the first byte stops it, and that it stands has to be acknowledged. */
  connect(): void {
    this.send(INTERRUPT);
    this.reply();
    this.send('+');
    this.command('QStartNoAckMode');
    this.resume();
  }

  /** Looks whether a CPU is at a breakpoint, and lets it go again; whether there was one. */
  poll(): boolean {
    if (!this.isRunning) return false;
    const stop = this.line.take(PACKET)?.[1];
    if (stop === undefined) return false;
    this.isRunning = false;
    this.stopped(stop);
    this.resume();
    return true;
  }

  /** Sets breakpoints, in place of those that are set. */
  breakAt(addresses: Iterable<bigint>): void {
    const wanted = new Set(addresses);
    this.interrupted(() => {
      for (const address of this.set) if (!wanted.has(address)) this.change('z', address);
      for (const address of wanted) if (!this.set.has(address)) this.change('Z', address);
    });
  }

  /** Leads the CPU that is at a breakpoint to an address, as if from a call: where it was is on its stack. */
  lead(cpu: number, to: bigint): void {
    this.command(`Hg${thread(cpu)}`);
    const registers = this.registers();
    const [from, stack] = [wordIn(registers, RIP), wordIn(registers, RSP) - 8n];
    this.command(`M${stack.toString(16)},8:${littleEndian(from)}`);
    registers.writeBigUInt64LE(stack, 8 * RSP);
    registers.writeBigUInt64LE(to, 8 * RIP);
    this.command(`G${registers.toString('hex')}`);
  }

  close(): void {
    this.line.close();
  }

  /** `T05thread:02;`: a CPU is at a breakpoint. */
  private stopped(packet: string): void {
    const number = /thread:(?:p[0-9a-f]+\.)?([0-9a-f]+)/.exec(packet)?.[1];
    if (number === undefined) return;
    const cpu = Number.parseInt(number, 16) - 1;
    this.command(`Hg${thread(cpu)}`);
    const address = wordIn(this.registers(), RIP);
    if (this.set.has(address) && this.atHit({ cpu, address }) === 'executes') this.step(cpu, address);
  }

  /** One instruction of one CPU, without its breakpoint. */
  private step(cpu: number, address: bigint): void {
    if (!this.set.has(address)) return;
    this.change('z', address);
    this.command(`vCont;s:${thread(cpu)}`);
    this.change('Z', address);
  }

  /** Does something while all CPUs stand. */
  private interrupted(act: () => void): void {
    const wasRunning = this.isRunning;
    if (wasRunning) {
      this.send(INTERRUPT);
      this.isRunning = false;
      this.stopped(this.reply());
    }
    act();
    if (wasRunning) this.resume();
  }

  private change(how: 'z' | 'Z', address: bigint): void {
    this.command(`${how}0,${address.toString(16)},1`);
    if (how === 'Z') this.set.add(address);
    else this.set.delete(address);
  }

  private resume(): void {
    this.send(packetOf('c'));
    this.isRunning = true;
  }

  /** The sixteen general registers, and rip. */
  private registers(): Buffer {
    return Buffer.from(this.command('g').slice(0, 16 * (RIP + 1)), 'hex');
  }

  private command(text: string): string {
    this.send(packetOf(text));
    return this.reply();
  }

  private send(text: string): void {
    this.line.send(text);
  }

  private reply(): string {
    return item(this.line.await(PACKET, 'the debugger of the machine'), 1);
  }
}

function thread(cpu: number): string {
  return (cpu + 1).toString(16);
}

function packetOf(text: string): string {
  const sum = [...Buffer.from(text, 'latin1')].reduce((all, byte) => (all + byte) & 255, 0);
  return `$${text}#${sum.toString(16).padStart(2, '0')}`;
}

function littleEndian(value: bigint): string {
  const bytes = Buffer.alloc(8);
  bytes.writeBigUInt64LE(BigInt.asUintN(64, value));
  return bytes.toString('hex');
}

function wordIn(registers: Buffer, number: number): bigint {
  return registers.readBigUInt64LE(8 * number);
}
