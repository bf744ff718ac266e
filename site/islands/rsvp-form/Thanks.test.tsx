import { renderToStaticMarkup } from 'react-dom/server'
import { expect, it } from 'vitest'
import { recordedOf } from '#site/lib/recorded.ts'
import { Thanks } from './Thanks.tsx'

const links = { google: 'https://calendar.example/', ical: '/calendar.ics', weekday: 6 }

it.each([
  { chosen: 'google', offered: ['Add to Google Calendar'] },
  { chosen: 'ical', offered: ['Add to calendar (.ics)'] },
  { chosen: null, offered: ['Add to Google Calendar', 'Add to calendar (.ics)'] },
  { chosen: null, attending: false, offered: [] },
  { chosen: null, calendar: null, offered: [] },
])('the thank-you links to the calendar that was chosen, or to both: %j', (given) => {
  const { chosen, offered, attending = true, calendar = links } = given
  const sent = { name: 'Ana Cole', attending, familyMembers: [], roles: [], serviceDate: undefined }
  const recorded = recordedOf({ ...sent, calendarType: chosen })
  const page = renderToStaticMarkup(
    <Thanks recorded={recorded} calendar={calendar} invitation={{ time: '10:00 AM', directions: undefined }} />,
  )
  expect(page.match(/Add to [^<]+/g) ?? []).toEqual(offered)
})
