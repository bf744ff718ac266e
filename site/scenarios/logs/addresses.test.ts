import { expect, it } from 'vitest'
import { ask, exchange, expectUnharmed, type Site } from '#site/scenarios/fixtures.ts'
import { describeInBothModes } from '#site/scenarios/guarded-fixtures.ts'

describeInBothModes('the log at its most detailed', keepsQuiet, { LOG_LEVEL: 'trace' })

function keepsQuiet(site: () => Site): void {
  it.each([
    'GET /nope/CANARY',
    'GET /api/CANARY',
    'GET /share?name=CANARY',
    'DELETE /api/rsvps/CANARY',
    'GET /api/rsvps?limit=CANARY',
    'PROPFIND /CANARY',
    'GET /admin/CANARY',
    'POST /api/rsvps/CANARY/restore',
    'PATCH /api/volunteer-roles/CANARY',
    'PUT /api/rsvp?CANARY',
    'GET //CANARY',
    'GET /share/?CANARY',
    'GET /answer?key=CANARY',
    'HEAD /answer?key=CANARY&key=CANARY',
    'POST /api/answer?key=CANARY',
  ])('and the reply reveal nothing of an address: %s', async (call) => {
    const { body } = await ask(site(), call.replace('CANARY', 'Canary'))
    // A page may name its own address to itself in a redirect; a problem never does.
    if (!body.startsWith('<!doctype html>') && !call.includes('name=')) expect(body).not.toMatch(/canary/i)
    expect(site().output()).not.toMatch(/canary/i)
  })

  it.each([
    'GET /%zzCANARY HTTP/1.1\r\nHost: HOST',
    'GET /CANARY\0 HTTP/1.1\r\nHost: HOST',
    'CANARY / HTTP/1.1\r\nHost: HOST',
    'GET / HTTP/1.1\r\nHost: HOST\r\nX CANARY: x',
    `GET / HTTP/1.1\r\nHost: HOST\r\nX-A: CANARY${'a'.repeat(9000)}`,
  ])('and the reply reveal nothing of what is not a request: %.25j', async (bytes) => {
    const request = bytes.replace('CANARY', 'Canary').replace('HOST', new URL(site().url).host)
    const { status, text } = await exchange(site(), `${request}\r\nConnection: close\r\n\r\n`)
    expect(status).toBeGreaterThanOrEqual(400)
    expect(text + site().output()).not.toMatch(/canary/i)
  })

  it('did log that something was called', async () => {
    await expectUnharmed(site(), 0)
    expect(site().output()).toContain('"route":"404","status":404')
    expect(site().output()).not.toMatch(/canary/i)
  })
}
