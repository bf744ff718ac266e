import { describe, expect, it } from 'vitest'
import { checkChanged, createRsvpForm, removeMember } from './rsvp-form.ts'

const paths = ['name', 'familyMembers.0.name', 'familyMembers.1.name', 'familyMembers.2.age']

function formWithErrors() {
  const errors = paths.map((path) => ({ path, message: 'Name is required' }))
  return createRsvpForm({ roles: null, services: null }, { errors })
}

const pathsOf = ($form: ReturnType<typeof createRsvpForm>) => $form.get().errors.map(({ path }) => path)

describe('the messages of the form', () => {
  it('drop those of a removed family member, and renumber those of the following ones', () => {
    const $form = formWithErrors()
    removeMember($form, 1)
    expect(pathsOf($form)).toEqual(['name', 'familyMembers.0.name', 'familyMembers.1.age'])
  })

  it('drop that of a field that was changed once it is right', () => {
    const $form = formWithErrors()
    checkChanged($form, [{ path: 'name', message: 'Name is required' }], 'name')
    expect(pathsOf($form)).toEqual(paths)
    checkChanged($form, [], 'name')
    expect(pathsOf($form)).toEqual(paths.slice(1))
  })
})
