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

/** A name that ends in a number, programs and links aside, whose numbers are the client's own; and serial numbers. */
const BORN = /("serial":|\b(?!prog#|link#)[A-Za-z_.]+#)(\d+)/g;

/** What is born in the kernel is numbered in the order in which the text comes to it. */
function withoutBirths(text: string): string {
  const numbers = new Map<string, number>();
  return text.replace(BORN, (born: string, kind: string) => {
    const number = numbers.get(born) ?? numbers.size;
    numbers.set(born, number);
    return `${kind}${number}`;
  });
}
