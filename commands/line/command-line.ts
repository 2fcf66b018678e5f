import type { Command } from 'commander';
import type { Answer, Job } from '../../counterexamples/answer.ts';
import type { WaitingJob } from '../explore/explore.ts';

/** The command line, as far as a command needs it to declare itself. */
export interface CommandLine {
  readonly subcommand: (usage: string, description: string) => Command;
  /** Runs a command. */
  readonly finish: (command: Command, work: Job | WaitingJob | Answer) => Promise<void>;
  /** The words of the command line, repeated in a report. */
  readonly argv: readonly string[];
}

/** Adds a command: its name, its options, and the function that they call. */
export type Declare = (line: CommandLine) => void;
