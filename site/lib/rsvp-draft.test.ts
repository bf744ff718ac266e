import { describe, expect, it } from 'vitest'
import { readForm, toRsvpInput } from './rsvp-draft.ts'
import { emptyDraft } from './rsvp-form.ts'

const filled = new URLSearchParams([
  ['page', '/share'],
  ['attending', 'false'],
  ['name', ' Ana '],
  ['email', 'ana@cole.example'],
  ['phone', ''],
  ['familyMembers.10.name', 'Third'],
  ['familyMembers.0.name', 'First'],
  ['familyMembers.0.age', 'teen'],
  ['familyMembers.2.name', 'Second'],
  ['volunteerRoles', '2'],
  ['volunteerRoles', 'x'],
  ['volunteerRoles', '2'],
  ['calendarType', 'ical'],
  ['message', 'Two\r\nlines'],
  ['website', 'https://spam.example'],
])

describe('readForm', () => {
  it('reads every field as it was typed, and family members in order', () => {
    expect(readForm(filled)).toEqual({
      ...emptyDraft,
      name: ' Ana ',
      email: 'ana@cole.example',
      message: 'Two\nlines',
      attending: 'false',
      calendarType: 'ical',
      familyMembers: [
        { name: 'First', age: 'teen', attending: true },
        { name: 'Second', age: '', attending: true },
        { name: 'Third', age: '', attending: true },
      ],
      volunteerRoles: [2, 2],
      website: 'https://spam.example',
    })
  })

  it('reads an empty form as an empty draft', () => {
    expect(readForm(new URLSearchParams())).toEqual(emptyDraft)
    expect(readForm(new URLSearchParams('attending=maybe'))).toEqual(emptyDraft)
  })
})

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
