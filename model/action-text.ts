import type { Action } from './client/all.ts';
import { ALL_CALLS, callOf } from './client/all.ts';
import { allExamples, examplesOf } from './client/examples.ts';
import { requireNames } from './client/named-objects.ts';
import type { Spelling } from './client/spelling.ts';
import { lineOf } from './client/spelling.ts';
import { withSavedWords } from './client/word-text.ts';
import { InputError } from './core/input-error.ts';
import { meantOr, nearest } from './core/nearest.ts';
import { KERNELS, profileNamed } from './core/profile.ts';

/*
 * One line of a trace is one action. Printing is the definition: a line is read by the call that prints it
 * again in the same words, so that there is one spelling of each action, and a misspelt option cannot be
 * ignored in silence.
 *
 * ```text
 *   line -> each call's parse() -> in this kernel? -> names declared? -> printed again, compared word by word
 * ```
 *
 * The spelling is that of the kernel: `register_ftrace_direct_multi(direct#1, my_tramp1)` on 6.1 is
 * `register_ftrace_direct(direct#1, my_tramp1)` on 6.12.
 */

/** An action in the C spelling of its kernel, as traces and reports have it. */
export function printAction(action: Action, spelling: Spelling): string {
  return callOf(action).print(action, spelling);
}

/**
 * Reads an action as `printAction()` writes it, and nothing besides: what it would write otherwise was not
 * understood, but for words, which may be decimal, and the order of options. An InputError says what cannot be
 * read, and which word of the text it is about.
 */
export function parseAction(text: string, spelling: Spelling): Action {
  try {
    return parsed(text, spelling);
  } catch (error) {
    throw absentIn(text, spelling) ?? error;
  }
}

/**
 * In the order of `ALL_CALLS`: no two calls read the same line, because a call is read by its own name. The
 * checks come after the reading, so that a line of another kernel, or with an unknown name, gets the sentence
 * of its case.
 */
function parsed(text: string, spelling: Spelling): Action {
  const line = lineOf(text);
  for (const call of ALL_CALLS) {
    const action = call.parse(line, spelling);
    if (action === undefined) continue;
    if (call.inKernel?.(spelling) === false)
      throw new InputError(`${spelling.profile} has no ${line.name}()`, line.name);
    requireNames(action, spelling);
    requireWhole(text, action, spelling);
    return action;
  }
  throw unknownCall(text, spelling);
}

/**
 * A line that another kernel reads is not misspelt: this kernel does not have the function. It is the cause to
 * name, whatever was thrown first.
 */
function absentIn(text: string, spelling: Spelling): InputError | undefined {
  const own = profileNamed(spelling.profile).kernel;
  const others = KERNELS.filter((kernel) => kernel !== own && isRead(text, { ...spelling, profile: kernel }));
  if (others.length === 0) return undefined;
  const have = others.length === 1 ? 'has' : 'have';
  return new InputError(`${spelling.profile} has no ${text}; ${others.join(' and ')} ${have}`, text);
}

function isRead(text: string, spelling: Spelling): boolean {
  try {
    parsed(text, spelling);
    return true;
  } catch {
    return false;
  }
}

/** A line that would be printed otherwise was not understood: an option that no call knows, or one too many. */
function requireWhole(text: string, action: Action, spelling: Spelling): void {
  const understood = printAction(action, spelling);
  if (understood === text || inOneOrder(understood) === inOneOrder(text)) return;
  const word = firstOther(text, understood);
  const others = examplesOf(callOf(action), spelling.profile).flatMap(wordsOf);
  const meant = nearest(word, others);
  const hint = meant === undefined || meant === word ? '' : `; did you mean ${meant}?`;
  throw new InputError(
    word === ''
      ? `it ends too early; what is understood is ${understood}`
      : `"${word}" is not understood, only ${understood} is${hint}`,
    word,
  );
}

/** A text up to the order of its words: its brackets, and its words sorted. */
function inOneOrder(text: string): string {
  const saved = withSavedWords(text);
  return [saved.replace(WORD, '…'), ...wordsOf(saved).toSorted()].join(' ');
}

/** Words end at blanks, commas and brackets: `direct#1`, `maxactive=2`, `0x1001`. */
const WORD = /[^\s(){},]+/g;

function wordsOf(text: string): readonly string[] {
  return text.match(WORD) ?? [];
}

/** The first word of a text that another one does not have at its place; empty: the text ends there. */
function firstOther(text: string, other: string): string {
  const theirs = wordsOf(other);
  return wordsOf(text).find((word, i) => word !== theirs[i]) ?? '';
}

function unknownCall(text: string, spelling: Spelling): InputError {
  const written = headOf(text);
  const names = allExamples(spelling.profile).map(headOf);
  if (names.includes(written))
    return new InputError(`"${text}" is no call; ${howItIsWritten(written, spelling)}`, written);
  const hint = meantOr(written, [...new Set(names)], 'docs/traces.md has all calls');
  return new InputError(`there is no call ${written}; ${hint}`, written);
}

/** The function that a line calls, or its first word. */
function headOf(text: string): string {
  const [first = ''] = wordsOf(text);
  return lineOf(text).name || first;
}

/** All examples of the call in this kernel, which differ in their options. */
function howItIsWritten(head: string, { profile }: Spelling): string {
  const written = allExamples(profile).filter((example) => headOf(example) === head);
  return `it is written ${written.join(' or ')}`;
}
