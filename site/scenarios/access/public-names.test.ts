import { beforeAll, describe, expect, it } from 'vitest'
import type { PublicNames } from '#db/values/settings.ts'
import { ask } from '#site/scenarios/fixtures.ts'
import { administeredSite, asVisitor } from '#site/scenarios/guarded-fixtures.ts'
import { testRsvp } from '#testing/database-fixtures.ts'

const people = [
  testRsvp({
    name: 'Anaxa Mariq Zole',
    phone: '555-0100',
    message: 'See you',
    familyMembers: [{ name: 'Joelx Zole' }],
  }),
  testRsvp({ name: 'Cherz', attending: false, volunteerRoles: [1], website: 'spam' }),
  testRsvp({ name: 'Evex Gonez' }),
]
/** Whom visitors see in the list, and what the privacy page says of it. */
const shown: [PublicNames, string[] | undefined, string][] = [
  ['full', ['Cherz', 'Anaxa Mariq Zole'], 'sees your name, whether you are coming, and when you responded.'],
  [
    'initial',
    ['C.', 'Anaxa Z.'],
    'sees the first word of your name and the initial of the last, or a single letter, whether',
  ],
  ['counts', undefined, 'sees how many people have responded, but not that you are one of them.'],
  ['none', undefined, 'Other visitors do not see that you have responded.'],
]
/** What no visitor ever reads about those people, whatever the church shows. */
const PRIVATE = [
  ...['cole.example', '555-0100', 'See you', 'Joelx', 'Evex', 'Gonez'],
  ...['suspicion', 'deletedAt', '"email":', '"phone":'],
]
const NAMES = ['Cherz', 'Anaxa', 'Mariq', 'Zole']

// What the list of the API says is decided in db/rsvp, whose test has it all.
describe('what visitors read about those who sent an RSVP', () => {
  const site = administeredSite()
  beforeAll(async () => {
    for (const json of people) expect((await ask(asVisitor(site()), 'POST /api/rsvp', { json })).status).toBe(201)
    expect((await ask(site(), 'DELETE /api/rsvps/3')).status).toBe(204)
  })

  it.each(shown)('is %s: %j, and the privacy page says so', async (publicNames, names, sentence) => {
    const changed = await ask(site(), 'PATCH /api/settings', { json: { publicNames } })
    expect(changed.status).toBe(200)
    for (const path of ['/', '/share', '/?deleted=true', '/?before=3']) {
      const { status, body } = await ask(asVisitor(site()), `GET ${path}`)
      expect([path, status]).toEqual([path, 200])
      const text = decoded(body)
      expect(found(PRIVATE, text)).toEqual([])
      expect(found(NAMES, text)).toEqual(found(NAMES, names?.join() ?? ''))
      expect(countsOf(text)).toEqual(publicNames === 'counts' ? ['1 Attending', '1 Not Attending'] : [])
      expect(/Recent Responses|Who(&#x27;|&#39;|')s Coming\?/.test(body)).toBe(publicNames !== 'none')
    }
    const { body } = await ask(asVisitor(site()), 'GET /privacy')
    expect(body).toContain(sentence)
    expect(body).toContain('The rest is seen only by those in the church who can sign in to this site.')
  })
})

function found(words: string[], text: string): string[] {
  return words.filter((word) => text.includes(word))
}

function decoded(html: string): string {
  return html.replaceAll('&quot;', '"').replaceAll('&#39;', "'").replaceAll('&lt;', '<').replaceAll('&amp;', '&')
}

/** The numbers of a page, e.g. `3 Attending`. */
function countsOf(html: string): string[] {
  const cards = html.matchAll(/<\/svg>([\w ]+)<\/span><span class="count__value">(\d+)<\/span>/g)
  return Array.from(cards, ([, label, value]) => `${value} ${label}`)
}
