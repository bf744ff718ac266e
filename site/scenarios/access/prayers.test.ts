import { beforeAll, describe, expect, it } from 'vitest'
import { audiences } from '#db/values/prayer.ts'
import { ask, type Site, testSite } from '#site/scenarios/fixtures.ts'
import { guardedSite, inSiteDatabase, rowsByTable, signIn, storeRow } from '#site/scenarios/guarded-fixtures.ts'
import { testPassword, testPasswordHash } from '#testing/database-fixtures.ts'

/** The role has nothing to do with it. */
const READERS = [
  { role: 'owner', prayers: 'none', reads: [] },
  { role: 'clerk', prayers: 'group', reads: ['service', 'group'] },
  { role: 'reader', prayers: 'pastor', reads: [...audiences] },
]
/** Where a list of responses is sent, which never has prayer requests. */
const LISTS = ['/admin', '/admin?q=kanarie', '/admin/sheet', '/api/rsvps?q=kanarie']
const FILES = ['/api/rsvps', '/api/rsvps/download']

async function sendPrayers(site: Site): Promise<void> {
  inSiteDatabase(site, (database) => database.exec('UPDATE settings SET prayers = 1'))
  for (const prayerAudience of audiences) {
    const json = { name: prayerAudience, email: 'ana@cole.example', phone: '555-0117', attending: true }
    await ask(site, 'POST /api/rsvp', { json: { ...json, prayer: `kanarie-${prayerAudience}`, prayerAudience } })
  }
}

/** For whom the prayer requests in a text are. */
function audiencesIn(text: string): string[] {
  return audiences.filter((audience) => text.includes(`kanarie-${audience}`))
}

describe('a guarded site', () => {
  const site = guardedSite()
  const headersOf: Record<string, { cookie: string }> = {}

  beforeAll(async () => {
    await sendPrayers(site())
    for (const { role, prayers } of READERS) {
      const email = `${prayers}@cole.example`
      const signingIn = { password_hash: testPasswordHash, created_at: 0 }
      storeRow(site(), 'administrators', { name: role, email, role, prayers, ...signingIn })
      headersOf[prayers] = { cookie: await signIn(site(), { email, password: testPassword }) }
    }
  })

  it.each(READERS)(
    'shows a $role who reads $reads those by call and page, phone and email with all of them, and none elsewhere',
    async ({ prayers, reads }) => {
      const headers = headersOf[prayers] ?? {}
      for (const path of ['/api/prayers', '/admin/prayers']) {
        const { status, body, headers: sent } = await ask(site(), `GET ${path}`, { headers })
        expect([status, audiencesIn(body)]).toEqual([prayers === 'none' ? 403 : 200, reads])
        for (const contact of ['555-0117', 'ana@cole.example'])
          expect([contact, body.includes(contact)]).toEqual([contact, prayers === 'pastor'])
        expect(sent).toMatchObject({ 'cache-control': 'no-store', 'referrer-policy': 'same-origin' })
      }
      for (const path of [...LISTS, ...FILES])
        expect(audiencesIn((await ask(site(), `GET ${path}`, { headers })).body)).toEqual([])
      const admin = await ask(site(), 'GET /admin', { headers })
      expect(admin.body.includes('href="/admin/prayers"')).toBe(prayers !== 'none')
    },
  )

  it('lets each tick off only what they read, by call and by form', async () => {
    const headers = headersOf.group ?? {}
    for (const [id, byCall, byForm] of [[2, 200, 303] as const, [3, 404, 404] as const]) {
      const form = { id: String(id), toVisit: 'true' }
      expect((await ask(site(), `PATCH /api/prayers/${id}`, { json: { prayed: true }, headers })).status).toBe(byCall)
      expect((await ask(site(), 'POST /admin/prayers', { form, headers })).status).toBe(byForm)
    }
    expect(JSON.stringify(rowsByTable(site()).audit_entries)).not.toContain('kanarie')
  })

  it('shows no more from the moment at which an owner takes the access away', async () => {
    inSiteDatabase(site(), (database) => database.exec("UPDATE administrators SET prayers = 'none'"))
    const { status, body } = await ask(site(), 'GET /admin/prayers', { headers: headersOf.pastor })
    expect([status, audiencesIn(body)]).toEqual([403, []])
  })
})

describe('an open site', () => {
  const site = testSite()

  it('shows all of them to whoever reaches it, who can make the form ask for them', async () => {
    const settings = 'href="/admin?tab=settings#prayers"'
    expect((await ask(site(), 'GET /admin/prayers')).body).toContain(settings)
    await sendPrayers(site())
    for (const path of ['/api/prayers', '/admin/prayers'])
      expect(audiencesIn((await ask(site(), `GET ${path}`)).body)).toEqual([...audiences])
  })
})
