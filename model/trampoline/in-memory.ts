import type { ImageId, ProgId } from '../core/ids.ts';
import { useAfterFree } from '../core/oops.ts';
import type { DeepReadonly } from '../core/readonly.ts';
import type { BpfProg, BpfView, BpfWorld, TrampImage } from './world.ts';

/** Accessing a program or an image that was freed is a crash; `who` is the function that does. */
export function programInMemory(k: BpfWorld, number: ProgId, who: string): BpfProg;
export function programInMemory(k: BpfView, number: ProgId, who: string): DeepReadonly<BpfProg>;
export function programInMemory(k: BpfView, number: ProgId, who: string): DeepReadonly<BpfProg> {
  const prog = k.bpf.progs[number];
  if (prog === undefined || prog.freed) throw useAfterFree({ is: 'program', number }, who);
  return prog;
}

export function imageInMemory(k: BpfWorld, image: ImageId, who: string): TrampImage;
export function imageInMemory(k: BpfView, image: ImageId, who: string): DeepReadonly<TrampImage>;
export function imageInMemory(k: BpfView, image: ImageId, who: string): DeepReadonly<TrampImage> {
  const found = k.bpf.images[image];
  if (found === undefined) throw useAfterFree({ is: 'image', name: image }, who);
  return found;
}
