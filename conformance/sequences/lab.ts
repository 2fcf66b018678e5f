import type { Outcome } from '../../model/call/outcome.ts';
import type { Action } from '../../model/client/all.ts';
import type { Crash } from '../../model/core/crash.ts';
import type { Errno } from '../../model/core/errno.ts';
import type { FunctionName } from '../../model/core/ids.ts';
import type { Profile, RecordedVersion } from '../../model/core/profile.ts';
import { profileNamed } from '../../model/core/profile.ts';
import type { Warning } from '../../model/core/warning.ts';
import type { Kernel } from '../../model/kernel.ts';
import { bootKernel } from '../../model/kernel.ts';
import { apply } from '../../model/step.ts';
import type { TracedFunction } from '../../model/trampoline/traced-function.ts';
import { copyKernel } from '../../properties/observed/copy-kernel.ts';
import type { ProgramSpec } from './op.ts';
import { TARGETS } from './targets.ts';

/**
 * The answer of an operation; `EALREADY` is the recorder's own, for an object that it already has, or does not have.
 */
export type LabErrno = Errno | 'EALREADY' | 0;

/** The result of an operation. */
export interface DoneInLab {
  readonly errno: LabErrno;
  /** For programs: the component that refused it. `runner` is the recorder itself. */
  readonly stage?: 'runner' | 'load' | 'attach';
  /** For many programs at once: their number. */
  readonly attached?: number;
}

export const OK: DoneInLab = { errno: 0 };

/** A program that the recorder has loaded. */
export interface LabProgram extends ProgramSpec {
  readonly slot: number;
  /** The function that it was compiled for. */
  readonly fn: FunctionName;
}

/** The recorder's direct trampolines a, b and c. */
export const TRAMPS: readonly string[] = ['my_tramp1', 'my_tramp2', 'my_tramp3'];

/**
 * The function that the recorder writes to tracefs' set_ftrace_filter at boot: with an empty filter, the graph tracer
 * of the older kernel would follow every function.
 */
export const ALWAYS_IN_FILTER = 'i128';

/**
 * The recorder as a client of a kernel of the model: its objects, each under its name in the kernel state. Everything
 * changes the kernel in place.
 */
export class Lab {
  readonly k: Kernel;
  readonly profile: Profile;
  /** Registered ops, probes and graph users. */
  readonly on: Set<string>;
  /** The current or last trampoline of each direct ops. */
  readonly trampOf: Map<string, string>;
  /** Direct calls by the (ip, addr) interface. */
  readonly perIp: Map<string, string>;
  /** Links by slot, programs by their number in the kernel, and the last program put into each slot. */
  readonly links: Map<number, string>;
  readonly programs: Map<number, LabProgram>;
  readonly inSlot: Map<number, LabProgram>;
  /** Functions attached to since the last reset. */
  readonly touched: Set<string>;
  /** Why the kernel crashed; later steps mean nothing. */
  died: Crash | undefined;
  /** WARNs since the last read. */
  warnings: Warning[] = [];

  /** Boots a kernel with some or all of the recorder's functions, or starts from a copy of another recorder's. */
  constructor(
    private readonly version: RecordedVersion,
    functions: readonly TracedFunction[] = TARGETS,
    from?: Lab,
  ) {
    this.k = from ? copyKernel(from.k) : bootKernel({ profile: version, boot: 'default', functions });
    this.profile = profileNamed(version);
    this.on = new Set(from?.on);
    this.trampOf = new Map(from?.trampOf);
    this.perIp = new Map(from?.perIp);
    this.links = new Map(from?.links);
    this.programs = new Map(from?.programs);
    this.inSlot = new Map(from?.inSlot);
    this.touched = new Set(from?.touched);
    this.died = from?.died;
    if (from === undefined && this.hasSingleGraph)
      this.do({ do: 'set_ftrace_filter', glob: ALWAYS_IN_FILTER, remove: false });
  }

  /** The recorder on a kernel of its own, as this one is now. */
  copy(): Lab {
    return new Lab(this.version, [], this);
  }

  /** Performs an action. No grace period passes but those that it waits for itself. */
  do(action: Action): Outcome {
    const outcome = apply(this.k, action);
    this.warnings.push(...outcome.warnings);
    this.died ??= outcome.died;
    return outcome;
  }

  /** Performs actions until one is refused. */
  all(...actions: readonly Action[]): Errno | 0 {
    for (const action of actions) {
      const { errno } = this.do(action);
      if (errno !== 0) return errno;
    }
    return 0;
  }

  /**
   * Whether the kernel has the (ip, addr) interface for direct calls, and with it one function graph user at a time.
   */
  get isOld(): boolean {
    return this.profile.directApi === 'ip and multi';
  }

  get hasSingleGraph(): boolean {
    return this.profile.fgraph === 'single';
  }
}
