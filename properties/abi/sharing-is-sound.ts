import { ctxPlan } from '../../model/abi/sharing.ts';
import { item } from '../../model/core/present.ts';
import type { Signature } from '../../model/trampoline/signature.ts';
import type { SharedFinding } from '../finding/abi-finding.ts';
import type { AbiLaw, AbiTools, FunctionSample } from '../law/argument-law.ts';
import { hasImage } from '../observed/has-image.ts';

/*
 * On x86-64 images are generated and executed. Other architectures have no generator here: ctx holds what the image's
 * plan copies, which has to be the function's own words.
 */

export const sharingIsSound: AbiLaw = {
  name: 'abi/sharing-is-sound',
  sentence: "Through a shared image, each function and its programs get that function's own arguments.",
  source: 'arch/x86/net/bpf_jit_comp.c  save_args, restore_regs',
  premise: (sample) => attachable(sample).length > 1,
  witness: 'functions that can share an image',
  breach: (sample, tools) => {
    const { arch, how } = sample;
    const functions = attachable(sample);
    const { classes } = tools.trampolinesNeeded(functions, arch, how);
    for (const { plan, members } of classes) {
      const made = functions.find((item, i) => members.includes(i) && samePlan(ctxPlan(item, arch), plan));
      if (made === undefined) return { is: 'plan-is-of-no-function', plan };
      for (const index of members) {
        const called = item(functions, index);
        const finding = wrongCall(sample, tools, made, called, plan);
        if (finding !== undefined) return { is: 'shared-image-breaks', called, made, finding };
      }
    }
    return undefined;
  },
};

function attachable({ functions }: FunctionSample): FunctionSample['functions'] {
  return functions.filter(hasImage);
}

function samePlan(items: readonly string[], other: readonly string[]): boolean {
  return items.length === other.length && items.every((places, i) => places === other[i]);
}

function wrongCall(
  { arch }: FunctionSample,
  { sharedSignature, callThrough }: AbiTools,
  made: Signature,
  member: Signature,
  plan: readonly string[],
): SharedFinding | undefined {
  if (arch === 'x86-64') return callThrough(sharedSignature(made), member);
  const own = ctxPlan(member, arch);
  const wrong = own.findIndex((places, i) => places !== plan[i]);
  if (wrong < 0) return undefined;
  return {
    is: 'context-is-copied-otherwise',
    slot: wrong,
    expected: item(own, wrong),
    observed: plan[wrong] ?? null,
  };
}
