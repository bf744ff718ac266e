import { storedRsvp } from './schema.ts'

/** Whichever of these a field takes stands there when nothing was given. */
const nothing = [null, false, []]

/** A response with nothing in it but what is required; it follows the schema. */
export const leastRsvp = storedRsvp.parse({
  ...Object.fromEntries(
    Object.entries(storedRsvp.shape).map(([name, field]) => [
      name,
      nothing.find((value) => field.safeParse(value).success),
    ]),
  ),
  id: 1,
  name: 'Ana Cole',
  email: 'ana@cole.example',
  attending: true,
  createdAt: '2025-01-05T14:00:00.000Z',
})
