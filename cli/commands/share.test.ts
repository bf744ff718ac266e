import jsQR from 'jsqr'
import { describe, expect, it } from 'vitest'
import { rsvp, rsvpDrawn } from '../fixtures.ts'

const note = 'Only this computer can open it: set PUBLIC_URL to the address that people use.\n'
const publicLink = 'https://rsvp.example.org/share'
const known = { PUBLIC_URL: 'https://rsvp.example.org/' }
/** Also what a developer's own .env would set. */
const unknown = { PUBLIC_URL: '', PORT: '4567' }
/** It needs no database; this one could not be opened. */
const noDatabase = 'file:/nonexistent/rsvp.db'

const share = (words: string[], env: Record<string, string>) => rsvp(noDatabase, ['share', ...words], { env })

/** Reads a code drawn with half blocks, where a block is bright, as a phone does: dark on bright, never turned around. */
function scanned(drawing: string): string | undefined {
  const pixels = drawing
    .split('\n')
    .flatMap((line) => [
      Array.from(line, (character) => character === '█' || character === '▀'),
      Array.from(line, (character) => character === '█' || character === '▄'),
    ])
  const scale = 4
  const width = Math.max(...pixels.map((row) => row.length))
  const image = new Uint8ClampedArray(width * scale * pixels.length * scale * 4).map((_, position) => {
    const pixel = Math.floor(position / 4)
    const row = Math.floor(pixel / (width * scale) / scale)
    const column = Math.floor((pixel % (width * scale)) / scale)
    return position % 4 === 3 || pixels[row]?.[column] ? 255 : 0
  })
  return jsQR(image, width * scale, pixels.length * scale, { inversionAttempts: 'dontInvert' })?.data
}

describe('rsvp share', () => {
  it('prints the link that is made of PUBLIC_URL, and nothing else, also as JSON', async () => {
    expect(await share([], known)).toEqual({ code: 0, signal: null, stdout: `${publicLink}\n`, stderr: '' })
    expect(JSON.parse((await share(['--json', '--qr'], known)).stdout)).toEqual({ link: publicLink })
  })

  it('prints the link of this computer without it, with a note beside', async () => {
    const stdout = 'http://localhost:4567/share\n'
    expect(await share([], unknown)).toEqual({ code: 0, signal: null, stdout, stderr: note })
    expect(await share(['--quiet'], unknown)).toEqual({ code: 0, signal: null, stdout, stderr: '' })
  })

  it('names what is wrong with PUBLIC_URL', async () => {
    const { code, stdout, stderr } = await share([], { PUBLIC_URL: 'rsvp.example.org/x' })
    expect({ code, stdout }).toEqual({ code: 78, stdout: '' })
    expect(stderr).toMatch(/^PUBLIC_URL is not the address of a site\. [^\n]+\n$/)
  })
})

describe('rsvp share --qr', () => {
  it('draws in a pipe a code that can be scanned, also of a long link', async () => {
    const PUBLIC_URL = `https://${'the-whole-parish.'.repeat(6)}example.org`
    for (const place of [known.PUBLIC_URL, PUBLIC_URL]) {
      const { stdout } = await share(['--qr'], { PUBLIC_URL: place })
      const [first, ...drawing] = stdout.trimEnd().split('\n')
      expect(first).toBe(new URL('/share', place).href)
      expect(scanned(drawing.join('\n'))).toBe(first)
      expect(stdout).not.toContain('\u001b')
    }
  })

  it.each(['', '1'])('draws it in a terminal, bright on dark unless NO_COLOR=%s', async (NO_COLOR) => {
    const terminal = await rsvpDrawn(noDatabase, ['share', '--qr'], { env: { ...known, NO_COLOR } })
    const [first, ...drawing] = terminal.screen().split('\n')
    expect([first, scanned(drawing.join('\n'))]).toEqual([publicLink, publicLink])
    if (NO_COLOR !== '') expect(terminal.raw()).not.toContain('\u001b[')
    else for (const line of drawing) expect(terminal.raw()).toContain(`\u001b[97;40m${line}\u001b[0m`)
  })
})
