import { beforeAll, expect, it } from 'vitest'
import { currentSchedule } from '#db/schedule/schema.ts'
import { fullDayText } from '#db/values/dates.ts'
import { ask, type Reply } from '#site/scenarios/fixtures.ts'
import { inSiteDatabase } from '#site/scenarios/guarded-fixtures.ts'
import { asVisitor, describeInBothModes } from '#site/scenarios/mode-fixtures.ts'

const rsvps = [
  {
    name: 'Zoe Zimmer',
    familyMembers: [{ name: 'Joel', age: 'child' }, { name: 'Al' }, { name: 'Cy', attending: false }],
    volunteerRoles: [1],
    message: 'Pray for Cy',
  },
  { name: 'Bo Away', attending: false, familyMembers: [{ name: 'Mia Away', age: 'teen' }], message: 'We are ill' },
  { name: '<b>Ana</b> Cole', familyMembers: [] },
]

/** Counted on another way than by the program's own statement. */
const COUNTS = `
  WITH people (age) AS (
    SELECT 'adult' FROM rsvps WHERE service_date = ?1 AND attending = 1 AND deleted_at IS NULL
    UNION ALL SELECT m.age FROM family_members m
    WHERE m.attending = 1 AND m.rsvp_id IN (SELECT id FROM rsvps WHERE service_date = ?1 AND deleted_at IS NULL))
  SELECT count(*) AS expected, count(*) FILTER (WHERE age = 'adult') AS adults, count(*) FILTER (WHERE age = 'teen') AS teens,
    count(*) FILTER (WHERE age = 'child') AS children, count(*) FILTER (WHERE age IS NULL) AS notSaid FROM people`

describeInBothModes('the sheet', (site, guarded) => {
  let week = ''
  const sheet = (query = `?week=${week}`) => ask(site(), `GET /admin/sheet${query}`)

  beforeAll(async () => {
    const { services } = currentSchedule.parse(JSON.parse((await ask(site(), 'GET /api/schedule')).body))
    week = services[1]?.date ?? ''
    for (const rsvp of rsvps) {
      const json = { email: 'a@b.example', attending: true, serviceDate: week, ...rsvp }
      expect((await ask(site(), 'POST /api/rsvp', { json })).status).toBe(201)
    }
    await ask(site(), 'PATCH /api/volunteer-roles/1', { json: { needed: 3 } })
  })

  it('counts as the administration and as SQL do', async () => {
    const counted = inSiteDatabase(site(), (database) => database.prepare(COUNTS).get(week))
    expect(counted).toEqual({ expected: 5, adults: 2, teens: 1, children: 1, notSaid: 1 })
    const { body } = await sheet()
    expect(figuresOf(body)).toEqual(Object.values(counted ?? {}))
    expect(figuresOf((await ask(site(), `GET /admin?week=${week}`)).body)).toEqual(figuresOf(body))
    const listed = /<table class="sheet-households".*<\/table>/s.exec(body)?.[0].match(/<li>/g)
    expect(listed).toHaveLength(5)
  })

  it('says for which service it is, who serves and who is missing', async () => {
    const { body } = await sheet()
    expect(body).toContain(fullDayText(week))
    expect(body).toContain('2 of 3 missing')
    expect(body).toContain('&lt;b&gt;Ana&lt;/b&gt; Cole')
  })

  it('leaves out what people wrote where it is asked to', async () => {
    expect((await sheet()).body).toContain('We are ill')
    const without = (await sheet(`?week=${week}&messages=no`)).body
    expect(without).toContain('Mia Away')
    expect(without).not.toMatch(/We are ill|Pray for Cy/)
  })

  it.each(['', '?week=all', '?week=someday', '?week=2026-02-30'])(
    'is for this week where it is asked for %j',
    async (query) => {
      const { status, body } = await sheet(query)
      expect(status).toBe(200)
      expect(body).toContain('No responses for this service yet.')
    },
  )

  it('is kept by no cache, and written into the audit with its day', async () => {
    inSiteDatabase(site(), (database) => database.exec('DELETE FROM audit_entries'))
    expect((await sheet()).headers['cache-control']).toBe('no-store')
    const entries = inSiteDatabase(site(), (database) =>
      database.prepare('SELECT action, subject FROM audit_entries').all(),
    )
    expect(entries).toEqual([{ action: 'responses printed', subject: week }])
  })

  it('is for administrators only', async () => {
    const reply = await ask(asVisitor(site()), `GET /admin/sheet?week=${week}`)
    if (!guarded) return expect(reply.status).toBe(200)
    expect(reply).toMatchObject({ status: 401, headers: { 'cache-control': 'no-store' } })
    expect(reply.body).toContain('<h1 class="panel__title">Sign In</h1>')
    expect(reply.body).not.toMatch(/Zimmer|Cole|Away|people expected/)
  })
})

/** How many are expected, and of what age, as a page says. */
function figuresOf(body: Reply['body']): number[] {
  const [, expected] = /figures__number">(\d+)</.exec(body) ?? []
  const ages = Array.from(
    body.matchAll(/<dt>(?:Adults|Teens|Children|Age not said)<\/dt>\s*<dd>(\d+)</g),
    ([, count]) => count,
  )
  return [expected, ...ages].map(Number)
}
