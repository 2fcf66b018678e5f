import { compareText } from '../../model/core/text-order.ts';
import type { Kernel, KernelView } from '../../model/kernel.ts';

/** The parts of a kernel that are split further. */
const ROOM_NAMES = ['text', 'ftrace', 'fgraph', 'probes', 'bpf'] as const;
type Room = (typeof ROOM_NAMES)[number];
const ROOMS: ReadonlySet<string> = new Set(ROOM_NAMES);

/** The name of a part: `locks`, `ftrace.records`. */
export type PartName =
  | Exclude<keyof Kernel, Room>
  | { [R in Room]: `${R}.${keyof Kernel[R] & string}` }[Room];

type OptionalKey<T> = { [K in keyof T]-?: object extends Pick<T, K> ? K : never }[keyof T] & string;

/** The parts that a kernel may be without. */
type OptionalPart =
  | Exclude<OptionalKey<Kernel>, Room>
  | { [R in Room]: `${R}.${OptionalKey<Kernel[R]>}` }[Room];

/** Whether steps may add such a part. Others are there from the setup on, or never. */
const COMES_LATER: Readonly<Record<OptionalPart, boolean>> = {
  'ftrace.staleOps': true,
  'ftrace.graphEntryTests': true,
  'probes.stalePools': true,
  'probes.newerPools': true,
  'bpf.staleTrampolines': true,
  'bpf.rawLinks': false,
  'bpf.cgroup': false,
  perf: false,
  tracepoints: false,
  xdp: false,
};

const LATER: ReadonlySet<string> = new Set(
  Object.entries(COMES_LATER).flatMap(([name, later]) => (later ? [name] : [])),
);

/** The parts that differ most often in entries that a step does not read. */
const TABLES: readonly PartName[] = [
  'locks',
  'text.pages',
  'text.views',
  'ftrace.ops',
  'bpf.progs',
  'bpf.images',
  'bpf.trampolines',
  'bpf.links',
];

/**
 * Tables in which the order of entries says nothing: they have names, and where there is an order, a list beside them has
 * it. Steps add entries in the order of a schedule: two that end in the same kernel would end in two states.
 */
const UNORDERED: readonly PartName[] = [
  'locks',
  'text.pokes',
  'ftrace.ops',
  'ftrace.unlinked',
  'bpf.links',
  'bpf.rawLinks',
];

/**
 * A kernel cut into parts, two levels deep (`ftrace.records`, `text.sites`, `locks`): the same parts in the same
 * order for all kernels of a space. The reads of a step are recorded by part; its effect is the same in every kernel
 * with equal values there.
 */
export class WorldParts {
  /** The location of each part in a kernel: the path of its parent, empty for the kernel itself, and its name. */
  private readonly places: readonly (readonly [string, string])[];
  private readonly names: readonly PartName[];
  private readonly numbers: ReadonlyMap<string, number>;
  private readonly fronts: Readonly<Record<string, typeof Front>>;
  private readonly tables: ReadonlySet<number>;
  private readonly unordered: ReadonlySet<number>;

  /** `keepsOrder`: of all tables, those in which it says nothing too. */
  constructor(example: KernelView, keepsOrder = false) {
    this.names = partNames(example);
    this.places = this.names.map(placeOf);
    this.numbers = new Map(this.names.map((name, i) => [name, i]));
    this.fronts = frontsOf(this.places);
    this.tables = new Set(TABLES.map((name) => this.numberOf(name)));
    this.unordered = new Set(keepsOrder ? [] : UNORDERED.flatMap((name) => this.find(name) ?? []));
  }

  get count(): number {
    return this.places.length;
  }

  /** The number of a part by its name. */
  numberOf(name: PartName): number {
    const number = this.find(name);
    if (number === undefined) throw new Error(`a kernel has no part ${name}`);
    return number;
  }

  /** The same; undefined when there is no such part. */
  find(name: string): number | undefined {
    return this.numbers.get(name);
  }

  /** Names of parts by their numbers. */
  nameOf(number: number): PartName {
    return this.names[number]!;
  }

  /** The parts of a kernel; of one that it does not have: null. */
  split(k: KernelView): unknown[] {
    const rooms = k as unknown as Record<string, Record<string, unknown>>;
    return this.places.map(([room, part]) => (room === '' ? rooms[part] : (rooms[room]![part] ?? null)));
  }

  join(parts: readonly unknown[]): Kernel {
    const k: Record<string, unknown> = {};
    this.places.forEach(([room, part], i) => {
      if (parts[i] === null && LATER.has(this.nameOf(i))) return;
      if (room === '') k[part] = parts[i];
      else ((k[room] ??= {}) as Record<string, unknown>)[part] = parts[i];
    });
    return k as unknown as Kernel;
  }

  /** A kernel whose parts are asked for when they are read; it can be listed, copied and spelled as any other. */
  view(get: (part: number) => unknown): KernelView {
    const k: Record<string, object> = {};
    this.places.forEach(([room, part], i) => {
      const own = room === '' ? k : (k[room] ??= {});
      Object.defineProperty(own, part, { enumerable: true, get: () => get(i) });
    });
    return k as unknown as KernelView;
  }

  /** Puts a part into a kernel. */
  put(k: KernelView, number: number, value: unknown): void {
    const [room, part] = this.places[number]!;
    const rooms = k as unknown as Record<string, Record<string, unknown>>;
    if (room === '') (rooms as Record<string, unknown>)[part] = value;
    else rooms[room]![part] = value;
  }

  /** Whether a part is a table of objects by name, whose entries steps read one by one. */
  isTable(part: number): boolean {
    return this.tables.has(part);
  }

  /** Whether it is a table in which the order of entries says nothing. */
  isUnordered(part: number): boolean {
    return this.unordered.has(part);
  }

  /** A part as a state has it: the entries of an unordered table by their names. */
  inOrder(part: number, value: unknown): unknown {
    return this.isUnordered(part) && typeof value === 'object' && value !== null ? byName(value) : value;
  }

  /** A kernel whose parts are read and put by others. */
  facade(access: PartAccess): Kernel {
    const k = new this.fronts['']!(access) as Front & Record<string, unknown>;
    for (const room of ROOMS) k[room] = new this.fronts[room]!(access);
    return k as unknown as Kernel;
  }
}

/** The parts that a kernel has, and those that steps may add. */
function partNames(k: KernelView): PartName[] {
  const rooms = k as unknown as Record<string, object>;
  const names = Object.keys(rooms).flatMap((room) =>
    ROOMS.has(room) ? Object.keys(rooms[room]!).map((part) => `${room}.${part}`) : [room],
  );
  return [...new Set([...names, ...LATER])] as PartName[];
}

function placeOf(name: PartName): readonly [string, string] {
  const [room = '', part] = name.split('.');
  return part === undefined ? ['', room] : [room, part];
}

/** A table with its entries by their names; the same one if they are. */
function byName(table: object): object {
  const names = Object.keys(table);
  const sorted = names.toSorted(compareText);
  if (names.every((name, i) => name === sorted[i])) return table;
  const entries = table as Readonly<Record<string, unknown>>;
  return Object.freeze(Object.fromEntries(sorted.map((name) => [name, entries[name]])));
}

/** The parts under a facade, by number. */
export interface PartAccess {
  readonly get: (part: number) => unknown;
  readonly set: (part: number, value: unknown) => void;
}

/** A facade of a kernel, or of one of its nested objects: the parts are properties of its kind. */
class Front {
  readonly #access: PartAccess;

  constructor(access: PartAccess) {
    this.#access = access;
  }

  static part(i: number): PropertyDescriptor & ThisType<Front> {
    return {
      get() {
        return this.#access.get(i);
      },
      set(value: unknown) {
        this.#access.set(i, value);
      },
    };
  }
}

/** The facades of the kernel itself and of each nested object. */
function frontsOf(places: readonly (readonly [string, string])[]): Record<string, typeof Front> {
  const fronts: Record<string, typeof Front> = {};
  places.forEach(([room, part], i) => {
    fronts[room] ??= class extends Front {};
    Object.defineProperty(fronts[room].prototype, part, Front.part(i));
  });
  return fronts;
}
