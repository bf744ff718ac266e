import { describe, expect, it } from 'vitest'
import { testRsvp } from '#testing/database-fixtures.ts'
import { rsvp, rsvpId } from './rsvp.ts'

function messages(changes: Record<string, unknown>): Record<string, string> {
  const checked = rsvp.safeParse(testRsvp(changes))
  if (checked.success) return {}
  return Object.fromEntries(checked.error.issues.map(({ path, message }) => [path.join('.'), message]))
}

const noAgeGroup = 'Choose adult, teen or child, or leave the age group open.'
const twentyOne = Array.from({ length: 21 }, () => ({ name: 'Joel Cole' }))

describe('the RSVP schema', () => {
  it.each([
    [{ name: 'A' }, 'name', 'Write the name with at least two letters.'],
    [{ name: 'A\0na' }, 'name', 'The name holds a character that cannot be stored. Type it again.'],
    [{ name: 'x'.repeat(201) }, 'name', 'The name may have at most 200 characters.'],
    [{ email: undefined }, 'email', 'Invalid email address'],
    [{ attending: undefined }, 'attending', 'Please choose whether you will attend.'],
    [{ phone: 'x'.repeat(41) }, 'phone', 'The phone number may have at most 40 characters.'],
    [{ message: 'x'.repeat(2001) }, 'message', 'The message may have at most 2,000 characters.'],
    [{ calendarType: 'outlook' }, 'calendarType', 'Choose google or ical.'],
    [{ email: 'a@b.co, c@d.co' }, 'email', 'Give one address.'],
    [{ familyMembers: [{}] }, 'familyMembers.0.name', 'Name is required'],
    [{ familyMembers: [{ name: 'Joel Cole', age: 'senior' }] }, 'familyMembers.0.age', noAgeGroup],
    [{ familyMembers: twentyOne }, 'familyMembers', 'Add at most 20 family members.'],
    [{ volunteerRoles: [-1] }, 'volunteerRoles.0', 'Choose the roles from the list.'],
  ])('refuses %o with a sentence at %s', (changes, path, message) => {
    expect(messages(changes)).toEqual({ [path]: message })
  })

  it('reads empty and null as not given, and trims', () => {
    const family = { familyMembers: [{ name: 'Joel', age: '' }] }
    const typed = { name: ' Ana ', phone: ' \n ', message: null, calendarType: '', ...family }
    expect(rsvp.parse(testRsvp(typed))).toEqual({
      ...rsvp.parse(testRsvp()),
      name: 'Ana',
      phone: undefined,
      message: undefined,
      calendarType: undefined,
      familyMembers: [{ name: 'Joel', age: undefined, attending: true }],
    })
  })

  it('drops what it does not know, and pollutes nothing', () => {
    const parsed = rsvp.parse(JSON.parse('{"name":"Ana","email":"a@b.co","attending":true,"id":7,"__proto__":{"x":1}}'))
    expect(parsed).not.toHaveProperty('id')
    expect(parsed).not.toHaveProperty('x')
    expect({}).not.toHaveProperty('x')
  })

  const wrongIds = ['abc', '0', '-1', '1.5', '1e0', '0x1', '01', '1'.repeat(16), ' 1', '', 1, undefined]
  it.each(wrongIds)('refuses the id %j', (id) => {
    expect(rsvpId.safeParse({ id }).success).toBe(false)
  })
})
