import { renderToStaticMarkup } from 'react-dom/server'
import { describe, expect, it } from 'vitest'
import { emptyDraft, emptyMember } from '#site/lib/rsvp-form.ts'
import { HiddenFields } from './HiddenFields.tsx'
import { RsvpFields } from './RsvpFields.tsx'

const form = renderToStaticMarkup(
  <>
    <HiddenFields page="/share" />
    <RsvpFields
      draft={{ ...emptyDraft, familyMembers: [emptyMember] }}
      errors={[]}
      features={{ calendarIntegration: true, familyRsvp: true, volunteerSignup: true }}
      roles={[{ id: 1, name: 'Usher' }]}
      services={{ offered: [{ date: '2026-11-21', label: 'Saturday, November 21' }] }}
      onErrors={() => {}}
      onRemoveMember={() => {}}
    />
  </>,
)

describe('the form that the server renders', () => {
  it.each(Object.keys(emptyDraft))('has a control for %s', (name) => {
    expect(form).toMatch(new RegExp(` name="${name}[".]`))
  })
})
