import ICAL from 'ical.js'
import { describe, expect, it } from 'vitest'
import { timeZoneComponent } from './ics.ts'

const now = new Date('2026-11-22T12:00:00Z')

describe('timeZoneComponent', () => {
  it('has rules where clocks follow some', () => {
    expect(timeZoneComponent('America/Chicago', '2026-11-21', now).toString().split('\r\n')).toEqual([
      'BEGIN:VTIMEZONE',
      'TZID:America/Chicago',
      'BEGIN:DAYLIGHT',
      'DTSTART:20250309T020000',
      'TZOFFSETFROM:-0600',
      'TZOFFSETTO:-0500',
      'RRULE:FREQ=YEARLY;BYMONTH=3;BYDAY=2SU',
      'END:DAYLIGHT',
      'BEGIN:STANDARD',
      'DTSTART:20251102T020000',
      'TZOFFSETFROM:-0500',
      'TZOFFSETTO:-0600',
      'RRULE:FREQ=YEARLY;BYMONTH=11;BYDAY=1SU',
      'END:STANDARD',
      'END:VTIMEZONE',
    ])
    expect(timeZoneComponent('Europe/Paris', '2026-11-21', now).toString()).toContain('BYMONTH=10;BYDAY=-1SU')
  })

  it('lists the changes of ten years where they follow none', () => {
    const written = timeZoneComponent('Asia/Jerusalem', '2026-11-21', now).toString()
    expect(written).not.toContain('RRULE')
    expect(written).toContain('DTSTART:20280324T020000\r\nTZOFFSETFROM:+0200\r\nTZOFFSETTO:+0300\r\n')
    expect(written).toContain('DTSTART:2036')
  })

  it('knows the half hours of Lord Howe', () => {
    expect(timeZoneComponent('Australia/Lord_Howe', '2026-11-21', now).toString()).toContain(
      'DTSTART:20251005T020000\r\nTZOFFSETFROM:+1030\r\nTZOFFSETTO:+1100\r\n',
    )
  })

  it('agrees with Intl at noon in every zone for four years', () => {
    const wrong = Intl.supportedValuesOf('timeZone').flatMap((zone) => {
      const written = new ICAL.Timezone(timeZoneComponent(zone, '2026-11-21', now))
      const clock = new Intl.DateTimeFormat('sv-SE', { timeZone: zone, hour: '2-digit', minute: '2-digit' })
      const days = Array.from({ length: 4 * 122 }, (_, number) => noonAfter(number * 3))
      return days
        .filter((noon) => {
          noon.zone = written
          return clock.format(noon.toJSDate()) !== '12:00'
        })
        .map((noon) => `${zone} ${noon}`)
    })
    expect(wrong).toEqual([])
  })
})

/** Noon on a clock, so many days after November 21, 2026. */
function noonAfter(days: number): ICAL.Time {
  return ICAL.Time.fromJSDate(new Date(Date.UTC(2026, 10, 21 + days, 12)), true)
}
