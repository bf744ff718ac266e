import type { EventContent } from '#db/values/event-content.ts'
import { t } from '#site/texts/texts.ts'

export const eventFields: { name: keyof EventContent; label: () => string; multiline?: boolean; optional?: boolean }[] =
  [
    { name: 'pageTitle', label: () => t('Page Title') },
    { name: 'pageSubtitle', label: () => t('Page Subtitle') },
    { name: 'eventTitle', label: () => t('Event Title') },
    { name: 'eventDescription', label: () => t('Event Description'), multiline: true },
    { name: 'date', label: () => t('Date') },
    { name: 'time', label: () => t('Time') },
    { name: 'location', label: () => t('Location') },
    { name: 'mapLink', label: () => t('Map Link'), optional: true },
    { name: 'contact', label: () => t('Contact'), optional: true },
    { name: 'whatToExpect', label: () => t('What to Expect'), multiline: true, optional: true },
    { name: 'parking', label: () => t('Parking'), multiline: true, optional: true },
    { name: 'children', label: () => t('Children'), multiline: true, optional: true },
  ]
