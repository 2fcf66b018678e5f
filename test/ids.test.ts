import { beforeAll, describe, expect, test } from 'vitest';
import { messagesByFile } from './example.ts';

const IMPORTS = `
import type { CodeName, ImageId, LinkId, OpsId, ProgId } from './ids.ts';
import type { Kernel } from '../kernel.ts';
export declare const k: Kernel;
export declare const ops: OpsId;
export declare const image: ImageId;
export declare const prog: ProgId;
export declare const code: CodeName;
export type Links = Record<LinkId, number>;
`;

/** Lines that are wrong, and what the compiler says of them. */
const WRONG: readonly (readonly [string, string])[] = [
  [': LinkId = ops', "Type 'OpsId' is not assignable to type 'LinkId'"],
  [': ImageId = code', "Type 'CodeName' is not assignable to type 'ImageId'"],
  [' = k.bpf.images[ops]', "expression of type 'OpsId' can't be used to index"],
  [' = k.bpf.progs[k.bpf.serial as ProgId] === k.bpf.links[image]', "expression of type 'ImageId' can't"],
];

const RIGHT: readonly string[] = [
  ": OpsId = 'ops#1'",
  ': CodeName = image',
  ' = k.bpf.progs[prog]',
  ' = [k.ftrace.ops[ops], k.bpf.images[image]]',
];

describe('one kind of id is not assignable to another', () => {
  const messages = new Map<string, readonly string[]>();
  beforeAll(() => {
    const lines = [...WRONG.map(([line]) => line), ...RIGHT];
    const files = lines.map((line, i) => [
      `model/core/ids-example-${i}.ts`,
      `${IMPORTS}export const made${line};\n`,
    ]);
    for (const [i, said] of messagesByFile(Object.fromEntries(files)).entries())
      messages.set(lines[i]!, said);
  });

  test.each(WRONG)('%s is refused', (line, why) => {
    expect(messages.get(line)!.join('\n')).toContain(why);
  });

  test.each(RIGHT)('%s is right', (line) => {
    expect(messages.get(line)).toEqual([]);
  });
});
