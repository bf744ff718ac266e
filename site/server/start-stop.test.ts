import { mkdirSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { afterAll, describe, expect, it } from 'vitest'
import { testRsvp } from '#db/fixtures.ts'
import { startBuiltServer } from '../../scripts/built-server.mjs'
import { freePort } from '../../scripts/free-port.mjs'
import { spawnServer, storedRsvps } from './fixtures.ts'

const folder = mkdtempSync(join(tmpdir(), 'rsvp-start-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

/** Starts it and answers its address once it says that it is ready. */
async function started(DATABASE_URL: string) {
  const server = spawnServer({ PORT: String(await freePort()), DATABASE_URL })
  while (!server.printed.stdout.includes('\n')) await wait(10)
  return { ...server, url: server.printed.stdout.trim().split(' ').at(-1)?.replace('localhost', '127.0.0.1') ?? '' }
}

async function refused(variables: Record<string, string>): Promise<string[]> {
  const { ended, printed } = spawnServer({ PORT: '0', DATABASE_URL: `file:${join(folder, 'unused.db')}`, ...variables })
  expect(await ended).toEqual({ code: 78 })
  expect(printed.stdout).toBe('')
  expect(printed.stderr).not.toMatch(/\n\s+at /)
  return printed.stderr.trimEnd().split('\n')
}

describe('the start', () => {
  it('says one line, its address', async () => {
    const { child, ended, printed, url } = await started(`file:${join(folder, 'one-line.db')}`)
    expect(printed).toEqual({
      stdout: `The RSVP site is ready at ${url.replace('127.0.0.1', 'localhost')}\n`,
      stderr: '',
    })
    child.kill('SIGINT')
    expect(await ended).toEqual({ code: 0 })
  })

  it('names every wrong setting at once', async () => {
    const lines = await refused({
      PORT: '99999',
      DATABASE_URL: 'mysql://x',
      LOG_LEVEL: 'loud',
      PUBLIC_URL: 'example.org/x',
      RSVP_ACCESS: 'yes',
    })
    expect(lines.map((line) => line.split(' ')[0]).sort()).toEqual([
      'DATABASE_URL',
      'LOG_LEVEL',
      'PORT',
      'PUBLIC_URL',
      'RSVP_ACCESS',
    ])
    for (const line of lines) expect(line).toMatch(/^[A-Z_]+ (is|can) .+\.$/)
  })

  it('ends when the port is taken, in a sentence', async () => {
    const other = createServer().listen(0, '127.0.0.1')
    await wait(10)
    const address = other.address()
    const port = typeof address === 'object' ? String(address?.port) : ''
    expect(await refused({ PORT: port })).toEqual([
      `Cannot listen on 127.0.0.1, port ${port} (EADDRINUSE). Choose another PORT or HOST, or stop what uses it.`,
    ])
    other.close()
  })

  it('ends when the database is a folder', async () => {
    const path = join(folder, 'folder')
    mkdirSync(path)
    expect((await refused({ DATABASE_URL: `file:${path}` })).join()).toContain(path)
  })

  it.each([
    ['a text', 'Dear diary'],
    ['a long text', 'x'.repeat(20_000)],
    ['damaged from the start', `SQLite format 3\0${'x'.repeat(8_000)}`],
  ])('ends when the database is %s, and leaves it as it is', async (_, text) => {
    const path = join(folder, 'diary.txt')
    writeFileSync(path, text)
    expect((await refused({ DATABASE_URL: `file:${path}` })).join()).toContain(path)
    expect(readFileSync(path, 'utf8')).toBe(text)
  })

  it('ends when the folder cannot be made', async () => {
    const path = join(folder, 'diary.txt', 'rsvp.db')
    expect((await refused({ DATABASE_URL: `file:${path}` })).join()).toContain(path)
  })

  it('ends when the database server does not answer, without showing its password', async () => {
    const port = await freePort()
    const text = (
      await refused({ DATABASE_URL: `http://me:s3cret@127.0.0.1:${port}`, DATABASE_AUTH_TOKEN: 's3cret' })
    ).join()
    expect(text).toContain(`http://127.0.0.1:${port}`)
    expect(text).not.toContain('s3cret')
  })

  it('makes folder and file for this account only, and keeps what is stored for the next start', async () => {
    const path = join(folder, 'new', 'deep', 'rsvp.db')
    const umask = process.umask(0)
    const first = await started(`file:${path}`)
    process.umask(umask)
    const answer = await fetch(`${first.url}/api/rsvp`, {
      method: 'POST',
      body: JSON.stringify(testRsvp()),
      headers: { 'Content-Type': 'application/json' },
    })
    expect(answer.status).toBe(201)
    expect(statSync(join(folder, 'new')).mode & 0o777).toBe(0o700)
    expect(statSync(join(folder, 'new', 'deep')).mode & 0o777).toBe(0o700)
    expect(statSync(path).mode & 0o777).toBe(0o600)
    first.child.kill('SIGTERM')
    expect(await first.ended).toEqual({ code: 0 })

    const second = await startBuiltServer({ DATABASE_URL: `file:${path}` })
    expect(await storedRsvps(second)).toMatchObject([{ id: 1, name: 'Ana Cole' }])
    await second.stop()
  })
})

describe('the end', () => {
  it('comes after everything in flight is answered and stored', async () => {
    const path = join(folder, 'busy.db')
    const { child, ended, url } = await started(`file:${path}`)
    const { host, port } = new URL(url)
    const json = JSON.stringify(testRsvp())
    const answers = await Promise.all(
      Array.from({ length: 20 }, async () => {
        const socket = connect(Number(port), '127.0.0.1')
        const parts = socket.setEncoding('utf8').toArray()
        socket.write(
          `POST /api/rsvp HTTP/1.1\r\nHost: ${host}\r\nContent-Type: application/json\r\nContent-Length: ${json.length}\r\n\r\n${json.slice(0, 9)}`,
        )
        await wait(100)
        return { finish: () => socket.write(json.slice(9)), text: parts.then((all) => all.join('')) }
      }),
    )
    const told = performance.now()
    child.kill('SIGTERM')
    await wait(200)
    for (const { finish } of answers) finish()
    for (const { text } of answers) expect(await text).toMatch(/^HTTP\/1\.1 201/)
    expect(await ended).toEqual({ code: 0 })
    expect(performance.now() - told).toBeLessThan(10_000)
    const again = await startBuiltServer({ DATABASE_URL: `file:${path}` })
    expect(await storedRsvps(again)).toHaveLength(20)
    await again.stop()
  })

  it('does not wait for connections that only lie open', async () => {
    const { child, ended, url } = await started(`file:${join(folder, 'idle.db')}`)
    await fetch(`${url}/share`)
    const idle = connect(Number(new URL(url).port), '127.0.0.1')
      .on('error', () => {})
      .resume()
    await wait(50)
    const told = performance.now()
    child.kill('SIGTERM')
    expect(await ended).toEqual({ code: 0 })
    expect(performance.now() - told).toBeLessThan(2_000)
    idle.destroy()
  })
})
