import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { describe, expect, it, vi } from 'vitest'
import { testRsvp } from '#db/fixtures.ts'
import { afterTest, siteOn, testPlace } from '#site/scenarios/faults/fixtures.ts'
import { ask, testSite } from '#site/scenarios/fixtures.ts'
import { guardedSite, inSiteDatabase } from '#site/scenarios/guarded-fixtures.ts'
import { withOverrides } from '../../../scripts/testing/overrides.mjs'
import { linesOf, metricNames, scrape, valuesOf } from './fixtures.ts'

/** What is read is kept for a moment. */
const SHORT = withOverrides({ METRICS_TTL_MS: 100 })

describe('the metrics', () => {
  const site = guardedSite({ ...SHORT, RSVP_POST_LIMIT: 'off' })

  it('count replies by route, method and status, however requests are written', async () => {
    const before = valuesOf(await scrape(site()), 'rsvp_http_requests_total')
    for (const call of ['GET /share', 'HEAD /share', 'GET /share?x=1', 'GET /api/rsvps/12', 'PATCH /api/rsvps/12'])
      await ask(site(), call)
    for (const call of ['GET /nope-Canary', 'PROPFIND /nope', 'GET //nope', 'GET /favicon.svg', 'MKCOL /share'])
      await ask(site(), call)
    const expected = {
      '/share GET 2xx': 2,
      '/share HEAD 2xx': 1,
      '/share other 4xx': 1,
      '/api/rsvps/[id] GET 4xx': 1,
      '/api/rsvps/[id] PATCH 4xx': 1,
      '404 GET 4xx': 1,
      '404 other 4xx': 1,
      'refused GET 4xx': 1,
      'static GET 2xx': 1,
    }
    await vi.waitFor(async () => {
      const lines = await scrape(site())
      const after = valuesOf(lines, 'rsvp_http_requests_total')
      const more = Object.entries(after).map(([labels, count]) => [labels, count - (before[labels] ?? 0)])
      expect(
        Object.fromEntries(more.filter(([labels, count]) => count !== 0 && !String(labels).includes('metrics'))),
      ).toEqual(expected)
      expect(valuesOf(lines, 'rsvp_http_request_duration_seconds_count')['/share']).toBeGreaterThanOrEqual(4)
      // Of the scrape itself.
      expect(valuesOf(lines, 'rsvp_http_open_requests')).toEqual({ '': 1 })
    })
  })

  it('say what became of RSVPs, and how many there are', async () => {
    const before = valuesOf(await scrape(site()), 'rsvp_rsvps_sent_total')
    const key = { 'idempotency-key': 'metrics' }
    const name = 'Canary Metrics'
    const rsvps: [number, Record<string, unknown>, Record<string, string>?][] = [
      [201, { name }, key],
      [201, { name }, key],
      [201, { name, email: 'other@b.example', attending: false }],
      [400, { name: '' }],
      [422, {}, key],
    ]
    for (const [status, changes, headers] of rsvps)
      expect((await ask(site(), 'POST /api/rsvp', { json: testRsvp(changes), headers })).status).toBe(status)
    await vi.waitFor(async () => {
      const lines = await scrape(site())
      const sent = valuesOf(lines, 'rsvp_rsvps_sent_total')
      const more = (result: string) => (sent[result] ?? 0) - (before[result] ?? 0)
      expect(['stored', 'invalid', 'key-reused'].map(more)).toEqual([3, 1, 1])
      expect(valuesOf(lines, 'rsvp_responses')).toEqual({ yes: 1, no: 1 })
      expect(valuesOf(lines, 'rsvp_week_responses')).toEqual({ yes: 1, no: 1 })
      expect(valuesOf(lines, 'rsvp_week_expected_people')).toEqual({ '': 1 })
    })
    expect((await ask(site(), 'GET /metrics')).body).not.toMatch(/canary|example|127\.0\.0\.1/i)
  })

  it('have only names that are documented', async () => {
    const documented = new Set(metricNames())
    const { body } = await ask(site(), 'GET /metrics')
    const named = Array.from(body.matchAll(/^# TYPE (rsvp_\w+) /gm), ([, name]) => name)
    expect(new Set(named)).toEqual(documented)
    for (const { name, labels } of linesOf(body).filter((line) => line.name.startsWith('rsvp_')))
      expect(Object.keys(labels).length, name).toBeLessThanOrEqual(3)
    expect(linesOf(body).filter(({ value }) => Number.isNaN(value))).toEqual([])
  })
})

describe('the metrics of a site', () => {
  it('go on while another process keeps its database locked, and say so', async () => {
    const file = join(testPlace(), 'rsvp.db')
    const variables = { ADMIN_PASSWORD: 'four words and none of them' }
    const site = await siteOn(file, { variables, overrides: { METRICS_TTL_MS: 100, REQUEST_DEADLINE_MS: 500 } })
    await scrape(site)
    const other = new DatabaseSync(file, { timeout: 60_000 })
    afterTest(() => other.close())
    other.exec('BEGIN EXCLUSIVE')
    await vi.waitFor(async () => {
      const lines = await scrape(site)
      expect(valuesOf(lines, 'rsvp_database_readable')).toEqual({ '': 0 })
      for (const read of ['rsvp_responses', 'rsvp_week_responses', 'rsvp_clock_doubtful', 'rsvp_backup_age_seconds'])
        expect([read, valuesOf(lines, read)]).toEqual([read, {}])
      expect(valuesOf(lines, 'rsvp_database_waiting')['']).toBeGreaterThan(0)
      expect(valuesOf(lines, 'rsvp_database_retries_total')['']).toBeGreaterThan(0)
      expect(valuesOf(lines, 'rsvp_http_requests_total')['/metrics GET 2xx']).toBeGreaterThan(0)
    })
    other.exec('COMMIT')
    await vi.waitFor(async () => {
      const lines = await scrape(site)
      expect(valuesOf(lines, 'rsvp_database_readable')).toEqual({ '': 1 })
      expect(valuesOf(lines, 'rsvp_responses')).toEqual({ yes: 0, no: 0 })
    })
    expect(site.output()).not.toContain('unexpected error')
  })
})

describe('the metrics of a site that was stored to in vain', () => {
  const site = testSite()

  it('count what failed, by its reason', async () => {
    const trigger = "CREATE TRIGGER full BEFORE INSERT ON rsvps BEGIN SELECT RAISE(ABORT, 'no'); END"
    inSiteDatabase(site(), (database) => database.exec(trigger))
    expect((await ask(site(), 'POST /api/rsvp', { json: testRsvp() })).status).toBe(500)
    const lines = await scrape(site())
    expect(valuesOf(lines, 'rsvp_database_failed_writes_total').unexpected).toBeGreaterThan(0)
    expect(valuesOf(lines, 'rsvp_rsvps_sent_total').unexpected).toBe(1)
  })
})
