import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, it } from 'vitest'
import { givenMetricsToken } from './metrics-token.ts'

const folder = mkdtempSync(join(tmpdir(), 'rsvp-token-'))
afterAll(() => rmSync(folder, { recursive: true }))
const TOKEN = 'twenty-characters-at-least'

function fileWith(text: string): string {
  const file = join(folder, 'token')
  writeFileSync(file, text)
  return file
}
const given = (metricsToken?: string, metricsTokenFile?: string) =>
  givenMetricsToken({ metricsToken, metricsTokenFile })

it('is none, that of the setting, or the first line of a file', async () => {
  expect(await given()).toBeUndefined()
  expect(await given(TOKEN)).toBe(TOKEN)
  for (const text of [TOKEN, `${TOKEN}\n`, `${TOKEN}\r\nsecond line`])
    expect(await given(undefined, fileWith(text))).toBe(TOKEN)
})

it.each([
  ['', 'cannot be used. Give at least 20 letters'],
  ['too short', 'cannot be used. Give at least 20 letters'],
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
