import type { FeatureName } from './schema.ts'

/** The wording of the specification, section 2. */
export const featureTexts: Record<FeatureName, { label: string; description: string }> = {
  calendarIntegration: {
    label: 'Calendar Integration',
    description: 'Allow attendees to add the event to their calendar',
  },
  familyRsvp: { label: 'Family RSVP', description: 'Enable RSVP for multiple family members' },
  volunteerSignup: { label: 'Volunteer Signup', description: 'Allow attendees to sign up for volunteer roles' },
}
