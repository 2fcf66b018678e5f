/**
 * Whose an object is. Names are spelled in one way, which is read here alone: `ops#1` is a client's, and so is its part
 * `ops#1.trampoline`; `tr(f1).fops` is a BPF trampoline's, `graph_ops` the kernel's own.
 */
export type Owner = 'client' | 'link' | 'program' | 'image' | 'trampoline' | 'kernel';

export interface ObjectName {
  readonly owner: Owner;
  /** It is a part of what it is named after. */
  readonly isPart: boolean;
}

export function readObjectName(name: string): ObjectName {
  const isPart = /[.(]/.test(name);
  if (name.startsWith('tr(')) return { owner: 'trampoline', isPart };
  const mark = name.indexOf('#');
  if (mark < 0) return { owner: 'kernel', isPart };
  return { owner: NUMBERED[name.slice(0, mark)] ?? 'client', isPart };
}

/** Numbered objects that the kernel makes. */
const NUMBERED: Readonly<Record<string, Owner>> = { link: 'link', prog: 'program', tramp: 'image' };

/** A text with the numbers of the objects that are named in it changed. */
export function withNumbers(text: string, change: (kind: string, number: number) => number): string {
  return text.replace(
    NUMBERED_NAME,
    (_, kind: string, number: string) => `${kind}#${change(kind, Number(number))}`,
  );
}

const NUMBERED_NAME = /([A-Za-z_.]*)#(\d+)/g;
