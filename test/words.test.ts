import { describe, expect, test } from 'vitest';
import { sources } from './sources.ts';
import { ambiguousTypes, namelessLocals } from './words.ts';

describe('names', () => {
  const files = sources('.ts');

  test('an exported type is declared once', () => {
    expect(ambiguousTypes(files)).toEqual([]);
  });

  test('a local says what it is', () => {
    expect(files.flatMap(namelessLocals)).toEqual([]);
  });
});

describe('the rules themselves', () => {
  test('two exported types of one name are named, with their files', () => {
    const files = [
      { path: 'model/a.ts', text: 'export interface Place {}' },
      { path: 'checker/b.ts', text: 'export type Place = string;' },
      { path: 'checker/c.ts', text: 'type Place = number;' },
    ];
    expect(ambiguousTypes(files)).toEqual(['Place is declared in model/a.ts, checker/b.ts']);
  });

  test('a parameter, a variable and what is taken out of an object are locals; a field is none', () => {
    const text =
      'const f = (at: number) => at;\nfor (const one of []) one;\nconst { at } = x;\n({ one: 1 });';
    expect(namelessLocals({ path: 'model/a.ts', text })).toEqual([
      'model/a.ts:1: "at" says nothing; name what it is',
      'model/a.ts:2: "one" says nothing; name what it is',
      'model/a.ts:3: "at" says nothing; name what it is',
    ]);
  });
});
