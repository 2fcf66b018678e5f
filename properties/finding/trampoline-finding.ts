/** What is wrong with the trampolines of BPF programs, and with what has many of them. */
export type TrampolineFinding =
  | {
      readonly is: 'extension-is-not-alone';
      readonly target: string;
      readonly extension: number;
      readonly programs: readonly number[];
      /** Empty: none. */
      readonly image: string;
    }
  | { readonly is: 'direct-call-is-jumped-to'; readonly ip: string; readonly target: string }
  | {
      readonly is: 'program-stands-there-twice';
      readonly target: string;
      readonly programs: readonly number[];
    }
  | { readonly is: 'too-many-programs'; readonly target: string; readonly count: number }
  /** `image` null: there is none. */
  | {
      readonly is: 'image-is-for-others';
      readonly target: string;
      readonly programs: readonly number[];
      readonly image: {
        readonly name: string;
        readonly target: string;
        readonly programs: readonly number[];
      } | null;
    }
  | { readonly is: 'image-does-not-call-through-the-stack'; readonly target: string }
  | {
      readonly is: 'references-differ';
      readonly of: Referenced;
      readonly expected: number;
      readonly observed: number;
    }
  /** A function whose module has gone, and what stands on it. */
  | { readonly is: 'target-was-unloaded'; readonly fn: string; readonly holder: string }
  | { readonly is: 'link-has-no-program-of-its-kind'; readonly link: string; readonly prog: number }
  | { readonly is: 'link-is-twice-on-a-function'; readonly link: string; readonly targets: readonly string[] }
  | { readonly is: 'link-has-changes-left'; readonly link: string; readonly functions: readonly string[] };

/** What has a reference counter. */
export type Referenced =
  | { readonly is: 'program'; readonly prog: number }
  | { readonly is: 'trampoline'; readonly target: string }
  | { readonly is: 'module'; readonly module: string };
