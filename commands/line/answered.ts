import type { Answer, Exit } from '../../counterexamples/answer.ts';
import type { CommandWork } from './command-line.ts';
import type { Driven } from './drive.ts';
import { drive } from './drive.ts';
import type { OutputOptions } from './printer.ts';
import { Printer } from './printer.ts';
import type { Terminal } from './terminal.ts';

/** A command line, and its whole answer, spelled as reports are. */
export interface AskedCommand {
  readonly answer: Answer;
  readonly exit: Exit;
}

/** Where and how an answer is printed: a terminal, the words of the command line, and its options. */
export interface PrintingPlace {
  readonly terminal: Terminal;
  readonly argv: readonly string[];
  readonly options: OutputOptions;
}

/** Runs a command, and prints its answer as it arrives. */
export async function answered(work: CommandWork, place: PrintingPlace): Promise<AskedCommand> {
  const { terminal, argv, options } = place;
  const printer = new Printer(terminal, argv, options);
  const { status } = terminal;
  const driven: Driven =
    'text' in work
      ? { answer: work, exit: work.exit, signal: undefined }
      : await drive(work, { status, part: (part) => printer.part(part) });
  return { answer: { ...driven.answer, text: printer.end(driven) }, exit: driven.exit };
}
