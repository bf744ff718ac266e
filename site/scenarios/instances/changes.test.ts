import { beforeAll, describe, expect, it } from 'vitest'
import { testEvent, testRsvp } from '#db/fixtures.ts'
import { ask, type Reply, type Site } from '#site/scenarios/fixtures.ts'
import { PASSWORD, signIn } from '#site/scenarios/guarded-fixtures.ts'
import { twoSites } from './fixtures.ts'

describe('what is changed at one of two instances', () => {
  const place = twoSites({ ADMIN_PASSWORD: PASSWORD })
  let cookie: string
  const [PAGES, CALLS] = [
    ['/', '/share', '/privacy', '/admin'],
    ['/api/event', '/api/features', '/api/volunteer-roles', '/api/rsvps', '/api/settings'],
  ]

  /** Loads everything from an instance, as a browser that has it cached. */
  async function load(site: Site, before: Record<string, Reply> = {}): Promise<Record<string, Reply>> {
    const replies: Record<string, Reply> = {}
    for (const path of [...PAGES, ...CALLS]) {
      const { etag, date } = before[path]?.headers ?? {}
      const headers = { cookie, ...(etag && { 'if-none-match': etag }), ...(date && { 'if-modified-since': date }) }
      replies[path] = await ask(site, `GET ${path}`, { headers })
      expect([path, replies[path]?.status]).toEqual([path, 200])
      expect(replies[path]?.headers['cache-control']).toMatch(/^(private, no-cache|no-store)$/)
    }
    return replies
  }

  beforeAll(async () => {
    const [one] = place().sites
    cookie = await signIn(one)
    expect((await ask(one, 'POST /api/rsvp', { json: testRsvp({ name: 'Zacharias Whitfield' }) })).status).toBe(201)
  })

  it.each<[string, string, unknown, Record<string, RegExp>]>([
    [
      'an RSVP',
      'POST /api/rsvp',
      testRsvp({ name: 'Bartholomew Quill' }),
      { '/admin': /Bartholomew/, '/api/rsvps': /Bartholomew/, '/share': /Bartholomew/, '/': /Bartholomew/ },
    ],
    [
      'the event',
      'POST /api/event',
      testEvent({ title: 'Harvest Supper' }),
      { '/': /Harvest Supper/, '/share': /Harvest Supper/, '/api/event': /Harvest Supper/ },
    ],
    [
      'a role',
      'POST /api/volunteer-roles',
      { name: 'Lamplighter' },
      { '/': /Lamplighter/, '/share': /Lamplighter/, '/admin': /Lamplighter/, '/api/volunteer-roles': /Lamplighter/ },
    ],
    [
      'a feature',
      'PATCH /api/features',
      { volunteerSignup: false },
      {
        '/': /^(?![\s\S]*Lamplighter)/,
        '/share': /^(?![\s\S]*Lamplighter)/,
        '/api/features': /"volunteerSignup":false/,
      },
    ],
    [
      'who is shown',
      'PATCH /api/settings',
      { publicNames: 'full' },
      {
        '/api/settings': /"full"/,
        '/share': /Zacharias Whitfield/,
        '/privacy': /sees your name/,
      },
    ],
    [
      'that no name is shown',
      'PATCH /api/settings',
      { publicNames: 'none' },
      { '/api/settings': /"none"/, '/share': /^(?![\s\S]*Zacharias)/ },
    ],
    [
      'how long it is kept',
      'PATCH /api/settings',
      { retentionDays: 123 },
      { '/privacy': /123/, '/api/settings': /123/ },
    ],
    [
      'a deletion',
      'DELETE /api/rsvps/1',
      undefined,
      { '/admin': /^(?![\s\S]*Zacharias)/, '/api/rsvps': /^(?![\s\S]*Zacharias)/ },
    ],
  ])('shows at the other at its next load: %s', async (_, call, json, shown) => {
    const [one, two] = place().sites
    const before = await load(two)
    for (const [path, words] of Object.entries(shown))
      expect([path, before[path]?.body]).not.toEqual([path, expect.stringMatching(words)])
    const { status } = await ask(one, call, { json, headers: { cookie } })
    expect([200, 201, 204]).toContain(status)
    const after = await load(two, before)
    for (const [path, words] of Object.entries(shown))
      expect([path, after[path]?.body]).toEqual([path, expect.stringMatching(words)])
  })
})
