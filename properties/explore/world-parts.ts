import type { Kernel } from '../../model/kernel.ts';

/**
 * A kernel cut into parts, two levels deep (`ftrace.records`, `text.sites`, `locks`): the same parts in the same order
 * for all kernels of a space. A step is watched for the parts that it reads; what it does is the same in every kernel
 * that has the same ones.
 */
export class WorldParts {
  /** Where each part stands in a kernel: its room, empty for the kernel itself, and its name. */
  private readonly places: readonly (readonly [string, string])[];
  private readonly numbers = new Map<string, number>();
  private readonly prototypes: Readonly<Record<string, object>>;

  constructor(example: Kernel) {
    const rooms = example as unknown as Record<string, object>;
    this.places = Object.keys(rooms).flatMap((room) =>
      ROOMS.has(room)
        ? Object.keys(rooms[room]!).map((part) => [room, part] as const)
        : [['', room] as const],
    );
    this.places.forEach(([room, part], i) => {
      this.numbers.set(room === '' ? part : `${room}.${part}`, i);
    });
    this.prototypes = prototypesOf(this.places);
  }

  get count(): number {
    return this.places.length;
  }

  /** The number of a part by its name. */
  numberOf(name: string): number {
    const number = this.numbers.get(name);
    if (number === undefined) throw new Error(`a kernel has no part ${name}`);
    return number;
  }

  /** Names of parts by their numbers. */
  nameOf(number: number): string {
    const [room, part] = this.places[number]!;
    return room === '' ? part : `${room}.${part}`;
  }

  split(k: Kernel): unknown[] {
    const rooms = k as unknown as Record<string, Record<string, unknown>>;
    return this.places.map(([room, part]) => (room === '' ? rooms[part] : rooms[room]![part]));
  }

  join(parts: readonly unknown[]): Kernel {
    const k: Record<string, unknown> = {};
    this.places.forEach(([room, part], i) => {
      if (room === '') k[part] = parts[i];
      else ((k[room] ??= {}) as Record<string, unknown>)[part] = parts[i];
    });
    return k as unknown as Kernel;
  }

  /** A kernel whose parts are those of a list that may be changed; `noteRead` is told of each one that is read or replaced. */
  facade(parts: unknown[], noteRead: (part: number) => void): Kernel {
    const behind: Behind = { parts, noteRead };
    const k = Object.create(this.prototypes['']!, { behind: { value: behind } }) as Record<string, unknown>;
    for (const room of ROOMS) k[room] = Object.create(this.prototypes[room]!, { behind: { value: behind } });
    return k as unknown as Kernel;
  }
}

/** What a facade stands in front of. */
interface Behind {
  readonly parts: unknown[];
  readonly noteRead: (part: number) => void;
}

interface Facade {
  readonly behind: Behind;
}

/** For the kernel itself and for each room, the parts as properties. */
function prototypesOf(places: readonly (readonly [string, string])[]): Record<string, object> {
  const prototypes: Record<string, object> = {};
  places.forEach(([room, part], i) => {
    prototypes[room] ??= {};
    Object.defineProperty(prototypes[room], part, {
      get(this: Facade) {
        this.behind.noteRead(i);
        return this.behind.parts[i];
      },
      set(this: Facade, value: unknown) {
        // Whether it changes anything depends on what was there.
        this.behind.noteRead(i);
        this.behind.parts[i] = value;
      },
    });
  });
  return prototypes;
}

/** The parts of a kernel that are cut once more. */
const ROOMS: ReadonlySet<string> = new Set(['text', 'ftrace', 'fgraph', 'probes', 'bpf']);
