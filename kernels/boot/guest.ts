import type { ChildProcess } from 'node:child_process';
import { spawn } from 'node:child_process';
import { mkdtempSync, openSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { present } from '../../model/core/present.ts';
import { cpio, DATA, PROGRAM } from './cpio.ts';
import { Debugger } from './debugger.ts';
import { KEPT_FROM_THE_KERNEL, Mailbox, sharedMemory } from './mailbox.ts';
import { Monitor } from './monitor.ts';
import { pause } from './pause.ts';

/*
 * One boot of a kernel in an emulator, with the recorder as its first process. Each line that is sent is answered by one.
 *
 * ```text
 *   mailbox       ◀─▶ shared memory ◀─▶ the recorder
 *   log  (file)   ◀── serial port   ◀── the kernel's console
 *   monitor       ◀─▶ the emulator itself
 * ```
 *
 * It is driven synchronously: a shrinker runs, and waits for the answer.
 */

/** What a boot needs, as the setup leaves it. */
export interface Bootable {
  readonly image: string;
  readonly recorder: string;
  readonly second: string;
  /** The module of a live patch; empty, if the kernel has none. */
  readonly livepatch: string;
  readonly driver: string;
}

/** Why a guest does not answer any more. */
export type GuestEnd = 'ended' | 'hangs';

/** The guest has ended or hangs, with the lines of its console that say why. */
export class GuestLost extends Error {
  constructor(
    readonly end: GuestEnd,
    readonly console: readonly string[],
  ) {
    super(`the guest ${end === 'hangs' ? 'does not answer' : 'has ended'}: ${console.join(' / ')}`);
  }
}

const COMMAND_LINE = `console=ttyS0 nokaslr tsc=reliable no_timer_check panic=-1 oops=panic quiet ${KEPT_FROM_THE_KERNEL}`;
export const EMULATOR_PROGRAM = 'qemu-system-x86_64';
const MEBIBYTES = 1024;
/** The machine: one CPU, and nothing that is not named. */
export const MACHINE =
  `-accel tcg -cpu max -smp 1 -m ${MEBIBYTES} -nodefaults -display none -no-reboot`.split(' ');

/** A machine that differs. */
export interface OtherMachine {
  readonly cpus: number;
  /** More words of the kernel's command line. */
  readonly words: string;
}

/** What a guest is started as, if not as the usual machine that boots. */
export interface GuestStart {
  readonly other?: OtherMachine | undefined;
  /** The file of a machine that was saved, of the same kind and kernel. */
  readonly saved?: string | undefined;
}
const BOOT_SECONDS = 120;
const STALL_SECONDS = 60;
/** Most answers come at once; the others are looked for less often, since a look takes time from the emulator. */
const LOOKS_AT_ONCE = 5;
const LOOK_AGAIN_MS = { atOnce: 0.2, later: 1 };

export class Guest {
  private readonly process: ChildProcess;
  private readonly directory: string;
  private readonly mailbox: Mailbox;
  private pending = '';
  private readonly debugger: Debugger | undefined;
  private readonly monitor: Monitor;

  /** NewGuests a kernel, or starts from a machine that was saved. */
  constructor({ image, recorder, second, livepatch, driver }: Bootable, { other, saved }: GuestStart = {}) {
    this.directory = mkdtempSync(join(tmpdir(), 'attachcheck-kernel-'));
    const file = (name: string) => join(this.directory, name);
    writeFileSync(
      file('initrd'),
      cpio([
        { name: 'init', bytes: readFileSync(driver), mode: PROGRAM },
        { name: 'recorder.ko', bytes: readFileSync(recorder), mode: DATA },
        { name: 'second.ko', bytes: readFileSync(second), mode: DATA },
        { name: 'livepatch.ko', bytes: readFileSync(livepatch), mode: DATA },
      ]),
    );
    if (other !== undefined) this.debugger = new Debugger(file('debug'));
    this.monitor = new Monitor(file('monitor'));
    // The emulator ends with this program, whatever ends that.
    this.process = spawn(
      'setpriv',
      ['--pdeathsig', 'KILL', EMULATOR_PROGRAM, ...emulatorArguments(image, file, { other, saved })],
      {
        stdio: ['ignore', 'ignore', openSync(file('errors'), 'w')],
      },
    );
    // A missing emulator is found before; an error that comes later ends the process, which is noticed.
    this.process.on('error', () => {});
    this.mailbox = new Mailbox(this.process.pid);
    this.untilReady(saved === undefined ? () => this.read(BOOT_SECONDS) : () => this.monitor.awaitRunning());
    this.debugger?.connect();
  }

  /** Breakpoints, of a machine that has a debugger. */
  get breakpoints(): Debugger {
    return present(this.debugger, 'a debugger');
  }

  /** Sends lines, and returns their answers, each within these seconds; a GuestLost has those that came before it. */
  ask(lines: readonly string[], seconds = STALL_SECONDS): string[] {
    const answers: string[] = [];
    for (const line of lines) {
      this.mailbox.send(line);
      answers.push(this.read(seconds));
    }
    return answers;
  }

  /** Lets time pass, with breakpoints looked after; a GuestLost says that it has ended meanwhile. */
  pass(seconds: number): void {
    for (const end = Date.now() + 1000 * seconds; Date.now() < end; pause()) {
      if (this.hasEnded()) throw new GuestLost('ended', this.evidence());
      this.debugger?.poll();
    }
  }

  /** Writes the machine as it is to a file, which others start from. */
  save(path: string): void {
    this.monitor.save(path);
  }

  close(): void {
    this.process.kill('SIGKILL');
    this.mailbox.close();
    this.debugger?.close();
    this.monitor.close();
    rmSync(this.directory, { recursive: true, force: true });
  }

  /** A boot that fails leaves nothing behind. */
  private untilReady(wait: () => void): void {
    try {
      wait();
    } catch (error) {
      this.close();
      throw error;
    }
  }

  private read(seconds: number): string {
    const deadline = Date.now() + seconds * 1000;
    for (let looks = 0; ; looks++) {
      const end = this.pending.indexOf('\n');
      if (end >= 0) {
        const line = this.pending.slice(0, end);
        this.pending = this.pending.slice(end + 1);
        return line;
      }
      const part = this.mailbox.receive();
      if (part !== '') this.pending += part;
      else if (this.hasEnded()) throw new GuestLost('ended', this.evidence());
      else if (Date.now() > deadline) throw new GuestLost('hangs', this.evidence());
      else if (this.debugger?.poll() !== true)
        pause(looks < LOOKS_AT_ONCE ? LOOK_AGAIN_MS.atOnce : LOOK_AGAIN_MS.later);
    }
  }

  /** The event that would say so is not delivered while we wait: a process that has ended is a zombie until then. */
  private hasEnded(): boolean {
    const { pid } = this.process;
    if (pid === undefined) return true;
    try {
      return / Z /.test(readFileSync(`/proc/${pid}/stat`, 'latin1'));
    } catch {
      return true;
    }
  }

  /** The lines of the console that say why the kernel has ended. */
  private evidence(): string[] {
    const text = ['log', 'errors']
      .map((name) => readFileSync(join(this.directory, name), 'latin1'))
      .join('\n');
    const lines = text
      .replace(TERMINAL, '')
      .split('\n')
      .map((line) => line.replace(/^\[ *[0-9.]+\] /, '').trim())
      .filter((line) => line !== '');
    const telling = lines.filter((line) => /BUG:|RIP:|Oops|[Pp]anic|WARNING:|qemu/.test(line));
    return (telling.length > 0 ? telling : lines.slice(-3)).slice(0, 6);
  }
}

/** Colours and carriage returns. */
const TERMINAL = new RegExp(`${String.fromCharCode(27)}\\[[0-9;?]*[A-Za-z]|\r`, 'g');

function emulatorArguments(
  image: string,
  file: (name: string) => string,
  { other, saved }: GuestStart,
): string[] {
  const words = other === undefined ? COMMAND_LINE : `${COMMAND_LINE} ${other.words}`;
  return [
    ...MACHINE,
    ...sharedMemory(MEBIBYTES),
    ...(other === undefined ? [] : debugged(other, file('debug'))),
    ...['-kernel', image, '-initrd', file('initrd'), '-append', words],
    ...['-serial', `file:${file('log')}`],
    ...['-chardev', `pipe,id=monitor,path=${file('monitor')}`, '-mon', 'chardev=monitor,mode=control'],
    ...(saved === undefined ? [] : ['-incoming', `exec:cat ${saved}`]),
  ];
}

/**
 * CPUs take turns on one thread: where each has its own, the emulator may execute an int3 that was taken away already, and
 * the kernel panics at boot.
 */
function debugged({ cpus }: OtherMachine, path: string): string[] {
  return ['-accel', 'tcg,thread=single', '-smp', String(cpus), '-gdb', `pipe:${path}`];
}
