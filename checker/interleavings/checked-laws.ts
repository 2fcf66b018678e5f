import type { KernelProgram } from '../../model/call/kernel-program.ts';
import type { Active } from '../../model/call/thread.ts';
import { addTo } from '../../model/core/add-to.ts';
import type { Kernel, KernelView } from '../../model/kernel.ts';
import type { Happening, TaskLaw, TaskMoment } from '../../properties/law/interleaving-law.ts';
import { judged } from './exceptions.ts';
import type { TaskBreach } from './judge.ts';
import type { Space } from './space.ts';
import type { SpaceTables } from './space-tables.ts';
import type { PackedState } from './state.ts';
import { worldIn } from './state.ts';
import type { SearchedWorld } from './worlds.ts';

/*
 * Memoised verdicts. This skips no event: laws are checked once for each combination of the values that they read.
 *
 * A law is a function of what happens and of the kernel then. It reads few parts of that, often none: what is equal has
 * the same verdict in all worlds that agree in these.
 */

/** Answers with the first law that is broken. */
type Check = (happening: Happening) => TaskBreach | undefined;

/** Checks laws on what happens in states of a space, and counts those that apply. */
export class CheckedLaws {
  /** In how many moves and ends each law applied, by its name. */
  readonly witnesses = new Map<string, number>();
  private readonly sight: WatchedSight;

  constructor(
    private readonly space: Space,
    private readonly laws: readonly TaskLaw[],
    private readonly program: KernelProgram,
  ) {
    this.sight = new WatchedSight(space);
  }

  /** The first law that is broken by what happens in a state. */
  check(happening: Happening, state: PackedState): TaskBreach | undefined {
    return this.judge(happening, sightOf(this.space, state), []);
  }

  /** The same, where it is not known from a world in which laws have read the same. */
  checkOnce(verdicts: KnownVerdicts, happening: Happening, state: PackedState): TaskBreach | undefined {
    return this.once(verdicts, state, (check) => check(happening));
  }

  /** The same of one happening after the other. */
  once(
    verdicts: KnownVerdicts,
    state: PackedState,
    find: (check: Check) => TaskBreach | undefined,
  ): TaskBreach | undefined {
    const world = this.space.worlds.get(worldIn(state));
    const known = verdicts.in(world);
    if (known !== undefined) {
      this.count(known.said);
      return known.breach;
    }
    const { sight } = this;
    const said: TaskLaw[] = [];
    sight.show(world);
    const breach = find((happening) => this.judge(happening, sight, said));
    verdicts.add(world, sight.reads(), { breach, said });
    return breach;
  }

  private count(laws: readonly TaskLaw[]): void {
    for (const { name } of laws) addTo(this.witnesses, name);
  }

  /** Adds the laws that apply to a list. */
  private judge(happening: Happening, sight: Sight, said: TaskLaw[]): TaskBreach | undefined {
    const moment: TaskMoment = {
      scenario: this.space.scenario,
      program: this.program,
      happening,
      get kernel() {
        return sight.kernel;
      },
      get running() {
        return sight.running;
      },
    };
    for (const law of this.laws) {
      const judgement = judged(law, moment);
      if (judgement === 'not applicable') continue;
      said.push(law);
      this.count([law]);
      if (judgement !== 'held') return { law, finding: judgement };
    }
    return undefined;
  }
}

/** The kernel, and for each CPU the programs that run on it, as laws see them. */
interface Sight {
  readonly kernel: KernelView;
  readonly running: readonly Active[];
}

function sightOf(space: Space, state: PackedState): Sight {
  let kernel: Kernel | undefined;
  return {
    get kernel() {
      kernel ??= space.kernelOf(state);
      return kernel;
    },
    get running() {
      return space.runningOn(state);
    },
  };
}

/** One world at a time; the parts that laws read of it are noted. */
class WatchedSight implements Sight {
  readonly kernel: KernelView;
  private readonly read = new Set<number>();
  private world: SearchedWorld = [];

  constructor(private readonly tables: SpaceTables) {
    this.kernel = tables.parts.view((part) => this.part(part));
  }

  get running(): readonly Active[] {
    return this.part(this.tables.runningPart) as readonly Active[];
  }

  private part(part: number): unknown {
    this.read.add(part);
    return this.tables.worlds.part(this.world[part]!);
  }

  /** Shows another world, of which nothing has been read yet. */
  show(world: SearchedWorld): void {
    this.world = world;
    this.read.clear();
  }

  /** The parts that were read of the world. */
  reads(): number[] {
    return [...this.read];
  }
}

/** The first law that is broken, and all that applied. */
interface Verdict {
  readonly breach: TaskBreach | undefined;
  readonly said: readonly TaskLaw[];
}

/** A verdict, and what it depends on: parts of a world, and their numbers there. */
interface Case {
  readonly parts: readonly number[];
  readonly numbers: readonly number[];
  readonly verdict: Verdict;
}

/** The verdicts on what happens, in the worlds where laws were checked. */
export class KnownVerdicts {
  private readonly cases: Case[] = [];

  /** The verdict in a world, if it is known. */
  in(world: SearchedWorld): Verdict | undefined {
    const { cases } = this;
    for (let i = 0; i < cases.length; i++) if (isCase(cases[i]!, world)) return cases[i]!.verdict;
    return undefined;
  }

  /** Adds the verdict in a world of which these parts were read. */
  add(world: SearchedWorld, parts: readonly number[], verdict: Verdict): void {
    this.cases.push({ parts, numbers: parts.map((part) => world[part]!), verdict });
  }
}

function isCase({ parts, numbers }: Case, world: SearchedWorld): boolean {
  for (let i = 0; i < parts.length; i++) if (world[parts[i]!] !== numbers[i]) return false;
  return true;
}
