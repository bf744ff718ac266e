// @vitest-environment jsdom
import { beforeAll, describe, expect, it } from 'vitest'
import { SHEET } from '#site/lib/admin-page.ts'
import { ask, storedRsvps, testSite } from '#site/scenarios/fixtures.ts'
import { administeredSite, asVisitor } from '#site/scenarios/guarded-fixtures.ts'
import { findUntranslated, pageTexts } from '../../../scripts/testing/page-texts.mjs'

const PAGES = ['/', '/share', '/answer', '/privacy', '/missing']
const ADMINISTRATION = [
  ...['/admin', '/admin?week=all', '/admin?q=Nemo&role=1', '/admin?tab=settings', '/admin?tab=share'],
  ...['/admin/poster', SHEET, '/api/rsvps/print'],
]
/** What people type. */
const TYPED = /\bana\b|Ana Cole|Ana C\.|Joel|Dina|Cole\b|Bus driver|Bring a hat|Nemo/g
/** Where they are renamed, roles are called as the church has first named them. */
const RENAMED = /Greeter|Usher|Music|Children's Class|Audio and Video|Fellowship Meal|Bus driver|Ana Cole|Ana C\./g

describe('every page in another language', () => {
  const open = testSite()
  const guarded = administeredSite()
  let link = ''
  let thanks = ''
  let week = ''

  beforeAll(async () => {
    for (const site of [open(), guarded()]) {
      await ask(site, 'PATCH /api/schedule', { json: { weekday: 6, startTime: '10:00' } })
      await ask(site, 'POST /api/event', { json: { contact: 'Ask at the door', whatToExpect: 'Coffee first' } })
      await ask(site, 'POST /api/volunteer-roles', { json: { name: 'Bus driver', needed: 3 } })
      await ask(site, 'PATCH /api/volunteer-roles/1', { json: { needed: 1 } })
      const family = [
        { name: 'Joel Cole', age: 'child', attending: true },
        { name: 'Dina Cole', attending: false },
      ]
      const person = { name: 'Ana Cole', email: 'ana@cole.example', message: 'Bring a hat', familyMembers: family }
      const rsvp = { ...person, attending: true, volunteerRoles: [1, 2, 7] }
      for (const json of [rsvp, { ...rsvp, volunteerRoles: [3, 7] }, { ...person, attending: false }]) {
        const stored = await ask(site, 'POST /api/rsvp', { json })
        expect(stored.status).toBe(201)
        link = JSON.parse(stored.body).link
      }
    }
    week = (await storedRsvps(guarded()))[0]?.serviceDate ?? ''
    const body = new URLSearchParams({ page: '/share', attending: 'true', name: 'Ana Cole', email: 'ana@cole.example' })
    body.append('volunteerRoles', '2')
    body.append('volunteerRoles', '7')
    const headers = { 'content-type': 'application/x-www-form-urlencoded' }
    const posted = await ask(open(), 'POST /api/rsvp', { body: `${body}`, headers })
    thanks = posted.headers.location?.split('#')[0] ?? ''
    expect(thanks).toContain('thanks=')
  })

  // That each catalogue is whole is checked by itself. In Korean every word that is not translated has other letters.
  it('says nothing in English without saying so', async () => {
    const found: string[] = []
    const look = async (site: Parameters<typeof ask>[0], path: string, headers = {}) => {
      const { body } = await ask(site, `GET ${path}`, { headers: { 'accept-language': 'ko', ...headers } })
      const texts = pageTexts(new DOMParser().parseFromString(body, 'text/html'))
      expect(texts.length, path).toBeGreaterThan(5)
      const typed = path.endsWith('tab=settings') ? RENAMED : TYPED
      found.push(...findUntranslated(texts, typed).map((text) => `${path}: ${text}`))
    }
    const key = await ask(guarded(), `GET ${new URL(link).pathname}${new URL(link).search}`)
    const cookie = (key.headers['set-cookie'] ?? []).map((each) => each.split(';')[0]).join('; ')
    await look(asVisitor(guarded()), '/answer', { cookie })
    await look(asVisitor(guarded()), '/admin')
    await look(open(), thanks)
    for (const path of PAGES) await look(open(), path)
    for (const path of [...ADMINISTRATION, `/api/rsvps/print?week=${week}`]) await look(guarded(), path)
    expect(found).toEqual([])
  })
})
