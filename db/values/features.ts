import * as z from 'zod/mini'

export const featureNames = ['calendarIntegration', 'familyRsvp', 'volunteerSignup'] as const
export type FeatureName = (typeof featureNames)[number]

const flag = z.boolean('A feature is switched with true or false.')

/** Which sections the form shows. */
export const features = z.object({
  calendarIntegration: flag,
  familyRsvp: flag,
  volunteerSignup: flag,
} satisfies Record<FeatureName, typeof flag>)
export type Features = z.output<typeof features>

export const featureChange = z
  .strictObject(z.partial(features).shape, `Send one or more of ${featureNames.join(', ')} as true or false.`)
  .check(z.refine((change) => Object.keys(change).length > 0, 'Name at least one feature to switch.'))
