import { describe, expect, test } from 'vitest';
import { compilerMessages } from './example.ts';

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

function messagesOf(line: string): readonly string[] {
  return compilerMessages({ 'model/core/ids-example.ts': `${IMPORTS}export const made${line};\n` });
}

describe('one kind of id does not stand for another', () => {
  test.each([
    [': LinkId = ops', "Type 'OpsId' is not assignable to type 'LinkId'"],
    [': ImageId = code', "Type 'CodeName' is not assignable to type 'ImageId'"],
    [' = k.bpf.images[ops]', "expression of type 'OpsId' can't be used to index"],
    [' = k.bpf.progs[k.bpf.serial as ProgId] === k.bpf.links[image]', "expression of type 'ImageId' can't"],
  ])('%s is refused', (line, why) => {
    expect(messagesOf(line).join('\n')).toContain(why);
  });

  test.each([
    ": OpsId = 'ops#1'",
    ': CodeName = image',
    ' = k.bpf.progs[prog]',
    ' = [k.ftrace.ops[ops], k.bpf.images[image]]',
  ])('%s is right', (line) => {
    expect(messagesOf(line)).toEqual([]);
  });
});
