import * as z from 'zod/mini'
import { idText, storableText, visibleLength } from './schemas.ts'

export const ROLE_NAME_MAXIMUM = 80

const roleName = storableText('The role name', ROLE_NAME_MAXIMUM).check(
  z.refine((name) => visibleLength(name) > 0, 'Give the role a name.'),
)

export const fromTheList = 'Choose the roles from the list.'

const NEEDED_MAXIMUM = 999
const notNeeded = `Give the number of people as a whole number from 1 to ${NEEDED_MAXIMUM}; without one, as many can help as want to.`

/** How many people a role needs at one service; null for no limit. */
const needed = z.nullable(z.int(notNeeded).check(z.gte(1, notNeeded), z.lte(NEEDED_MAXIMUM, notNeeded)))

/** A role that people can offer to fill. */
export const volunteerRole = z.object({ id: z.int(), name: z.string() })
export type VolunteerRole = z.output<typeof volunteerRole>

/** If a role needs a limited number of people: how many, and how many fill it so far, by the dates of the next services. */
export const offeredRole = z.extend(volunteerRole, {
  needed: z.optional(z.int()),
  filled: z.optional(z.record(z.string(), z.int())),
})
export type OfferedRole = z.output<typeof offeredRole>

/** A role as an administrator sees it. Retired roles are no longer offered. */
export type StoredVolunteerRole = VolunteerRole & { retired: boolean; needed: number | null }

export const newVolunteerRole = z.object({ name: roleName, needed: z.optional(needed) })

export const volunteerRoleChange = z
  .object({
    id: idText,
    name: z.optional(roleName),
    /** A retired role is no longer offered; it stays on the responses that chose it. */
    retired: z.optional(z.boolean('A role is retired with true or false.')),
    needed: z.optional(needed),
  })
  .check(
    z.refine(
      ({ name, needed, retired }) => name !== undefined || needed !== undefined || retired !== undefined,
      'Send a name, needed, or retired.',
    ),
  )
