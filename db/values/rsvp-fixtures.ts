import { storedRsvp } from './rsvp.ts'

/** A field that was not given gets the first of these empty values that its schema accepts. */
const nothing = [null, false, []]

/** A response with the required fields only, derived from the schema. */
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
  serviceDate: '2025-01-11',
})
