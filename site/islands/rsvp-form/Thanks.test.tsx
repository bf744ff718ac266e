import { renderToStaticMarkup } from 'react-dom/server'
import { describe, expect, it, vi } from 'vitest'
import { recordedOf } from '#site/lib/recorded.ts'
import { Thanks } from './Thanks.tsx'

const day = '2026-12-06'
const ical = `/calendar.ics?date=${day}`
const google = `${ical}&to=google`
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
    { calendarType: 'google', links: [google, '#share-title', 'More'] },
    { calendarType: 'ical', links: [ical, '#share-title', 'More'] },
    { calendarType: null, links: [google, '#share-title', 'More', ical] },
    { calendarType: null, device: 'iPhone', links: [ical, '#share-title', 'More', google] },
    { standing: true, links: ['/calendar.ics?to=google', '#share-title', 'More', '/calendar.ics'] },
    { attending: false, links: ['More'] },
    { calendar: false, links: ['#share-title', 'More'] },
  ])(
    'links to the one calendar, the others and little else before "More": %j',
    ({ links, calendar, device, ...sent }) => {
      if (device) vi.stubGlobal('navigator', { userAgent: device })
      const found = thanks(sent, calendar)
        .replaceAll('&amp;', '&')
        .matchAll(/href="(\/calendar[^"]*|#share-title)"|(More)</g)
      vi.unstubAllGlobals()
      expect(Array.from(found, ([, href, more]) => href ?? more)).toEqual(links)
    },
  )

  it.each([
    [{ firstVisit: true }, true],
    [{}, false],
    [{ firstVisit: true, attending: false }, false],
  ])('after %j shows the texts for first-time visitors: %j', (sent, isShown) =>
    expect(thanks(sent).includes('Park behind the church')).toBe(isShown),
  )
})
