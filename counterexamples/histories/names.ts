import { profileNamed } from '../../model/core/profile.ts';

/** The design of a kernel's multi links. */
export function designName(profile: string): string {
  return profileNamed(profile).multiLinks;
}
