import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'
import { givenMetricsToken, openMetricsAccess } from './access.ts'

const TOKEN = 'twenty-characters-at-least'

function asked(remoteAddress: string | undefined, headers: Record<string, string> = {}) {
  const host = 'localhost:4321'
  const sent = { host, ...headers }
  const rawHeaders = Object.entries(sent).flat()
  return { method: 'GET', url: '/metrics', httpVersion: '1.1', headers: sent, rawHeaders, socket: { remoteAddress } }
}

describe('who may read the metrics', () => {
  const access = openMetricsAccess(TOKEN, 'https://rsvp.example.org')
  const withoutToken = openMetricsAccess(undefined, undefined)

  it.each([
    ['127.0.0.1', true],
    ['::1', true],
    ['::ffff:127.0.0.1', true],
    ['10.0.0.1', false],
    ['::ffff:10.0.0.1', false],
    ['', false],
    [undefined, false],
  ])('from %s, asking for localhost, is allowed: %s', (address, expected) => {
    expect(access(asked(address))).toBe(expected)
    expect(withoutToken(asked(address))).toBe(expected)
  })

  it.each([
    [`Bearer ${TOKEN}`, true],
    [`bearer  ${TOKEN} `, true],
    [`Bearer ${TOKEN.slice(1)}`, false],
    [`Basic ${TOKEN}`, false],
    [TOKEN, false],
    ['Bearer', false],
  ])('from elsewhere with %j is allowed: %s', (authorization, expected) => {
    expect(access(asked('203.0.113.7', { authorization }))).toBe(expected)
    expect(withoutToken(asked('203.0.113.7', { authorization }))).toBe(false)
  })
})

const folder = mkdtempSync(join(tmpdir(), 'rsvp-token-'))
afterAll(() => rmSync(folder, { recursive: true }))

function fileWith(text: string): string {
  const file = join(folder, 'token')
  writeFileSync(file, text)
  return file
}
const given = (metricsToken?: string, metricsTokenFile?: string) =>
  givenMetricsToken({ metricsToken, metricsTokenFile })

describe('the token of the metrics', () => {
  it('is none, that of the setting, or the first line of a file', async () => {
    expect(await given()).toBeUndefined()
    expect(await given(TOKEN)).toBe(TOKEN)
    for (const text of [TOKEN, `${TOKEN}\n`, `${TOKEN}\r\nsecond line`])
      expect(await given(undefined, fileWith(text))).toBe(TOKEN)
  })

  it.each([
    ['', 'cannot be used. Give at least 20 letters'],
    ['with blanks it is not one token', 'cannot be used. Give at least 20 letters'],
  ])('is not %j', async (text, sentence) => {
    const file = fileWith(text)
    const error = await given(undefined, file).catch((reason) => reason)
    expect(error).toMatchObject({ code: 'configuration', message: expect.stringContaining(sentence) })
    expect(error.message).toMatch(/^The first line of .*token \(METRICS_TOKEN_FILE\) /)
    if (text !== '') expect(error.message).not.toContain(text)
  })

  it('says which of two counts, and which file is missing', async () => {
    await expect(given(TOKEN, fileWith(TOKEN))).rejects.toThrow('Give METRICS_TOKEN or METRICS_TOKEN_FILE, not both.')
    await expect(given(undefined, join(folder, 'nope'))).rejects.toThrow(/cannot be read \(ENOENT\)\. Check/)
  })
})
