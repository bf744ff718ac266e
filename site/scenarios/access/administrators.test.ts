import { once } from 'node:events'
import { get, type IncomingMessage } from 'node:http'
import { beforeEach, describe, expect, it } from 'vitest'
import { ask, expectProblem, type Reply } from '#site/scenarios/fixtures.ts'
import {
  guardedSite,
  inSiteDatabase,
  insertRsvps,
  PASSWORD,
  signIn,
  storeRow,
} from '#site/scenarios/guarded-fixtures.ts'
import { testPassword, testPasswordHash } from '#testing/database-fixtures.ts'

const site = guardedSite()
const sam = { name: 'Sam Lee', email: 'sam@lee.example', role: 'clerk' }
let owner: string

const call = (cookie: string, address: string, json?: unknown): Promise<Reply> =>
  ask(site(), address, { headers: { cookie }, ...(json !== undefined && { json }) })

/** Stores a clerk, and signs in. */
async function addClerk(): Promise<{ id: number; cookie: string }> {
  storeRow(site(), 'administrators', { ...sam, id: 99, password_hash: testPasswordHash, created_at: 0 })
  return { id: 99, cookie: await signIn(site(), { email: sam.email, password: testPassword }) }
}

/** Begins to read a long list, and then no more of it than the network holds. */
async function beginToRead(cookie: string): Promise<IncomingMessage> {
  const request = get(`${site().url}/api/rsvps`, { headers: { cookie } })
  const [reply] = (await once(request, 'response')) as [IncomingMessage]
  expect(reply.statusCode).toBe(200)
  return reply.pause()
}

beforeEach(async () => {
  inSiteDatabase(site(), (database) => database.exec("DELETE FROM administrators WHERE role <> 'owner'"))
  owner = await signIn(site())
})

describe('administrators', () => {
  // What is done to administrators is in db/access; which calls need a proof, in roles.test.ts.
  it('are invited by an owner, who proves once more who they are before some settings change', async () => {
    inSiteDatabase(site(), (database) => database.exec('UPDATE sessions SET proven_at = proven_at - 601000'))
    for (const change of [{ retentionDays: 30 }, { publicUrl: null }, { publicNames: 'full', retentionDays: null }]) {
      const refused = await call(owner, 'PATCH /api/settings', change)
      expect([refused.status, JSON.parse(refused.body).errors]).toMatchObject([403, [{ path: 'proof' }]])
    }
    expect((await call(owner, 'PATCH /api/settings', { publicNames: 'full' })).status).toBe(200)
    expectProblem(await call(owner, 'POST /api/session/proof', { password: 'wrong' }), 403)
    expect((await call(owner, 'POST /api/session/proof', { password: PASSWORD })).status).toBe(204)
    expect((await call(owner, 'PATCH /api/settings', { retentionDays: 30 })).status).toBe(200)
    const { id, link } = JSON.parse((await call(owner, 'POST /api/administrators', sam)).body)
    expect(link).toMatch(/^http:\/\/[^/]+\/invitation\?key=[\w-]{43}$/)
    expect((await call(owner, `DELETE /api/administrators/${id}`)).status).toBe(204)
    expect(site().output()).not.toContain('key=')
  })

  it('who are removed get nothing more, not even of a list that they are reading', async () => {
    insertRsvps(site(), 100_000)
    const { id, cookie } = await addClerk()
    const [reading, finishing] = [await beginToRead(cookie), await beginToRead(owner)]
    expect((await call(owner, `DELETE /api/administrators/${id}`)).status).toBe(204)
    expect((await call(cookie, 'GET /api/settings')).status).toBe(401)
    await expect(Array.fromAsync(reading)).rejects.toMatchObject({ code: 'ECONNRESET' })
    expect(JSON.parse(Buffer.concat(await Array.fromAsync(finishing)).toString())).toHaveLength(100_000)
    // It is no fault of the site.
    expect(site().output()).toBe('')
  })
})
