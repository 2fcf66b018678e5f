import { describe, expect, test } from 'vitest';
import { EMPTY_RUN, EXAMPLE_RUN } from '../../test/example-run.ts';
import { githubText } from './github.ts';

/** A line as the runner reads it; undefined: it is not a command. */
function parsedCommand(line: string) {
  const [, kind, properties = '', message = ''] = /^::(\w+) ([^:]*(?:=[^:]*)?)::(.*)$/.exec(line) ?? [];
  if (kind === undefined) return undefined;
  const fields = properties.split(',').map((field) => {
    const [key = ''] = field.split('=');
    return [
      key,
      unescaped(field.slice(key.length + 1))
        .replaceAll('%3A', ':')
        .replaceAll('%2C', ','),
    ];
  });
  return { kind, ...Object.fromEntries(fields), message: unescaped(message).replaceAll('%25', '%') };
}

function unescaped(text: string): string {
  return text.replaceAll('%0D', '\r').replaceAll('%0A', '\n');
}

describe('github', () => {
  const lines = githubText(EXAMPLE_RUN).trimEnd().split('\n');

  test('has an error for each failure, at the step of its trace', () => {
    expect(lines.map(parsedCommand).filter((command) => command?.kind === 'error')).toEqual([
      {
        kind: 'error',
        file: 'a folder/found,1.trace',
        line: '9',
        title: 'sequences: broken: a, "b" & <c> # 100 %25',
        message: [
          'ftrace/broken: Each call is seen once. No other is; see §2.',
          '',
          '✗ ftrace/broken  ]]> -- \\x1b[31m',
          '',
          '  expected   100 %\r',
          '\tobserved   \\ud800 half',
        ].join('\n'),
      },
      expect.objectContaining({ file: 'a.jsonl', line: '3', title: 'recordings: a.jsonl:3' }),
    ]);
  });

  test('escapes what would end a property or a line', () => {
    expect(lines[0]).toMatch(
      /^::error file=a folder\/found%2C1\.trace,line=9,title=sequences%3A broken%3A a%2C "b" & <c> # 100 %25::/,
    );
    expect(lines[0]).toContain('expected   100 %25%0D%0A');
  });

  test('has one notice for what a suite leaves out, and a line that counts', () => {
    expect(lines.slice(2)).toEqual([
      '::notice title=sequences%3A not covered::vacuous: never exercised',
      'attachcheck: 1 passed, 1 failed, 1 error, 1 known, 1 skipped',
    ]);
  });

  test('of an empty run it says so', () => {
    expect(githubText(EMPTY_RUN)).toBe('attachcheck: nothing was checked\n');
  });
});
