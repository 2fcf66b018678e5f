import type { Kernel } from '../../model/kernel.ts';
import { pageText, siteText } from './code-text.ts';

/**
 * A kernel at rest as text, without what nobody can tell it from others by: where its pages lie, the numbers that
 * objects got in the order of their birth, what is left of programs that were freed. Kernels of one text behave alike;
 * those of two texts may as well, and then are only looked at twice.
 */
export function stateKey(k: Kernel): string {
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
  return withoutBirths(JSON.stringify(state));
}

/** The number at the end of a name, or a serial number. */
const BORN = /#(\d+)|"serial":(\d+)/g;

/** Programs and links have their numbers from the client. */
const BY_THE_CLIENT: readonly string[] = ['prog', 'link'];

/** What is born in the kernel is numbered in the order in which the text comes to it. */
function withoutBirths(text: string): string {
  const numbers = new Map<string, number>();
  return text.replace(BORN, (born: string, digits: string | undefined, serial: string, at: number) => {
    const name = digits === undefined ? '' : nameBefore(text, at);
    if (BY_THE_CLIENT.includes(name)) return born;
    const key = `${name} ${digits ?? serial}`;
    const number = numbers.get(key) ?? numbers.size;
    numbers.set(key, number);
    return digits === undefined ? `"serial":${number}` : `#${number}`;
  });
}

/** The letters in front of a place. */
function nameBefore(text: string, at: number): string {
  let start = at;
  while (start > 0 && isLetter(text.charCodeAt(start - 1))) start--;
  return text.slice(start, at);
}

/** A letter, `_` or `.`. */
function isLetter(code: number): boolean {
  const lower = code | 0x20;
  return (lower >= 0x61 && lower <= 0x7a) || code === 0x5f || code === 0x2e;
}
