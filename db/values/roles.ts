/** From the most to the least that a person may do. */
export const roles = ['owner', 'clerk', 'reader'] as const
export type Role = (typeof roles)[number]

/** Whether a caller may do what is for this role, and so for those above it. */
export function isAtLeast(role: Role, caller: Role | 'visitor'): boolean {
  return caller !== 'visitor' && roles.indexOf(caller) <= roles.indexOf(role)
}
