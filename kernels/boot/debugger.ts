import { execFileSync } from 'node:child_process';
import { closeSync, constants, openSync, readSync, writeSync } from 'node:fs';
import { pause } from './pause.ts';

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
const REPLY_SECONDS = 20;

export class Debugger {
  private readonly to: number;
  private readonly from: number;
  private pending = '';
  private readonly chunk = Buffer.alloc(1 << 14);
  private readonly set = new Set<bigint>();
  private isRunning = false;
  /** What to do at a breakpoint: the CPU is led elsewhere, or executes what is there. */
  atHit: (hit: Hit) => 'led away' | 'executes' = () => 'executes';

  constructor(path: string) {
    execFileSync('mkfifo', [`${path}.in`, `${path}.out`]);
    this.to = openSync(`${path}.in`, 'r+');
    this.from = openSync(`${path}.out`, constants.O_RDWR | constants.O_NONBLOCK);
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
    const stop = this.packet();
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
    closeSync(this.to);
    closeSync(this.from);
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
    writeSync(this.to, text);
  }

  private reply(): string {
    for (const end = Date.now() + 1000 * REPLY_SECONDS; Date.now() < end; pause()) {
      const packet = this.packet();
      if (packet !== undefined) return packet;
    }
    throw new Error('the debugger of the machine does not answer');
  }

  private packet(): string | undefined {
    this.receive();
    const found = /\$([^#]*)#[0-9a-f]{2}/.exec(this.pending);
    if (found === null) return undefined;
    this.pending = this.pending.slice(found.index + found[0].length);
    return found[1];
  }

  private receive(): void {
    try {
      const count = readSync(this.from, this.chunk);
      this.pending += this.chunk.toString('latin1', 0, count);
    } catch (error) {
      // Nothing has come.
      if ((error as NodeJS.ErrnoException).code !== 'EAGAIN') throw error;
    }
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
