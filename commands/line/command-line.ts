import type { Command } from 'commander';
import type { Answer, Job } from '../../counterexamples/answer.ts';
import type { WaitingJob } from '../explore/explore.ts';

/** What a command comes to. */
export type CommandWork = Job | WaitingJob | Answer;

/** The command line, as far as a command needs it to declare itself. */
export interface CommandLine {
  readonly subcommand: (usage: string, description: string) => Command;
  /** Runs a command, whose modules are loaded when it is asked for: help and completion need none of them. */
  readonly finish: (command: Command, work: Promise<CommandWork>) => Promise<void>;
  /** The words of the command line, repeated in a report. */
  readonly argv: readonly string[];
}

/** Adds a command: its name, its options, and the function that they call. */
export type Declare = (line: CommandLine) => void;
