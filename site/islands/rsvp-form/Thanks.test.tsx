import { renderToStaticMarkup } from 'react-dom/server'
import { describe, expect, it } from 'vitest'
import { recordedOf } from '#site/lib/recorded.ts'
import { Thanks } from './Thanks.tsx'

const day = '2026-12-06'
const visitor = { name: 'Ana Cole', attending: true, familyMembers: [], roles: [], serviceDate: day }
const thanks = (sent: object, calendar = true) =>
  renderToStaticMarkup(
    <Thanks
      recorded={recordedOf({ ...visitor, ...sent })}
      calendar={calendar}
      invitation={{ time: '10:00 AM', directions: undefined }}
    >
      Park behind the church
    </Thanks>,
  )

describe('the thank-you', () => {
  it.each([
    { calendarType: 'google', links: [`/calendar.ics?date=${day}&to=google`] },
    { calendarType: 'ical', links: [`/calendar.ics?date=${day}`] },
    { calendarType: null, links: [`/calendar.ics?date=${day}&to=google`, `/calendar.ics?date=${day}`] },
    { calendarType: null, standing: true, links: ['/calendar.ics?to=google', '/calendar.ics'] },
    { attending: false, links: [] },
    { calendar: false, links: [] },
  ])('links to the chosen calendar, or to both: %j', ({ links, calendar, ...sent }) => {
    const found = thanks(sent, calendar)
      .replaceAll('&amp;', '&')
      .matchAll(/href="(\/calendar[^"]*)"/g)
    expect(Array.from(found, ([, href]) => href)).toEqual(links)
  })

  it.each([
    [{ firstVisit: true }, true],
    [{}, false],
    [{ firstVisit: true, attending: false }, false],
  ])('after %j shows the texts for first-time visitors: %j', (sent, isShown) =>
    expect(thanks(sent).includes('Park behind the church')).toBe(isShown),
  )
})
