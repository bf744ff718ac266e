import * as z from 'zod/mini'
import { idText } from '#db/values/id.ts'
import { storableText, visibleLength } from '#db/values/text.ts'

export const ROLE_NAME_MAXIMUM = 80

const roleName = storableText('The role name', ROLE_NAME_MAXIMUM).check(
  z.refine((name) => visibleLength(name) > 0, 'Give the role a name.'),
)

/** The message for a role id that is not on the list. */
export const fromTheList = 'Choose the roles from the list.'

/** A role that people can offer to fill. */
export const volunteerRole = z.object({ id: z.int(), name: z.string() })
export type VolunteerRole = z.output<typeof volunteerRole>

/** A role as an administrator sees it: a retired one is no longer offered. */
export type StoredVolunteerRole = VolunteerRole & { retired: boolean }

export const newVolunteerRole = z.object({ name: roleName }, 'Send the role as a JSON object with a name.')

export const volunteerRoleChange = z
  .object(
    {
      id: idText,
      name: z.optional(roleName),
      /** A retired role is no longer offered; it stays on the responses that chose it. */
      retired: z.optional(z.boolean('A role is retired with true or false.')),
    },
    'Send the change as a JSON object with a name, or with retired.',
  )
  .check(z.refine((role) => role.name !== undefined || role.retired !== undefined, 'Send a name, or retired.'))
