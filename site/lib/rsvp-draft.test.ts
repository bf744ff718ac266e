import { describe, expect, it } from 'vitest'
import type { OwnRsvp } from '#db/values/private-link.ts'
import { emptyDraft } from '#site/stores/rsvp-form.ts'
import { draftOfRsvp, type RsvpDraft, readForm, toOwnChange, toRsvpInput } from './rsvp-draft.ts'

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
  ['standing', 'true'],
  ['firstVisit', 'on'],
  ['remind', 'on'],
  ['prayer', 'For\r\nMia'],
  ['prayerAudience', 'group'],
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
      ...{ standing: true, firstVisit: true, remind: true, prayer: 'For\nMia', prayerAudience: 'group' },
    })
  })

  it('reads an empty form as an empty draft', () => {
    expect(readForm(new URLSearchParams())).toEqual(emptyDraft)
    expect(readForm(new URLSearchParams('attending=maybe'))).toEqual(emptyDraft)
  })
})

describe('toRsvpInput', () => {
  it('sends the attendance as a boolean, and addToCalendar once a calendar is selected', () => {
    expect(toRsvpInput({ ...emptyDraft, attending: 'true', calendarType: 'ical' })).toMatchObject({
      attending: true,
      addToCalendar: true,
      calendarType: 'ical',
    })
    expect(toRsvpInput(emptyDraft)).toMatchObject({ attending: undefined, addToCalendar: false })
  })

  it('sends the honeypot field only if it was filled in', () => {
    expect(toRsvpInput({ ...emptyDraft, website: 'https://spam.example' }).website).toBe('https://spam.example')
    expect(JSON.stringify(toRsvpInput(emptyDraft))).not.toContain('website')
  })

  it('sends calendar, first visit, every week and reminder only if they are chosen and the visitor attends', () => {
    const sent = (changes: Partial<RsvpDraft>) => JSON.stringify(toRsvpInput({ ...readForm(filled), ...changes }))
    const prayer = '"prayer":"For\\nMia","prayerAudience":"group"'
    expect(sent({ attending: 'true' })).toContain(`"firstVisit":true,"remind":true,"standing":true,${prayer}`)
    expect(sent({ attending: 'false' })).toContain(prayer)
    expect(sent({ attending: 'false' })).not.toMatch(/calendarType|firstVisit|remind|standing/)
    expect(JSON.stringify(toRsvpInput(emptyDraft))).not.toMatch(/firstVisit|remind|standing|prayer/)
  })
})

describe('the form of a private link', () => {
  const joel = { name: 'Joel', age: null, attending: true }
  const mia = { ...joel, name: 'Mia' }
  const away = { ...joel, attending: false }
  function own(attending: boolean, familyMembers: object[]): RsvpDraft {
    const rsvp = { ...emptyDraft, attending, familyMembers, volunteerSignups: [{ role: { id: 2 } }] }
    return draftOfRsvp(rsvp as never as OwnRsvp)
  }
  const sentBy = (draft: RsvpDraft) => {
    const { attending, familyMembers, ...rest } = toOwnChange(draft)
    return [attending, familyMembers.map((member) => member.attending), 'volunteerRoles' in rest && rest.volunteerRoles]
  }

  it('after a No, keeps roles, calendar, and family members as not attending, without unfinished rows', () => {
    const draft: RsvpDraft = { ...own(true, [joel, mia]), attending: 'false' }
    expect(sentBy(draft)).toEqual([false, [false, false], false])
    for (const name of ['volunteerRoles', 'calendarType', 'addToCalendar'])
      expect(toOwnChange(draft)).not.toHaveProperty(name)
    expect(sentBy({ ...draft, othersCome: true })).toEqual([false, [true, true], false])
    expect(sentBy({ ...draft, familyMembers: [{ name: ' ', age: '', attending: true }] })).toEqual([false, [], false])
  })

  it('includes all family members if no one attends, and otherwise those who attend', () => {
    const draft = own(false, [away, away])
    expect(draft.othersCome).toBe(false)
    expect(sentBy({ ...draft, attending: 'true' })).toEqual([true, [true, true], [2]])
    for (const attending of [true, false]) expect(sentBy(own(attending, [away, mia]))[1]).toEqual([false, true])
  })
})
