import { renderToStaticMarkup } from 'react-dom/server'
import { describe, expect, it } from 'vitest'
import { contactParts } from '#site/server/contact-parts.ts'
import { createRsvpForm, emptyDraft, emptyMember } from '#site/stores/rsvp-form.ts'
import { HiddenFields, RsvpFields } from './RsvpFields.tsx'
import { AfterYes, AtEnd } from './StaticFields.tsx'

const $form = createRsvpForm(
  { roles: null, services: { offered: [{ date: '2026-11-21', label: 'Saturday, November 21' }] } },
  { draft: { ...emptyDraft, familyMembers: [emptyMember] } },
)
function render(own: boolean) {
  return renderToStaticMarkup(
    <>
      <HiddenFields page="/share" />
      <RsvpFields
        $form={$form}
        features={{ calendarIntegration: true, familyRsvp: true, volunteerSignup: true }}
        roles={[{ id: 1, name: 'Usher', disabled: true }]}
        own={own}
        prayers
        afterYes={<AfterYes draft={emptyDraft} asksHowOften texts={{}} contactParts={[]} />}
        atEnd={<AtEnd draft={emptyDraft} prayers sendsMail />}
      >
        {null}
      </RsvpFields>
    </>,
  )
}

describe('the form that the server renders', () => {
  it.each(Object.keys(emptyDraft))('has a control for %s', (name) => {
    expect(render(false)).toMatch(new RegExp(` name="${name}[".]`))
  })

  it.each(['data-1p-ignore', 'data-lpignore', 'data-bwignore', 'data-form-type'])(
    'keeps the password manager that reads %s out of the honeypot',
    (attribute) =>
      expect(render(false)).toMatch(
        new RegExp(`<input [^>]*${attribute}[^>]* name="website"|name="website"[^>]* ${attribute}`),
      ),
  )

  it('shows first-time visitors only the texts that the church has written for them', () => {
    const shown = (texts: { contact: string; parking?: string }) =>
      renderToStaticMarkup(
        <AfterYes
          draft={emptyDraft}
          texts={texts}
          contactParts={contactParts(texts.contact)}
          languages={{ parking: 'es' }}
        />,
      )
    expect(shown({ contact: '' })).not.toContain('<dl')
    const html = shown({ parking: 'Detrás', contact: 'Ana, ana@cole.example' })
    expect(html).toContain('<strong>Parking</strong></dt><dd lang="es">Detrás</dd>')
    expect(html).toContain('<dd>Ana, <a href="mailto:ana@cole.example">ana@cole.example</a></dd>')
    expect(html).not.toMatch(/Children|What to Expect|name="standing"/)
  })

  it('mentions the private link beside a filled role, except in the form of a private link', () => {
    const hint = 'Use your private link.'
    expect(render(false)).toContain(hint)
    expect(render(true)).not.toContain(hint)
  })
})
