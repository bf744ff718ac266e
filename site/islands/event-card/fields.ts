import type { EventContent } from '#db/event/content.ts'

/** The texts of the event in the order of the editor. */
export const eventFields: { name: keyof EventContent; label: string; multiline?: boolean; optional?: boolean }[] = [
  { name: 'pageTitle', label: 'Page Title' },
  { name: 'pageSubtitle', label: 'Page Subtitle' },
  { name: 'eventTitle', label: 'Event Title' },
  { name: 'eventDescription', label: 'Event Description', multiline: true },
  { name: 'date', label: 'Date' },
  { name: 'time', label: 'Time' },
  { name: 'location', label: 'Location' },
  { name: 'mapLink', label: 'Map Link', optional: true },
  { name: 'contact', label: 'Contact', optional: true },
  { name: 'whatToExpect', label: 'What to Expect', multiline: true, optional: true },
]
