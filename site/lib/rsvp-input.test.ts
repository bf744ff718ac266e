import { describe, expect, it } from 'vitest'
import { emptyDraft } from './rsvp-form.ts'
import { toRsvpInput } from './rsvp-input.ts'

describe('toRsvpInput', () => {
  it('sends the attendance as a boolean, and addToCalendar once a calendar is selected', () => {
    expect(toRsvpInput({ ...emptyDraft, attending: 'false', calendarType: 'ical' })).toMatchObject({
      attending: false,
      addToCalendar: true,
      calendarType: 'ical',
    })
    expect(toRsvpInput(emptyDraft)).toMatchObject({ attending: undefined, addToCalendar: false })
  })

  it('sends the honeypot field only if it was filled in', () => {
    expect(toRsvpInput({ ...emptyDraft, website: 'https://spam.example' }).website).toBe('https://spam.example')
    expect(JSON.stringify(toRsvpInput(emptyDraft))).not.toContain('website')
  })
})
