import { execFileSync } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import {
  existsSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  utimesSync,
  writeFileSync,
} from 'node:fs'
import { createServer, type RequestListener } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { readConfig } from '#db/config/config.ts'
import { startS3Server } from '../../../scripts/testing/s3-server.mjs'
import { openPlace } from './open-place.ts'
import { untilSilent } from './place.ts'

const folder = mkdtempSync(join(tmpdir(), 'rsvp-places-'))
const away = join(folder, 'away')
const [file, back] = [join(folder, 'file'), join(folder, 'back')]
const content = randomBytes(300_000)
const name = 'rsvp-2026-11-21T02-30-00.000Z.3-3-3.db.age'
const { signal } = new AbortController()
let storage: Awaited<ReturnType<typeof startS3Server>>

beforeAll(async () => {
  storage = await startS3Server('copies')
  writeFileSync(file, content)
})
afterAll(async () => {
  await storage.stop()
  rmSync(folder, { recursive: true, force: true })
})

const open = (variables: Record<string, string>, around = {}) =>
  openPlace(readConfig(variables).copies, { signal, env: {}, ...around })
const inFolder = (path = away) => open({ BACKUP_COPY_TO: path })
const inStorage = (variables = {}) =>
  open({ BACKUP_COPY_TO: 's3://copies/sites/grace', ...storage.settings, ...variables })

describe.each([
  ['a folder', () => inFolder()],
  ['a storage', () => inStorage()],
])('%s', (_, place) => {
  it('has nothing at first', async () => {
    expect(await (await place()).list()).toEqual([])
  })

  it('gives back what was sent, and replaces it', async () => {
    const { send, fetch, list } = await place()
    writeFileSync(file, 'half')
    await send(file, name)
    writeFileSync(file, content)
    await send(file, name)
    expect(await list()).toEqual([{ name, bytes: content.length }])
    writeFileSync(back, '')
    await fetch(name, back)
    expect(readFileSync(back).equals(content)).toBe(true)
  })

  it('removes what it is told to, and nothing else', async () => {
    const { send, remove, list } = await place()
    for (const other of ['notes.txt', 'a & b <c>.txt']) await send(file, other)
    await remove([name])
    expect((await list()).map((found) => found.name).toSorted()).toEqual(['a & b <c>.txt', 'notes.txt'])
  })
})

describe('a folder', () => {
  it('is private, and what is in it too', async () => {
    const { send } = await inFolder()
    await send(file, name)
    expect(statSync(away).mode & 0o777).toBe(0o700)
    expect(statSync(join(away, name)).mode & 0o777).toBe(0o600)
  })

  it('loses what was left behind by a process that was killed', async () => {
    const left = join(away, `.${name}.rsvp-00000000-1.b2a3b2a3-0000-4000-8000-b2a3b2a3b2a3.tmp`)
    writeFileSync(left, 'half')
    utimesSync(left, 0, 0)
    await (await inFolder()).send(file, name)
    expect(existsSync(left)).toBe(false)
  })

  it.each([
    [
      'whose disk is not mounted',
      join(folder, 'gone', 'away'),
      /gone\/away cannot be used: it is not there \(ENOENT\)/,
    ],
    ['that is a file', file, /file cannot be used: the system says ENOTDIR\. Grant/],
  ])('%s cannot be used, in a sentence', async (__, path, message) => {
    const refused = { code: 'unavailable', message: expect.stringMatching(message) }
    await expect((await inFolder(path)).list()).rejects.toMatchObject(refused)
  })

  it('whose disk never replies is given up', async () => {
    const pipe = join(away, 'pipe.age')
    execFileSync('mkfifo', [pipe])
    let left = 0
    const around = { silenceMs: 100, leftBehind: () => (left += 1) }
    const { fetch } = await open({ BACKUP_COPY_TO: away }, around)
    // Opening it waits for whoever writes into it.
    await expect(fetch('pipe.age', back)).rejects.toMatchObject({
      code: 'unavailable',
      message: `${away} cannot be used: it said nothing for 1 s. Check that it is reachable, then try again.`,
    })
    expect(left).toBe(1)
    writeFileSync(pipe, '')
    rmSync(pipe)
  })

  it('whose disk is slow is not given up while something arrives', async () => {
    const around = { signal: new AbortController().signal, env: {}, silenceMs: 200, leftBehind: () => {} }
    const arrived = await untilSilent(away, around, async (moved) => {
      for (let piece = 1; piece <= 4; piece++) await delay(100).then(moved)
      return 'all of it'
    })
    expect(arrived).toBe('all of it')
  })

  it('that ends in the middle leaves nothing half there', async () => {
    const stopping = new AbortController()
    const { send } = await open({ BACKUP_COPY_TO: away }, { signal: stopping.signal })
    const before = readdirSync(away)
    const sending = send(file, 'other.age')
    stopping.abort(new Error('stopped'))
    await expect(sending).rejects.toThrow('stopped')
    expect(readdirSync(away)).toEqual(before)
  })
})

describe('a storage', () => {
  // The server of these tests cannot: it would encrypt what a reply says of the next one with DES, which is gone.
  it('can have more files than one reply lists', async () => {
    const page = (key: string, more: string) =>
      `<ListBucketResult><Contents><Key>sites/grace/${key}</Key><Size>7</Size></Contents>${more}</ListBucketResult>`
    const more = '<IsTruncated>true</IsTruncated><NextContinuationToken>a&amp;b+/=</NextContinuationToken>'
    const asked: (string | null)[] = []
    await withServer(
      ({ url }, response) => {
        const token = new URL(url ?? '', 'http://localhost').searchParams.get('continuation-token')
        asked.push(token)
        response.end(token === null ? page('one', more) : page('two', '<IsTruncated>false</IsTruncated>'))
      },
      async (variables) => {
        const { list } = await inStorage(variables)
        expect(await list()).toEqual(['one', 'two'].map((name) => ({ name, bytes: 7 })))
      },
    )
    expect(asked).toEqual([null, 'a&b+/='])
  })

  it.each([
    ['without a key', { AWS_SECRET_ACCESS_KEY: '' }, /^s3:\/\/copies\/sites\/grace needs AWS_ACCESS_KEY_ID and/],
    [
      'with an unknown key',
      { AWS_ACCESS_KEY_ID: 'none' },
      /it refuses the access key \(status 403, InvalidAccessKeyId\)/,
    ],
    ['without the bucket', { BACKUP_COPY_TO: 's3://missing' }, /there is no bucket missing\. Make it/],
  ])('%s cannot be used, in a sentence that holds no key', async (__, variables, message) => {
    const listed = inStorage(variables).then(({ list }) => list())
    await expect(listed).rejects.toMatchObject({ message: expect.stringMatching(message) })
    await expect(listed).rejects.toMatchObject({ message: expect.not.stringContaining('S3RVER') })
  })

  it.each([
    ['is full', 507, '', /: it is full\. Make room/],
    ['fails', 500, '<Error><Code>Internal</Code></Error>', /it replies with status 500, Internal\. Try/],
  ])('that %s while something is sent says so', async (__, status, reply, message) => {
    await withServer(
      (request, response) => request.resume().on('end', () => response.writeHead(status).end(reply)),
      async (variables) => {
        const { send } = await inStorage(variables)
        await expect(send(file, name)).rejects.toMatchObject({ message: expect.stringMatching(message) })
      },
    )
  })

  it.each(['list', 'send'] as const)('that is silent is given up, at a %s', async (work) => {
    await withServer(
      () => {},
      async (variables) => {
        const around = { silenceMs: 100 }
        const place = await open({ BACKUP_COPY_TO: 's3://copies', ...storage.settings, ...variables }, around)
        await expect(work === 'list' ? place.list() : place.send(file, name)).rejects.toMatchObject({
          code: 'unavailable',
          message: 's3://copies cannot be used: it said nothing for 1 s. Check that it is reachable, then try again.',
        })
      },
    )
  })

  it('that breaks off while something is fetched says so', async () => {
    await withServer(
      (_request, response) => {
        response.writeHead(200, { 'content-length': '1000' }).write('half')
        setTimeout(() => response.destroy(), 50)
      },
      async (variables) => {
        const { fetch } = await inStorage(variables)
        await expect(fetch(name, back)).rejects.toMatchObject({
          code: 'unavailable',
          message: expect.stringMatching(/the connection failed \(E/),
        })
      },
    )
  })
})

/** A server that does nothing but what no real one can be made to do. */
async function withServer(
  reply: RequestListener,
  work: (variables: Record<string, string>) => Promise<void>,
): Promise<void> {
  const server = createServer().on('request', reply).listen(0, '127.0.0.1')
  await new Promise((resolve) => server.once('listening', resolve))
  try {
    await work({ AWS_ENDPOINT_URL_S3: `http://127.0.0.1:${(server.address() as AddressInfo).port}` })
  } finally {
    server.closeAllConnections()
    server.close()
  }
}
