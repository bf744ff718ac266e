import type { FeatureName } from './features.ts'
import type { PublicNames } from './settings.ts'

/** The wording of the specification, section 2. */
export const featureTexts: Record<FeatureName, { label: string; description: string }> = {
  calendarIntegration: {
    label: 'Calendar Integration',
    description: 'Allow attendees to add the event to their calendar',
  },
  familyRsvp: { label: 'Family RSVP', description: 'Enable RSVP for multiple family members' },
  volunteerSignup: { label: 'Volunteer Signup', description: 'Allow attendees to sign up for volunteer roles' },
}

export const publicNamesTexts: Record<PublicNames, { label: string; description: string }> = {
  full: { label: 'Full names', description: 'Visitors see who is coming, e.g. Ana Cole.' },
  initial: { label: 'First name and last initial', description: 'Visitors see who is coming, e.g. Ana C.' },
  counts: { label: 'Numbers only', description: 'Visitors see how many people are coming, but no names.' },
  none: { label: 'No list', description: 'Visitors see neither who is coming nor how many.' },
}

/** The roles of a new site; the catalogues of the site translate them. */
export const seededRoles = ['Greeter', 'Usher', 'Music', "Children's Class", 'Audio and Video', 'Fellowship Meal']
