import { beforeAll, describe, expect, it } from 'vitest'
import { currentSchedule } from '#db/schedule/schema.ts'
import { fullDayText } from '#db/values/dates.ts'
import { ask } from '#site/scenarios/fixtures.ts'
import { administeredSite, asVisitor, inSiteDatabase } from '#site/scenarios/guarded-fixtures.ts'

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

describe('the sheet', () => {
  const site = administeredSite()
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

  it('says for which service it is and who is missing, and counts as the administration does', async () => {
    const { headers, body } = await sheet()
    expect(headers['cache-control']).toBe('no-store')
    for (const said of [fullDayText(week), '2 of 3 missing', '&lt;b&gt;Ana&lt;/b&gt; Cole'])
      expect(body).toContain(said)
    expect(figuresOf(body)).toEqual([5, 2, 1, 1, 1])
    expect(figuresOf((await ask(site(), `GET /admin?week=${week}`)).body)).toEqual(figuresOf(body))
    expect(/<table class="sheet-households".*<\/table>/s.exec(body)?.[0].match(/<li>/g)).toHaveLength(5)
  })

  it('leaves out what people wrote where it is asked to', async () => {
    expect((await sheet()).body).toContain('We are ill')
    const without = (await sheet(`?week=${week}&messages=no`)).body
    expect(without).toContain('Mia Away')
    expect(without).not.toMatch(/We are ill|Pray for Cy/)
  })

  it('is for this week where it is asked for none, all or nonsense', async () => {
    for (const query of ['', '?week=all', '?week=2026-02-30'])
      expect((await sheet(query)).body).toContain('No responses for this service yet.')
  })

  it('is written into the audit with its day', async () => {
    await sheet()
    const last = inSiteDatabase(site(), (database) =>
      database.prepare('SELECT action, subject FROM audit_entries ORDER BY id DESC LIMIT 1').get(),
    )
    expect(last).toEqual({ action: 'responses printed', subject: week })
  })

  it('is for administrators only', async () => {
    const reply = await ask(asVisitor(site()), `GET /admin/sheet?week=${week}`)
    expect(reply).toMatchObject({ status: 401, headers: { 'cache-control': 'no-store' } })
    expect(reply.body).toContain('<h1 class="panel__title">Sign In</h1>')
    expect(reply.body).not.toMatch(/Zimmer|Cole|Away|people expected/)
  })
})

/** How many are expected, and of what age, as a page says. */
function figuresOf(body: string): number[] {
  const [, expected] = /figures__number">(\d+)</.exec(body) ?? []
  const ages = body.matchAll(/<dt>(?:Adults|Teens|Children|Age not said)<\/dt>\s*<dd>(\d+)</g)
  return [expected, ...Array.from(ages, ([, count]) => count)].map(Number)
}
