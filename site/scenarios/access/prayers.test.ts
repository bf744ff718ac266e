import { beforeAll, describe, expect, it } from 'vitest'
import { testPassword, testPasswordHash } from '#db/fixtures.ts'
import { audiences, prayerAccess } from '#db/prayer/schema.ts'
import { roles } from '#db/roles.ts'
import { ask, FORM, type Site, testSite } from '#site/scenarios/fixtures.ts'
import { guardedSite, inSiteDatabase, rowsByTable, signIn, storeRow } from '#site/scenarios/guarded-fixtures.ts'

const AUDIENCES: Record<string, string[]> = { none: [], group: ['service', 'group'], pastor: [...audiences] }
/** Where a list of responses is sent, which never has prayer requests. */
const LISTS = ['/admin', '/admin/sheet', '/api/rsvps', '/api/rsvps/download', '/api/rsvps/print']

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
  const site = guardedSite({ RSVP_POST_LIMIT: 'off' })
  const headersOf: Record<string, { cookie: string }> = {}

  beforeAll(async () => {
    await sendPrayers(site())
    for (const role of roles)
      for (const prayers of prayerAccess) {
        const email = `${role}.${prayers}@cole.example`
        const signingIn = { password_hash: testPasswordHash, created_at: 0 }
        storeRow(site(), 'administrators', { name: role, email, role, prayers, ...signingIn })
        headersOf[`${role} ${prayers}`] = { cookie: await signIn(site(), { email, password: testPassword }) }
      }
  })

  it.each(roles.flatMap((role) => prayerAccess.map((access) => [role, access] as const)))(
    'shows a %s with the access %s those by call and page, a phone number with all of them, and none elsewhere',
    async (role, access) => {
      const headers = headersOf[`${role} ${access}`] ?? {}
      for (const path of ['/api/prayers', '/admin/prayers']) {
        const { status, body, headers: sent } = await ask(site(), `GET ${path}`, { headers })
        expect([status, audiencesIn(body)]).toEqual([access === 'none' ? 403 : 200, AUDIENCES[access]])
        expect(body.includes('555-0117')).toBe(access === 'pastor')
        expect(sent['cache-control']).toBe('no-store')
      }
      for (const path of LISTS) expect((await ask(site(), `GET ${path}`, { headers })).body).not.toContain('kanarie')
      const admin = await ask(site(), 'GET /admin', { headers })
      expect(admin.body.includes('href="/admin/prayers"')).toBe(access !== 'none')
    },
  )

  it('changes those that the caller reads, by call and by form', async () => {
    const [group, none] = [headersOf['reader group'], headersOf['owner none']]
    const id = { service: 1, group: 2, pastor: 3 }
    const change = (headers = {}, about: keyof typeof id = 'service') =>
      ask(site(), `PATCH /api/prayers/${id[about]}`, { json: { prayed: true }, headers })
    expect((await change(group)).status).toBe(200)
    expect((await change(group, 'pastor')).status).toBe(404)
    expect((await change(none)).status).toBe(403)
    expect((await change()).status).toBe(401)
    const post = (body: string, headers = {}) =>
      ask(site(), 'POST /admin/prayers', { body, headers: { ...FORM, ...headers } })
    expect(await post('id=2&toVisit=true', group)).toMatchObject({ status: 303 })
    expect(await post('id=3&toVisit=true', group)).toMatchObject({ status: 404 })
    expect(await post('id=2&toVisit=false', none)).toMatchObject({ status: 403 })
    expect((await post('id=2&toVisit=false')).status).toBe(401)
    const isOn = ({ prayed_at, to_visit }: { [column: string]: unknown }) => [prayed_at !== null, to_visit === 1]
    const stored = rowsByTable(site()).prayers as { [column: string]: unknown }[]
    expect(stored.map(isOn)).toEqual([
      [true, false],
      [false, true],
      [false, false],
    ])
    expect(JSON.stringify(rowsByTable(site()).audit_entries)).not.toContain('kanarie')
  })
})

describe('an open site', () => {
  const site = testSite({ RSVP_POST_LIMIT: 'off' })

  it('shows all of them to whoever reaches it', async () => {
    await sendPrayers(site())
    for (const path of ['/api/prayers', '/admin/prayers'])
      expect(audiencesIn((await ask(site(), `GET ${path}`)).body)).toEqual([...audiences])
  })
})
