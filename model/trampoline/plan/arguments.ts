import { ARGUMENT_REGISTERS } from '../../abi/x86-64.ts';
import { item, last } from '../../core/present.ts';
import { ARGUMENT_REGS } from '../../x86/argument-registers.ts';
import { RAX } from '../../x86/register.ts';
import { withBytes, withMemory } from '../item.ts';
import type { Planner } from './planner.ts';

/** save_args(): words in registers directly, words on the stack through rax. */
export function saveArguments(p: Planner): void {
  const { frame, items, slots } = p;
  for (let index = 0; index < slots.length; index++) {
    const { place } = item(slots, index);
    const onStack = place.in === 'stack';
    const reg = onStack ? RAX : item(ARGUMENT_REGS, place.index);
    if (onStack)
      items.push(withMemory('save argument', index, 'load', reg, frame.callerStackAt + 8 * place.index));
    items.push(withMemory('save argument', index, 'store', reg, frame.argsAt + 8 * index));
  }
  clearGarbage(p, frame.argsAt + 8 * (frame.slots - 1));
}

/**
 * clean_stack_garbage(): a compiler may store only four bytes of a single narrow stack argument, so the upper
 * half of its copy (the last word, at `at`) is cleared.
 */
function clearGarbage({ request, slots, frame, items }: Planner, offset: number): void {
  if (request.profile.trampolineSlotsMax <= ARGUMENT_REGISTERS.length || frame.stackSlots !== 1) return;
  if (last(request.signature.args).size > 4) return;
  items.push(withBytes('clear garbage', slots.length - 1, 'clear32', offset + 4));
}

/** restore_regs(): the register arguments from ctx. */
export function restoreArguments({ slots, frame, items }: Planner): void {
  for (let index = 0; index < slots.length; index++) {
    const { place } = item(slots, index);
    if (place.in !== 'register') continue;
    const reg = item(ARGUMENT_REGS, place.index);
    items.push(withMemory('restore argument', index, 'load', reg, frame.argsAt + 8 * index));
  }
}

/** save_args(for_call_origin): the stack arguments from the caller's frame to where the original expects them. */
export function copyStackArguments(p: Planner): void {
  const { frame, items, slots } = p;
  if (frame.stackArgsAt === undefined) return;
  for (let index = 0; index < slots.length; index++) {
    const { place } = item(slots, index);
    if (place.in !== 'stack') continue;
    items.push(withMemory('copy stack argument', index, 'load', RAX, frame.callerStackAt + 8 * place.index));
    items.push(withMemory('copy stack argument', index, 'store', RAX, frame.stackArgsAt + 8 * place.index));
  }
  clearGarbage(p, frame.stackArgsAt);
}
