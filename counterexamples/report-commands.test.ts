import { describe, expect, test } from 'vitest';
import { withCommands } from './report-commands.ts';
import { commandLines, WIDTH } from './text.ts';

const PATH = 'counterexamples/corpus/ftrace/record-flags-match-ops.tramp-survives-a-second-ops.trace';
const COMMANDS = [
  'npm run check -- replay a.trace',
  `npm run check -- replay ${PATH}`,
  `npm run check -- --law ${'x'.repeat(40)} --planted ${'y'.repeat(40)} --kernel '6.12, imageLifecycle = C' --seed 1`,
  `npm run check -- replay 'out/it'\\''s here/a b.trace'`,
];

describe.each(COMMANDS)('%s', (command) => {
  const lines = commandLines('  replay     ', command);

  test('is continued by a backslash, and is the same to a shell', () => {
    expect(lines.map((line) => line.trim().replace(/ \\$/, '')).join(' ')).toBe(`replay     ${command}`);
    for (const [i, line] of lines.entries()) {
      expect(line.endsWith(' \\')).toBe(i < lines.length - 1);
      if (line.length > WIDTH) expect(line.trim()).not.toContain(' ');
    }
  });

  test('is found whole in a report', () => {
    const found: string[] = [];
    const report = ['  minimal    no action can be left out', ...lines, '  search     x', ''].join('\n');
    const same = withCommands(report, (whole, label) => {
      found.push(`${label}: ${whole}`);
      return whole;
    });
    expect(found).toEqual([`replay: ${command}`, 'search: x']);
    expect(same).toBe(report);
  });
});

test('a command that is replaced is broken into lines again', () => {
  const report = ['a', ...commandLines('  replay     ', COMMANDS[1]!), 'b'].join('\n');
  expect(withCommands(report, () => COMMANDS[0])).toBe(`a\n  replay     ${COMMANDS[0]}\nb`);
  expect(withCommands(report, () => undefined)).toBe('a\nb');
});

test('a sentence that begins with the same word is no command', () => {
  const text = '  replay of a trace\n  search';
  expect(withCommands(text, () => undefined)).toBe(text);
});
