/** What a finding says, for people alone: what is expected and what was observed. Nothing reads it back. */
export interface Said {
  readonly expected: string;
  readonly observed: string;
}

/** A finding that is words still; it goes when every law tells its findings as data. */
export interface Worded extends Said {
  readonly is?: undefined;
}
