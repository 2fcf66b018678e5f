import { commandLines } from './text.ts';

/** The labels of commands, in reports and below a verdict. */
export type CommandLabel = 'replay' | 'search' | 'next';

/** A labelled command with the lines that continue it. */
const COMMAND = /(^|\n)( {2}(replay|search|next) {2,})((?:\S.* \\\n +)*\S.*)/g;

/** A text with its commands replaced, and broken into lines again; one that becomes undefined is removed. */
export function withCommands(
  text: string,
  replaced: (command: string, label: CommandLabel) => string | undefined,
): string {
  return text.replace(COMMAND, (_, before: string, head: string, label: CommandLabel, lines: string) => {
    const command = replaced(lines.replaceAll(/ \\\n +/g, ' '), label);
    return command === undefined ? '' : before + commandLines(head, command).join('\n');
  });
}
