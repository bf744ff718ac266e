import type { OfferedRole } from './schema.ts'

/** The roles of a new site; the catalogues of the site translate them. */
export const seededRoles = ['Greeter', 'Usher', 'Music', "Children's Class", 'Audio and Video', 'Fellowship Meal']

/** E.g. `2 of 1, 1 more than needed`; undefined if there are no more. Administrators may exceed the need. */
export function excessText(people: number, needed: number | null = null): string | undefined {
  if (needed === null || people <= needed) return undefined
  return `${people} of ${needed}, ${people - needed} more than needed`
}

/** The next services for which more people fill a role than it needs. */
export function listExcesses({ needed = Number.POSITIVE_INFINITY, filled = {} }: OfferedRole) {
  return Object.entries(filled).flatMap(([date, people]) => (people > needed ? [{ date, people, needed }] : []))
}
