import { type ChildProcess, type StdioOptions, spawn } from 'node:child_process'
import { once } from 'node:events'
import { type IncomingHttpHeaders, request } from 'node:http'
import { connect } from 'node:net'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { afterAll, beforeAll, expect } from 'vitest'
import type { StoredRsvp } from '#db/values/rsvp.ts'
import { startBuiltServer } from '#testing/built-server.mjs'
import { freePort } from '#testing/free-port.mjs'
import { withOverrides } from '#testing/overrides.mjs'
import { openSharedSites } from '#testing/shared-sites.ts'
import { root } from '../../scripts/local-node.mjs'

/** `headers` go with every call: the cookie of who signed in. */
export type Site = Awaited<ReturnType<typeof startBuiltServer>> & { headers?: Record<string, string> }
export type Reply = { status: number; headers: IncomingHttpHeaders; body: string; bytes: Buffer }

/** Every call that is read by GET. */
export const READING_CALLS = [
  '/api/church',
  '/api/event',
  '/api/features',
  '/api/volunteer-roles',
  '/api/rsvps',
  '/api/rsvps?limit=1',
  '/api/rsvps/download',
  '/api/health',
]

/** A page without what is another each time it is drawn: the random key of its form, names of islands, the moment. */
export function withoutVariations(body = ''): string {
  return body
    .replace(/\b[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}\b/g, 'KEY')
    .replace(/ (uid|prefix)="\w+"/g, '')
    .replace(/\b1\d{12}\b/g, 'NOW')
    .replace(/As of \w+ \d+, \d{4} at \d+:\d\d [AP]M/g, 'As of TIME')
}

const BUILT_ENTRY = join(root, 'dist/server/entry.mjs')

/** Sites with other settings are wanted by one file alone: they stop with its block. */
const COMMON_SETTINGS = ['ADMIN_PASSWORD', 'RSVP_POST_LIMIT', 'LOG_LEVEL']
const shared = openSharedSites()
const inUse = new Set<string>()
// Vitest ends a process of tests so, once no file is left for it.
process.once('SIGTERM', () => {
  shared.kill()
  process.exit()
})

/**
 * The built server for the tests of a block, with an empty database. Blocks, also of several files, that want the same
 * one after the other share a process and its memory: a block about a fault uses `startBuiltServer()` instead.
 */
export function testSite(variables: Record<string, string> = {}): () => Site {
  const key = JSON.stringify(variables)
  const isCommon = Object.keys(variables).every((name) => COMMON_SETTINGS.includes(name))
  return siteOfBlock(async () => {
    if (!isCommon || inUse.has(key)) return startBuiltServer(variables)
    inUse.add(key)
    return { ...(await shared.take(variables)), stop: async () => void inUse.delete(key) }
  })
}

/** A site that no other block gets, e.g. because it becomes guarded. */
export function ownSite(variables: Record<string, string> = {}): () => Site {
  return siteOfBlock(() => startBuiltServer(variables))
}

function siteOfBlock(start: () => Promise<Site>): () => Site {
  let site: Site | undefined
  beforeAll(async () => {
    site = await start()
  })
  afterAll(async () => {
    await site?.stop()
  })
  return () => {
    if (site === undefined) throw new Error('It has not started.')
    return site
  }
}

export const FORM = { 'content-type': 'application/x-www-form-urlencoded' }

/** What is sent: a value as JSON, the fields of a form as a browser without JavaScript sends them, or bytes. */
export type Sent = {
  json?: unknown
  form?: Record<string, string> | string
  body?: string | Buffer
  headers?: Record<string, string>
}

/** Sends a call as in `GET /share`, and exactly the headers that it and its site are told to, unlike fetch. */
export function ask(site: Site, call: string, { json, form, body, headers = {} }: Sent = {}): Promise<Reply> {
  const [method, path] = call.split(' ')
  const sent = json !== undefined ? JSON.stringify(json) : form !== undefined ? String(new URLSearchParams(form)) : body
  const own = {
    ...(json !== undefined && { 'content-type': 'application/json' }),
    ...(form !== undefined && FORM),
    ...(sent !== undefined && { 'content-length': String(Buffer.byteLength(sent)) }),
  }
  return new Promise((resolve, reject) => {
    const outgoing = request(
      site.url,
      { method, path, headers: { ...own, ...site.headers, ...headers } },
      async (incoming) => {
        try {
          const bytes = Buffer.concat(await incoming.toArray())
          resolve({ status: incoming.statusCode ?? 0, headers: incoming.headers, body: bytes.toString(), bytes })
        } catch (error) {
          // The server broke off in the midst of it.
          reject(error)
        }
      },
    )
    outgoing.on('error', reject).end(sent)
  })
}

/** Opens a connection, writes the bytes as they are and reads until the server closes it. `ms` says how long it took. */
export function exchange(site: Site, bytes: string | Buffer): Promise<{ status: number; text: string; ms: number }> {
  const started = performance.now()
  return new Promise((resolve, reject) => {
    let text = ''
    const { hostname, port } = new URL(site.url)
    const socket = connect(Number(port), hostname.replace(/[[\]]/g, ''), () => socket.write(bytes))
    socket.setTimeout(120_000, () => socket.destroy(new Error('The server neither replies nor closes the connection.')))
    socket.setEncoding('latin1').on('data', (part) => {
      text += part
    })
    // A server that has replied may cut off what is still being sent.
    socket.on('error', (error) => text === '' && reject(error))
    socket.on('close', () => {
      const status = Number(/^HTTP\/1\.1 (\d{3})/.exec(text)?.[1] ?? 0)
      resolve({ status, text, ms: performance.now() - started })
    })
  })
}

/** @param headers where the site is guarded, the cookie of an administrator. */
export async function storedRsvps(site: Site, headers: Record<string, string> = {}): Promise<StoredRsvp[]> {
  return JSON.parse((await ask(site, 'GET /api/rsvps', { headers })).body)
}

/** The random key in the form of a page, by which a second press is known. */
export function formKeyIn({ body }: Pick<Reply, 'body'>): string | undefined {
  return /name="formKey" value="([\w-]{36})"/.exec(body)?.[1]
}

/** The cookies that a reply sets, as a browser sends those for this path back. */
export function cookieFor(path: string, { headers }: Reply): string {
  const set = headers['set-cookie']?.filter((cookie) => cookie.includes(`Path=${path};`)) ?? []
  return set.map((cookie) => cookie.split(';', 1)[0]).join('; ')
}

/** Runs `rsvp` on the database of a site, as an administrator does in a terminal while it is serving. */
export async function runRsvp(on: Site | string, words: string[], input = ''): Promise<void> {
  const DATABASE_URL = typeof on === 'string' ? on : `file:${join(on.folder, 'rsvp.db')}`
  const command = spawn(join(root, 'cli', 'rsvp'), words, { env: { ...withOverrides(), DATABASE_URL } })
  command.stdin.end(input)
  expect([words, ...(await once(command, 'close'))]).toEqual([words, 0, null])
}

/** The scripts and styles of the public page. */
export async function assetPaths(site: Site): Promise<string[]> {
  const { body } = await ask(site, 'GET /share')
  return Array.from(new Set(body.match(/\/assets\/[\w.-]+\.(js|css)/g)))
}

/** Still serving, with as many responses stored as expected, and nothing in the log that calls itself a bug. */
export async function expectUnharmed(site: Site, stored: number, headers: Record<string, string> = {}): Promise<void> {
  expect((await ask(site, 'GET /share')).status).toBe(200)
  expect(await storedRsvps(site, headers)).toHaveLength(stored)
  expect(site.output()).not.toContain('unexpected error')
}

/** No stack, no path of this machine, no SQL. */
export function expectNothingRevealed(text: string): void {
  // The words of SQL, unless a tag stands between them: a page has buttons that delete and says what is set.
  expect(text).not.toMatch(
    /\n\s+at |node_modules|\.m?[jt]s:\d|\bSQL|\b(select|insert|delete|update)\b[^<>\n]+\b(from|into|set)\b/i,
  )
  expect(text).not.toContain(root)
}

/** A reply that says in problem+json what to do. */
export function expectProblem({ status, headers, body }: Reply, expected: number): void {
  expect({ status, body }).toMatchObject({ status: expected })
  expect(headers['content-type']).toMatch(/^application\/problem\+json/)
  expect(headers['cache-control']).toBe('no-store')
  expect(JSON.parse(body)).toMatchObject({
    status: expected,
    title: expect.any(String),
    detail: expect.stringMatching(/\.$/),
  })
  expect(body).not.toContain('Invalid input')
  expectNothingRevealed(body)
}

/**
 * The server as a process, for tests of its start and its end. It gets these settings, and of this process only the
 * overrides of every test and the code that others have compiled (NODE_OPTIONS, NODE_COMPILE_CACHE).
 */
export function spawnServer(
  variables: Record<string, string>,
  stdio: StdioOptions = 'pipe',
  [command, ...words]: [string, ...string[]] = [process.execPath, BUILT_ENTRY],
) {
  const child: ChildProcess = spawn(command, words, {
    cwd: '/',
    stdio,
    env: { NODE_ENV: 'production', LOG_LEVEL: 'warn', ...withOverrides(), ...variables },
  })
  const printed = { stdout: '', stderr: '' }
  child.stdout?.setEncoding('utf8').on('data', (text) => (printed.stdout += text))
  child.stderr?.setEncoding('utf8').on('data', (text) => (printed.stderr += text))
  const ended = new Promise<{ code: number | null }>((resolve) => child.once('close', (code) => resolve({ code })))
  return { child, printed, ended }
}

/** Starts such a process on a free port and returns once it says that it is ready. */
export async function startAt(DATABASE_URL: string) {
  const port = await freePort()
  const server = spawnServer({ PORT: String(port), DATABASE_URL })
  while (!server.printed.stdout.includes('\n')) await wait(10)
  return { ...server, port, url: `http://127.0.0.1:${port}` }
}
