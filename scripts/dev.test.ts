import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it, onTestFinished, vi } from 'vitest'
import { root } from './local-node.mjs'
import { freePort } from './testing/free-port.mjs'

it('serves the sources with samples, stores an RSVP that is sent, and refuses other sites', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'rsvp-dev-'))
  const { PATH, HOME } = process.env
  const env = { PATH, HOME, PORT: String(await freePort()), NO_COLOR: '1', PUBLIC_URL: 'https://rsvp.example.org' }
  const dev = spawn('npm', ['run', 'dev', '--', join(folder, 'dev.db')], { cwd: root, env })
  onTestFinished(async () => {
    dev.kill()
    await once(dev, 'close')
    rmSync(folder, { recursive: true })
  })
  let output = ''
  for (const stream of [dev.stdout, dev.stderr]) stream.on('data', (text) => (output += text))
  const url = await vi.waitFor(() => {
    const [address] = /http:\/\/127\.0\.0\.1:\d+/.exec(output) ?? []
    if (address === undefined) throw new Error(output)
    return address
  })

  const sample = '@sample.example'
  expect(await (await fetch(`${url}/admin?week=all`)).text()).toContain(sample)
  const body = new URLSearchParams({ name: 'Ana Cole', email: 'ana@cole.example', attending: 'true' })
  const send = (origin: string) => fetch(`${url}/api/rsvp`, { method: 'POST', body, headers: { origin } })
  expect((await send('http://localhost:3000')).status).toBe(403)
  expect(await (await send(url)).text()).toContain('Thank you, Ana')
  expect(await (await fetch(`${url}/admin?week=all`)).text()).toContain('ana@cole.example')
  expect((await fetch(`${url}/share`, { headers: { 'x-forwarded-for': '203.0.113.1' } })).status).toBe(421)
})
