import { InputError } from '../../../model/core/input-error.ts';
import type { MachineFiles } from './machine-files.ts';

/*
 * /sys/kernel/livepatch, as kernel/livepatch/core.c has it: a folder for each patch, with its switches, a folder for each
 * object below it (`vmlinux` or a module), and below that one for each function, with its place among those of its name:
 *
 * ```text
 *   livepatch_fix/enabled   livepatch_fix/transition   livepatch_fix/vmlinux/vfs_read,1/
 * ```
 */

const FOLDER = 'sys/kernel/livepatch';

/** A live patch that replaces a function. */
export interface LivePatch {
  /** The module that it is in. */
  readonly name: string;
  /** It is being enabled or disabled: not every task has changed over yet. */
  readonly isInTransition: boolean;
  /** It replaces the function that was asked for. */
  readonly isOnFunction: boolean;
}

/** The live patches that are enabled, or in transition. */
export function readLivePatches(
  files: MachineFiles,
  { name, module }: { readonly name: string; readonly module: string },
): readonly LivePatch[] {
  const object = module === '' ? 'vmlinux' : module;
  return files.names(FOLDER).flatMap((patch) => {
    const isEnabled = isOn(files, `${FOLDER}/${patch}/enabled`);
    const isInTransition = isOn(files, `${FOLDER}/${patch}/transition`);
    if (!isEnabled && !isInTransition) return [];
    const functions = files.names(`${FOLDER}/${patch}/${object}`);
    const isOnFunction = functions.some((fn) => fn.replace(/,\d+$/, '') === name);
    return [{ name: patch, isInTransition, isOnFunction }];
  });
}

function isOn(files: MachineFiles, path: string): boolean {
  const text = files.read(path)?.trim();
  if (text === '1' || text === '0') return text === '1';
  throw new InputError(
    `${files.path(path)}: ${text === undefined ? 'there is no such file' : `line 1: "${text}" is neither 0 nor 1`}`,
  );
}
