import { expect, it } from 'vitest'
import { testRsvp } from '#db/fixtures.ts'
import { ask, expectUnharmed, storedRsvps } from '#site/scenarios/fixtures.ts'
import { asVisitor, describeInBothModes } from '#site/scenarios/guarded-fixtures.ts'

const emoji = '👩‍👩‍👧‍👦 Family'
const members = (count: number) => Array.from({ length: count }, (_, number) => ({ name: `Member ${number}` }))

describeInBothModes('an unusual RSVP', (site) => {
  it.each<[string, Record<string, unknown>, Record<string, unknown>?]>([
    ...[
      '<script>alert(1)</script>',
      '=1+1',
      "Robert'); DROP TABLE rsvps;--",
      emoji,
      'Z͑͗a̛lgo',
      '김 하늘',
      'مريم عبد الله',
      'x'.repeat(200),
    ].map((name): [string, { name: string }] => [`name ${name.slice(0, 30)}`, { name }]),
    ['a name between blanks', { name: '  Ana Cole ' }, { name: 'Ana Cole' }],
    ...['A@B.CO', "o'neil@b.co", 'a+tag@b.co', `${'a'.repeat(244)}@b.example`].map(
      (email): [string, { email: string }] => [`email ${email.slice(0, 20)}`, { email }],
    ),
    ['empty phone and message', { phone: '', message: null }, { phone: null, message: null }],
    ['line breaks in the message', { message: 'One\nTwo\r\n\tThree' }],
    ['2,000 characters', { message: '€'.repeat(2000) }],
    [
      'age ""',
      { familyMembers: [{ name: 'Joel', age: '' }] },
      { familyMembers: [{ name: 'Joel', age: null, attending: true }] },
    ],
    [
      '20 members',
      { familyMembers: members(20) },
      { familyMembers: members(20).map((member) => ({ ...member, age: null, attending: true })) },
    ],
    ['the same role twice', { volunteerRoles: [1, 1] }, { volunteerSignups: [{ role: { id: 1, name: 'Greeter' } }] }],
    [
      'an id and a time of its own',
      { id: 999, createdAt: '1999-01-01T00:00:00.000Z' },
      { createdAt: expect.not.stringContaining('1999') },
    ],
    ['a calendar type of ""', { calendarType: '', addToCalendar: null }, { calendarType: null, addToCalendar: false }],
  ])('is stored as it is: %s', async (_, changes, stored = changes) => {
    const before = (await storedRsvps(site())).length
    const reply = await ask(asVisitor(site()), 'POST /api/rsvp', { json: testRsvp(changes) })
    expect(reply).toMatchObject({ status: 201 })
    const [newest] = await storedRsvps(site())
    expect(newest).toMatchObject({ id: JSON.parse(reply.body).id, ...stored })
    await expectUnharmed(site(), before + 1)
  })

  it.each(['__proto__', 'constructor', 'prototype'])('may have the key %s, which changes nothing', async (key) => {
    const rest = JSON.stringify(testRsvp()).slice(1)
    const before = (await storedRsvps(site())).length
    const reply = await ask(asVisitor(site()), 'POST /api/rsvp', {
      body: `{"${key}":{"phone":"polluted","attending":false},${rest}`,
      headers: { 'content-type': 'application/json' },
    })
    expect(reply.status).toBe(201)
    expect((await storedRsvps(site()))[0]).toMatchObject({ phone: null, attending: true })
    await expectUnharmed(site(), before + 1)
  })
})
