import * as z from 'zod/mini'
import { absentWhenEmpty, storableText, visibleLength } from '#db/values/schemas.ts'

const NAME_MINIMUM = 2
const NAME_MAXIMUM = 200

export const ageGroups = ['adult', 'teen', 'child'] as const
export type AgeGroup = (typeof ageGroups)[number]

/** The name of a person: at least two characters that can be seen. */
export const personName = z.pipe(
  z.transform((value: unknown) => (typeof value === 'string' ? value : '')),
  storableText('The name', NAME_MAXIMUM).check(
    z.refine((name) => visibleLength(name) >= NAME_MINIMUM, 'Name is required'),
  ),
)

export const ageGroup = z.enum(ageGroups, 'Choose adult, teen or child, or leave the age group open.')

/** A member of the visitor's household. */
export const familyMember = z.object(
  {
    name: personName,
    age: absentWhenEmpty(ageGroup),
    attending: z._default(z.boolean('Say with true or false whether this person comes.'), true),
  },
  'A family member needs a name.',
)
