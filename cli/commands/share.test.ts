import { encode } from 'uqr'
import { expect, it } from 'vitest'
import { rsvp } from '../fixtures.ts'

const note = 'Only this computer can open it: set PUBLIC_URL to the address that people use.\n'
const link = 'https://rsvp.example.org/share'
// It needs no database; this one could not be opened.
const share = (words: string[], PUBLIC_URL: string) =>
  rsvp('file:/nonexistent/rsvp.db', ['share', ...words], { env: { PUBLIC_URL, PORT: '4567' } })

it.each<[string[], string, number, string | RegExp, string | RegExp]>([
  [[], 'https://rsvp.example.org/', 0, `${link}\n`, ''],
  [[], '', 0, 'http://localhost:4567/share\n', note],
  [[], 'rsvp.example.org/x', 78, '', /^PUBLIC_URL is not the address of a site\. [^\n]+\n$/],
])('rsvp share %j with PUBLIC_URL=%s', async (words, PUBLIC_URL, code, stdout, stderr) => {
  const like = (text: string | RegExp) => (typeof text === 'string' ? text : expect.stringMatching(text))
  expect(await share(words, PUBLIC_URL)).toMatchObject({ code, stdout: like(stdout), stderr: like(stderr) })
})

it('rsvp share --qr draws the code with half blocks, bright around dark, as cameras want it', async () => {
  const { stdout } = await share(['--qr'], 'https://rsvp.example.org/')
  const [first, ...drawing] = stdout.trimEnd().split('\n')
  expect(first).toBe(link)
  const rows = drawing.flatMap((line) => [
    Array.from(line, (character) => !'█▀'.includes(character)),
    Array.from(line, (character) => !'█▄'.includes(character)),
  ])
  const { data, size } = encode(link, { border: 2 })
  expect(rows.slice(0, size)).toEqual(data)
})
