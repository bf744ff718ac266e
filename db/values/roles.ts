/** From the most rights to the fewest. */
export const roles = ['owner', 'clerk', 'reader'] as const
export type Role = (typeof roles)[number]

/** Whether a caller has this role or one with more rights. */
export function isAtLeast(role: Role, caller: Role | 'visitor'): boolean {
  return caller !== 'visitor' && roles.indexOf(caller) <= roles.indexOf(role)
}
