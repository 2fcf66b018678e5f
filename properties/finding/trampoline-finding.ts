import type { CodeName, FunctionName, ImageId, Ip, LinkId, ProgId } from '../../model/core/ids.ts';

/** What is wrong with the trampolines of BPF programs, and with what has many of them. */
export type TrampolineFinding =
  | {
      readonly is: 'extension-is-not-alone';
      readonly target: FunctionName;
      readonly extension: number;
      readonly programs: readonly ProgId[];
      /** Empty: none. */
      readonly image: ImageId;
    }
  | { readonly is: 'direct-call-is-jumped-to'; readonly ip: Ip; readonly target: CodeName }
  | {
      readonly is: 'program-stands-there-twice';
      readonly target: FunctionName;
      readonly programs: readonly ProgId[];
    }
  | { readonly is: 'too-many-programs'; readonly target: FunctionName; readonly count: number }
  /** `image` null: there is none. */
  | {
      readonly is: 'image-is-for-others';
      readonly target: FunctionName;
      readonly programs: readonly ProgId[];
      readonly image: {
        readonly name: string;
        readonly target: FunctionName;
        readonly programs: readonly ProgId[];
      } | null;
    }
  | { readonly is: 'image-does-not-call-through-the-stack'; readonly target: FunctionName }
  | {
      readonly is: 'references-differ';
      readonly of: Referenced;
      readonly expected: number;
      readonly observed: number;
    }
  /** A function whose module has gone, and what stands on it. */
  | { readonly is: 'target-was-unloaded'; readonly fn: FunctionName; readonly holder: string }
  | { readonly is: 'link-has-no-program-of-its-kind'; readonly link: LinkId; readonly prog: ProgId }
  | {
      readonly is: 'link-is-twice-on-a-function';
      readonly link: LinkId;
      readonly targets: readonly FunctionName[];
    }
  | { readonly is: 'link-has-changes-left'; readonly link: LinkId; readonly functions: readonly string[] };

/** What has a reference counter. */
export type Referenced =
  | { readonly is: 'program'; readonly prog: ProgId }
  | { readonly is: 'trampoline'; readonly target: FunctionName }
  | { readonly is: 'module'; readonly module: string };
