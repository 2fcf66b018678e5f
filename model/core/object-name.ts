/** Whose an object is: a client's, one that the kernel makes for it, or the kernel's own. */
export type Owner = 'client' | 'link' | 'program' | 'image' | 'trampoline' | 'kernel';

/**
 * The content of an object's name. Names are spelled in one way, which is read here alone: `ops#1` is a
 * client's, and so is its part `ops#1.trampoline`; `tr(f1).fops` is a BPF trampoline's, `graph_ops` the
 * kernel's own.
 */
export interface ObjectName {
  readonly owner: Owner;
  /** `ops` of `ops#1`; empty where there is no number. */
  readonly kind: string;
  readonly number: number | undefined;
  /** It is a part of what it is named after. */
  readonly isPart: boolean;
}

export function readObjectName(name: string): ObjectName {
  const isPart = /[.(]/.test(name);
  if (name.startsWith('tr(')) return { owner: 'trampoline', kind: '', number: undefined, isPart };
  const mark = name.indexOf('#');
  if (mark < 0) return { owner: 'kernel', kind: '', number: undefined, isPart };
  const kind = name.slice(0, mark);
  return { owner: MADE_BY_THE_KERNEL[kind] ?? 'client', kind, number: numberAt(name, mark + 1), isPart };
}

/** Numbered objects that the kernel makes. */
const MADE_BY_THE_KERNEL: Readonly<Partial<Record<string, Owner>>> = {
  link: 'link',
  prog: 'program',
  tramp: 'image',
};

function numberAt(name: string, index: number): number | undefined {
  const number = Number.parseInt(name.slice(index), 10);
  return Number.isNaN(number) ? undefined : number;
}

/** The number of a program by its name; undefined when that is of something else. */
export function programNumber(name: string): number | undefined {
  const { owner, number, isPart } = readObjectName(name);
  return owner === 'program' && !isPart ? number : undefined;
}

/** A text with the numbers of the objects that are named in it changed. */
export function withNumbers(text: string, change: (kind: string, number: number) => number): string {
  return text.replace(
    NUMBERED_NAME,
    (_, kind: string, number: string) => `${kind}#${change(kind, Number(number))}`,
  );
}

const NUMBERED_NAME = /([A-Za-z_.]*)#(\d+)/g;
