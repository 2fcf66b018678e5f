import { withNumbers } from '../../model/core/object-name.ts';
import type { KernelView } from '../../model/kernel.ts';
import { pageText, siteText } from './code-text.ts';

/**
 * A kernel at rest as text, up to observational equivalence: without the addresses of its pages, the numbers of
 * objects in the order of their creation, and the remains of freed programs. Kernels of one text behave alike; those
 * of two texts may as well, and are then merely explored twice.
 */
export function stateKey(k: KernelView): string {
  const { text, ftrace, bpf, ...rest } = k;
  const { hashes, directFunctions, retired } = ftrace.tables;
  const state = [
    rest,
    {
      ...text,
      pages: Object.keys(text.pages).map((name) => [name, pageText(k, name)]),
      sites: Object.keys(text.sites).map((fn) => [fn, siteText(k, fn)]),
      pokes: 0,
    },
    { ...ftrace, tables: [Object.keys(hashes), directFunctions !== 0, retired] },
    {
      ...bpf,
      progs: Object.entries(bpf.progs).filter(([, { freed }]) => !freed),
      serial: 0,
      imagesMade: 0,
    },
  ];
  return spelled(state, new Births());
}

/** Objects created in the kernel are numbered in the order in which the text reaches them. */
class Births {
  private readonly numbers = new Map<string, number>();

  number(kind: string, born: number): number {
    const key = `${kind} ${born}`;
    const known = this.numbers.get(key);
    if (known !== undefined) return known;
    const number = this.numbers.size;
    this.numbers.set(key, number);
    return number;
  }

  /** Programs and links have their numbers from the client. */
  named(text: string): string {
    if (!text.includes('#')) return text;
    return withNumbers(text, (kind, number) =>
      kind === 'prog' || kind === 'link' ? number : this.number(kind, number),
    );
  }
}

/** Plain data as text, with names and serial numbers by order of creation. */
function spelled(value: unknown, births: Births): string {
  if (typeof value === 'string') return `"${births.named(value)}"`;
  if (typeof value !== 'object' || value === null) return String(value);
  let text = '';
  if (Array.isArray(value)) {
    for (const item of value) text += `${spelled(item, births)},`;
    return `[${text}]`;
  }
  for (const [key, item] of Object.entries(value))
    text +=
      key === 'serial'
        ? `serial:${births.number('', Number(item))},`
        : `"${births.named(key)}":${spelled(item, births)},`;
  return `{${text}}`;
}
