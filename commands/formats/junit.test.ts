import { describe, expect, test } from 'vitest';
import { EMPTY_RUN, EXAMPLE_RUN } from '../../test/example-run.ts';
import { junitProblems, parsedXml } from '../../test/parsed-xml.ts';
import { junitText } from './junit.ts';

describe('junit', () => {
  const root = parsedXml(junitText(EXAMPLE_RUN));
  const cases = root.children.flatMap((suite) => suite.children.filter(({ name }) => name === 'testcase'));
  const named = (name: string) => cases.find(({ attributes }) => attributes['name']?.startsWith(name));

  test('has the elements, attributes and counts that CI systems read', () => {
    expect(junitProblems(root)).toEqual([]);
    expect(root.attributes).toMatchObject({ tests: '5', failures: '1', errors: '1' });
    expect(root.children[0]?.attributes).toMatchObject({ tests: '4', failures: '1', skipped: '2' });
  });

  test('of an empty run it is a document', () => {
    const empty = parsedXml(junitText(EMPTY_RUN));
    expect(junitProblems(empty)).toEqual([]);
    expect(empty.attributes['tests']).toBe('0');
  });

  test('gives back what was escaped, and spells what XML has no place for', () => {
    const broken = named('broken: a');
    expect(broken?.attributes).toMatchObject({
      name: 'broken: a, "b" & <c> # 100 %',
      classname: 'attachcheck.sequences',
      file: 'a folder/found,1.trace',
    });
    const [failure] = broken?.children ?? [];
    expect(failure?.name).toBe('failure');
    expect(failure?.attributes).toEqual({
      message: '✗ ftrace/broken  ]]> -- \\x1b[31m',
      type: 'ftrace/broken',
    });
    expect(failure?.text).toBe(
      [
        'a folder/found,1.trace:9',
        'ftrace/broken: Each call is seen once. No other is; see §2.',
        '',
        '✗ ftrace/broken  ]]> -- \\x1b[31m',
        '',
        '  expected   100 %\r',
        '\tobserved   \\ud800 half',
      ].join('\n'),
    );
  });

  test('a listed breach is skipped, and what the checker cannot judge is an error', () => {
    expect(named('broken as listed')?.children[0]).toMatchObject({
      name: 'skipped',
      attributes: { message: 'known: kprobe-is-dead: it is registered, and never fires' },
    });
    expect(named('vacuous')?.children[0]?.name).toBe('skipped');
    expect(named('a.jsonl:3')?.children[0]?.name).toBe('error');
    expect(named('held')?.children).toEqual([]);
  });

  test('has seed, kernels, bound, command and exit code as properties', () => {
    const [properties] = root.children[0]!.children;
    expect(properties?.children.map(({ attributes }) => attributes)).toEqual([
      { name: 'seed', value: '1' },
      { name: 'kernels', value: '6.12, 7.2' },
      { name: 'bound', value: '400 drawn, <10,702> actions' },
      { name: 'command', value: "attachcheck --kernel '6.12, a < b'" },
      { name: 'exit', value: '1' },
      { name: 'version', value: '0.1.0' },
    ]);
  });
});

describe('the parser of the tests', () => {
  test.each([
    ['<a>', 'a is not closed'],
    ['<a></b>', 'b closes a'],
    ['<a x="1" x="2"/>', 'x is there twice'],
    ['<a>&nbsp;</a>', 'no entity &nbsp;'],
    ['<a>\u0001</a>', 'a character that XML does not have'],
    ['<a x="<"/>', 'not XML'],
    ['<a>]]></a>', 'not XML'],
    ['<a/><b/>', 'more than one root'],
  ])('refuses %j', (text, problem) => {
    expect(() => parsedXml(text)).toThrow(problem);
  });

  test('problems of a document are named', () => {
    const suite =
      '<testsuite name="x" tests="2" failures="0" errors="0" skipped="0"><testcase name="a"/></testsuite>';
    expect(junitProblems(parsedXml(`<testsuites tests="1">${suite}</testsuites>`))).toEqual([
      'testsuite x: tests is 2, and there are 1',
      'testcase a has no classname',
    ]);
    expect(junitProblems(parsedXml('<testsuite/>'))).toEqual(['the root is testsuite']);
  });
});
