/** The texts of the event that can be in another language, as they travel and as the screens name them. */
export const translatedNames = {
  title: 'pageTitle',
  subtitle: 'pageSubtitle',
  eventTitle: 'eventTitle',
  description: 'eventDescription',
  date: 'date',
  time: 'time',
  location: 'location',
  contact: 'contact',
  whatToExpect: 'whatToExpect',
} as const
