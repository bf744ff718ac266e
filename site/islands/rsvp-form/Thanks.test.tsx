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

const day = '2026-12-06'
const visitor = { name: 'Ana Cole', attending: true, familyMembers: [], roles: [], serviceDate: day }
const thanks = (sent: object) =>
  renderToStaticMarkup(
    <Thanks
      recorded={recordedOf({ ...visitor, calendarType: 'ical', ...sent })}
      calendar={links}
      invitation={{ time: '10:00 AM', directions: undefined }}
    >
      Park behind the church
    </Thanks>,
  )

it.each([
  { standing: false, filled: `/calendar.ics?date=${day}`, quiet: '/calendar.ics' },
  { standing: true, filled: '/calendar.ics', quiet: `/calendar.ics?date=${day}` },
])('the filled button of the calendar is what the RSVP is for: %j', ({ standing, filled, quiet }) => {
  const found = thanks({ standing }).matchAll(/<a (?:class="([^"]*)" )?href="(\/calendar[^"]*)"/g)
  expect(Array.from(found, ([, look, href]) => [look?.includes('primary'), href])).toEqual([
    [true, filled],
    [undefined, quiet],
  ])
})

it.each([
  [{ firstVisit: true }, true],
  [{}, false],
  [{ firstVisit: true, attending: false }, false],
])('keeps what a first visit needs in sight: %j, %j', (sent, isShown) =>
  expect(thanks(sent).includes('Park behind the church')).toBe(isShown),
)
