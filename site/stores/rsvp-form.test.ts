import { describe, expect, it } from 'vitest'
import { checkChanged, createRsvpForm, removeMember } from './rsvp-form.ts'

const paths = ['name', 'familyMembers.0.name', 'familyMembers.1.name', 'familyMembers.2.age']

function formWithErrors() {
  const errors = paths.map((path) => ({ path, message: 'Name is required' }))
  return createRsvpForm({ roles: null, services: null }, { errors })
}

const pathsOf = ($form: ReturnType<typeof createRsvpForm>) => $form.get().errors.map(({ path }) => path)

describe('the errors of the form', () => {
  it('lose those of a removed family member, and those of the following members are renumbered', () => {
    const $form = formWithErrors()
    removeMember($form, 1)
    expect(pathsOf($form)).toEqual(['name', 'familyMembers.0.name', 'familyMembers.1.age'])
  })

  it('lose the error of a changed field once the field is valid', () => {
    const $form = formWithErrors()
    checkChanged($form, [{ path: 'name', message: 'Name is required' }], 'name')
    expect(pathsOf($form)).toEqual(paths)
    checkChanged($form, [], 'name')
    expect(pathsOf($form)).toEqual(paths.slice(1))
  })
})
