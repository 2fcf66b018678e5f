/** As the command line gives them. */
export interface NearLine {
  readonly sequences: string;
  readonly scenarios?: string;
  readonly schedules?: string;
  readonly seed: string;
  readonly kernel?: string;
  readonly law?: string;
  readonly planted?: string;
}
