import { useAfterFree } from '../core/oops.ts';
import type { BpfProg, BpfWorld, TrampImage } from './world.ts';

/** A program that is touched must not have been freed, nor an image. */
export function programInMemory(k: BpfWorld, number: number, who: string): BpfProg {
  const prog = k.bpf.progs[number];
  if (prog === undefined || prog.freed) throw useAfterFree({ is: 'program', number }, who);
  return prog;
}

export function imageInMemory(k: BpfWorld, image: string, who: string): TrampImage {
  const found = k.bpf.images[image];
  if (found === undefined) throw useAfterFree({ is: 'image', name: image }, who);
  return found;
}
