import { describe, expect, test } from 'vitest';
import { RETURN_SITES } from '../../conformance/known/return-sites.ts';
import { EXIT } from '../../counterexamples/answer.ts';
import { WIDTH } from '../../counterexamples/text.ts';
import { ERRNO } from '../../model/core/errno.ts';
import { RECORDED_KERNELS } from '../../model/core/profile.ts';
import { attachcheck } from '../../test/console.ts';
import { errnoAsked } from './errno-asked.ts';
import { sitesOf } from './errno-sites.ts';
import { FOUND } from './guard-words.ts';
import { whyErrno } from './why-errno.ts';

const WITH_SITES = Object.keys(ERRNO).filter((name) =>
  RETURN_SITES.some(({ site }) => site.includes(`: ${name}  `)),
) as (keyof typeof ERRNO)[];

describe('the return sites of an errno', () => {
  test('are all of the table, each errno of it asked', () => {
    const asked = WITH_SITES.flatMap((errno) => sitesOf(errno, RECORDED_KERNELS));
    expect(asked.length).toBe(RETURN_SITES.length);
  });

  test('have guard, function, and how likely they are in each kernel, the likely ones first', () => {
    const { text, json, exit } = whyErrno('EBUSY', undefined);
    expect(exit).toBe(EXIT.HELD);
    expect(text).toMatch(/^EBUSY \(16, "Device or resource busy"\) · \d+ of \d+ return sites\n/);
    expect(text).toContain(
      [
        'common common common common a site of the filter has a direct call',
        '                              kernel/trace/ftrace.c register_ftrace_direct',
      ].join('\n'),
    );
    const sites = json['sites'] as { kernels: Record<string, string>; never: string | null }[];
    const ranks = sites.map(({ kernels }) => Object.values(kernels).filter((is) => is === 'common').length);
    expect(ranks).toEqual(ranks.toSorted((a, b) => b - a));
    const reached = sites.findLastIndex(({ never }) => never === null);
    expect(sites.findIndex(({ never }) => never !== null)).toBeGreaterThan(reached);
  });

  test('of one kernel leave out what it does not have', () => {
    const { text } = whyErrno('EBUSY', '7.2');
    expect(text).toContain('\ncommon the gops is registered\n');
    expect(text).not.toContain('there is a user');
    expect(() => whyErrno('ENOTSUPP', '5.4')).toThrow('--kernel 5.4 is not known; there are 6.1, ');
  });

  test('fit the width', () => {
    for (const errno of WITH_SITES)
      for (const line of whyErrno(errno, undefined).text.split('\n'))
        expect(line.length).toBeLessThanOrEqual(WIDTH);
  });

  test('with a longer text are in the table', () => {
    const known = RETURN_SITES.map(({ site }) => site);
    expect(Object.keys(FOUND).filter((site) => !known.includes(site))).toEqual([]);
  });
});

describe('an errno', () => {
  test.each(['EBUSY', '-EBUSY', 'ebusy', '16', '-16', 'Device or resource busy', 'DEVICE OR RESOURCE BUSY'])(
    '%s is EBUSY',
    (word) => {
      expect(errnoAsked(word)).toBe('EBUSY');
    },
  );

  test.each([
    ['524', 'ENOTSUPP'],
    ['Unknown error 524', 'ENOTSUPP'],
    ['95', 'EOPNOTSUPP'],
  ])('%s is %s', (word, errno) => {
    expect(errnoAsked(word)).toBe(errno);
  });

  test.each([
    ['15', 'there are EFAULT (14, "Bad address") and EBUSY (16, "Device or resource busy")'],
    ['-525', 'there are ENOTSUPP (524, "Unknown error 524")'],
    ['EBUSSY', 'did you mean EBUSY (16, "Device or resource busy")?'],
    ['device or ressource busy', 'did you mean EBUSY (16, '],
    ['quite another', 'there are EPERM, ENOENT, '],
  ])('%s is none', (word, sentence) => {
    expect(() => errnoAsked(word)).toThrow(sentence);
  });
});

describe('on the command line', () => {
  test.each([[['-16']], [['--', '-16']], [['-EBUSY']], [['16', '--json']]])(
    'why %j needs no file',
    async (args) => {
      const { exit, stdout, stderr } = await attachcheck(['why', ...args]);
      expect([exit, stderr]).toEqual([EXIT.HELD, '']);
      expect(stdout).toContain('EBUSY');
    },
  );

  test.each([
    [['EBUSSY'], 'did you mean EBUSY'],
    [['EBUSY', '--kernl', '6.1'], "unknown option '--kernl'; did you mean --kernel?"],
    [['EBUSY', '--step', '1'], '--step needs the file of a sequence'],
    [['EBUSY', 'a.calls', '--kernel', '6.1'], 'a.calls names its kernel'],
    [['EBUSY', 'a.calls', 'b.calls'], 'too many arguments'],
    [['ERANGE'], 'no return site of these kernels answers ERANGE'],
  ])('why %j is refused', async (args, sentence) => {
    const { exit, stderr } = await attachcheck(['why', ...args]);
    expect(exit).toBe(EXIT.USAGE);
    expect(stderr).toContain(sentence);
  });
});
