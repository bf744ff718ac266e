import { expect, it } from 'vitest'
import { rsvp } from '../fixtures.ts'

const note = 'Only this computer can open it: set PUBLIC_URL to the address that people use.\n'
const link = 'https://rsvp.example.org/share\n'

it.each<[string[], string, number, string | RegExp, string | RegExp]>([
  [[], 'https://rsvp.example.org/', 0, link, ''],
  [['--qr'], 'https://rsvp.example.org/', 0, /^https:\S+\n(?:[ █▀▄]{29}\n){10,}$/, ''],
  [[], '', 0, 'http://localhost:4567/share\n', note],
  [[], 'rsvp.example.org/x', 78, '', /^PUBLIC_URL is not the address of a site\. [^\n]+\n$/],
])('rsvp share %j with PUBLIC_URL=%s', async (words, PUBLIC_URL, code, stdout, stderr) => {
  const like = (text: string | RegExp) => (typeof text === 'string' ? text : expect.stringMatching(text))
  // It needs no database; this one could not be opened.
  const ended = await rsvp('file:/nonexistent/rsvp.db', ['share', ...words], { env: { PUBLIC_URL, PORT: '4567' } })
  expect(ended).toMatchObject({ code, stdout: like(stdout), stderr: like(stderr) })
})
