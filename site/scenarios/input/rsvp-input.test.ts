import { expect, it } from 'vitest'
import { testRsvp } from '#db/fixtures.ts'
import { ask, expectProblem, expectUnharmed, storedRsvps } from '#site/scenarios/fixtures.ts'
import { asVisitor, describeInBothModes } from '#site/scenarios/guarded-fixtures.ts'

const NAME_REQUIRED = 'Name is required'
const EMAIL_INVALID = 'Invalid email address'

const latin1 = (response: unknown) => Buffer.from(JSON.stringify(response), 'latin1')
const deep = (levels: number) => `${'['.repeat(levels)}${']'.repeat(levels)}`
const members = (count: number) => Array.from({ length: count }, (_, number) => ({ name: `Member ${number}` }))

describeInBothModes('an RSVP that does not fit', (site) => {
  it.each<[string, Record<string, unknown>, string, string | RegExp]>([
    ['name missing', { name: undefined }, 'name', NAME_REQUIRED],
    ['name null', { name: null }, 'name', NAME_REQUIRED],
    ['name of one letter', { name: 'A' }, 'name', NAME_REQUIRED],
    ['name of blanks', { name: '  ' }, 'name', NAME_REQUIRED],
    ['name of one letter and blanks', { name: ' A\u00a0\u3000 ' }, 'name', NAME_REQUIRED],
    ['name of invisible characters', { name: '\u200b\u2060\ufeff\u3164\u2800\u00ad' }, 'name', NAME_REQUIRED],
    ['name of controls', { name: '\u0001\u0002\u0003' }, 'name', NAME_REQUIRED],
    ['name with NUL', { name: 'Ana\0Cole' }, 'name', /cannot be stored/],
    ['name with half a surrogate pair', { name: 'Ana \ud83d' }, 'name', /cannot be stored/],
    ['name of 201 characters', { name: 'x'.repeat(201) }, 'name', /at most 200/],
    ['name a number', { name: 12 }, 'name', NAME_REQUIRED],
    ['name a list', { name: ['Ana Cole'] }, 'name', NAME_REQUIRED],
    ['email missing', { email: undefined }, 'email', EMAIL_INVALID],
    ['email a number', { email: 5 }, 'email', EMAIL_INVALID],
    ['email of 255 characters', { email: `${'a'.repeat(245)}@b.example` }, 'email', EMAIL_INVALID],
    ...[
      'a@b',
      'a b@c.de',
      '@c.de',
      'a@',
      'a@@b.co',
      'a@b.co, c@d.co',
      'a@b.co;c@d.co',
      'a@b.co\nBcc: c@d.co',
      'a@b.co\r\nc',
      '"a b"@c.de',
      'Ana <a@b.co>',
      'a..b@c.de',
      'a@b..co',
      'a@b.co\0',
      'mailto:a@b.co',
    ].map((email): [string, { email: string }, string, string] => [
      `email ${JSON.stringify(email)}`,
      { email },
      'email',
      EMAIL_INVALID,
    ]),
    ['attending missing', { attending: undefined }, 'attending', /choose whether/],
    ['attending "true"', { attending: 'true' }, 'attending', /choose whether/],
    ['attending 1', { attending: 1 }, 'attending', /choose whether/],
    ['attending null', { attending: null }, 'attending', /choose whether/],
    ['phone of 41 characters', { phone: '1'.repeat(41) }, 'phone', /at most 40/],
    ['phone a number', { phone: 5550100 }, 'phone', /must be text/],
    ['message of 2,001 characters', { message: 'x'.repeat(2001) }, 'message', /at most 2,000/],
    ['message with NUL', { message: 'a\0b' }, 'message', /cannot be stored/],
    ['calendarType outlook', { calendarType: 'outlook' }, 'calendarType', /google or ical/],
    ['addToCalendar "yes"', { addToCalendar: 'yes' }, 'addToCalendar', /true or false/],
    ['a member without a name', { familyMembers: [{ age: 'teen' }] }, 'familyMembers.0.name', NAME_REQUIRED],
    [
      'a member of age senior',
      { familyMembers: [{ name: 'Joel', age: 'senior' }] },
      'familyMembers.0.age',
      /adult, teen or child/,
    ],
    ['a member that is a text', { familyMembers: ['Joel'] }, 'familyMembers.0', /needs a name/],
    ['members as an object', { familyMembers: { 0: { name: 'Joel' } } }, 'familyMembers', /as a list/],
    ['21 members', { familyMembers: members(21) }, 'familyMembers', /at most 20/],
    ['a role that does not exist', { volunteerRoles: [1, 999999] }, 'volunteerRoles', /from the list/],
    ['a role as text', { volunteerRoles: ['1'] }, 'volunteerRoles.0', /from the list/],
    ['half a role', { volunteerRoles: [1.5] }, 'volunteerRoles.0', /from the list/],
    ['a role below zero', { volunteerRoles: [-1] }, 'volunteerRoles.0', /from the list/],
    ['a role beyond all numbers', { volunteerRoles: [1e300] }, 'volunteerRoles.0', /from the list/],
    ['roles as a text', { volunteerRoles: '1' }, 'volunteerRoles', /from the list/],
    ['21 roles', { volunteerRoles: Array(21).fill(1) }, 'volunteerRoles', /at most 20/],
  ])('is refused: %s', async (_, changes, path, message) => {
    const before = (await storedRsvps(site())).length
    const reply = await ask(asVisitor(site()), 'POST /api/rsvp', { json: testRsvp(changes) })
    expectProblem(reply, 400)
    expect(JSON.parse(reply.body).errors).toContainEqual({
      path,
      message: typeof message === 'string' ? message : expect.stringMatching(message),
    })
    await expectUnharmed(site(), before)
  })

  it.each<[string, string | Buffer | undefined, string, number]>([
    ['an empty body', '', 'application/json', 400],
    ['no body', undefined, 'application/json', 400],
    ['half an object', '{', 'application/json', 400],
    ['null', 'null', 'application/json', 400],
    ['a list', '[]', 'application/json', 400],
    ['a text', '"x"', 'application/json', 400],
    ['bytes that are not UTF-8', latin1(testRsvp({ name: 'Zoë Cole' })), 'application/json', 400],
    ['20,000 mistakes', JSON.stringify({ familyMembers: Array(20_000).fill(0) }), 'application/json', 400],
    ['plain text', JSON.stringify(testRsvp()), 'text/plain', 415],
    ['a type that begins like JSON', JSON.stringify(testRsvp()), 'application/jsonp', 415],
    ['a form with files', '--x\r\n\r\n--x--', 'multipart/form-data; boundary=x', 415],
    ['65 KB', JSON.stringify({ ...testRsvp(), filler: 'x'.repeat(65 * 1024) }), 'application/json', 413],
  ])('is refused: %s', async (_, body, type, status) => {
    const reply = await ask(asVisitor(site()), 'POST /api/rsvp', {
      ...(body !== undefined && { body }),
      headers: { 'content-type': type },
    })
    expectProblem(reply, status)
    expect(reply.body.length).toBeLessThan(20_000)
    await expectUnharmed(site(), 0)
  })

  it.each<[string, string]>([
    ['lists', deep(30_000)],
    ['members', `{"familyMembers":${deep(30_000)}}`],
  ])('is refused at once: %s 30,000 deep', async (_, body) => {
    const quickest = async (sent: string) => {
      const times: number[] = []
      for (let attempt = 0; attempt < 3; attempt++) {
        const started = performance.now()
        const headers = { 'content-type': 'application/json' }
        expectProblem(await ask(asVisitor(site()), 'POST /api/rsvp', { body: sent, headers }), 400)
        times.push(performance.now() - started)
      }
      return Math.min(...times)
    }
    // On a busy machine what is as long and flat takes its time, too.
    expect(await quickest(body)).toBeLessThan(200 + 10 * (await quickest(JSON.stringify('x'.repeat(body.length)))))
    await expectUnharmed(site(), 0)
  })
})

describeInBothModes('fields of a body that only headers and the site may set', (site) => {
  it('count for nothing', async () => {
    const json = { ...testRsvp(), idempotencyKey: 'sample 1', formAge: 1, flooded: true, network: 'x' }
    for (const _ of ['first', 'second']) {
      const reply = await ask(asVisitor(site()), 'POST /api/rsvp', { json })
      expect(reply.status).toBe(201)
    }
    expect((await storedRsvps(site())).map(({ suspicion }) => suspicion)).toEqual([null, null])
  })
})
