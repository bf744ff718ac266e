import { describe, expect, it } from 'vitest'
import { withoutMember } from './without-member.ts'

describe('withoutMember', () => {
  it('drops the messages of the removed family member, and renumbers those of the following ones', () => {
    const message = 'Name is required'
    const errors = ['name', 'familyMembers.0.name', 'familyMembers.1.name', 'familyMembers.2.age'].map((path) => ({
      path,
      message,
    }))
    expect(withoutMember(errors, 1).map(({ path }) => path)).toEqual([
      'name',
      'familyMembers.0.name',
      'familyMembers.1.age',
    ])
  })
})
