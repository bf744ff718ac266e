import { once } from 'node:events'
import { connect } from 'node:net'
import { beforeAll, describe, expect, it } from 'vitest'
import { testPicture } from '#db/church-fixtures.ts'
import { eventually } from './faults/fixtures.ts'
import { ask, expectProblem, type Reply } from './fixtures.ts'
import { administeredSite, asVisitor, inSiteDatabase } from './guarded-fixtures.ts'
import { expectSecurityHeaders } from './header-fixtures.ts'

const CALL = 'PUT /api/church/picture'
const LIMIT = 15 * 1024 * 1024
const FOREVER = 'public, max-age=31536000, immutable'
const site = administeredSite()
const see = (path: string) => ask(asVisitor(site()), `GET ${path}`)

describe('the accent', () => {
  it('is on every page, and the usual one where none was chosen', async () => {
    const accentOf = async (path: string) => /<html [^>]*data-accent="(\w+)"/.exec((await see(path)).body)?.[1]
    const pages = ['/', '/share', '/privacy', '/answer', '/nope', '/admin']
    for (const path of pages) expect([path, await accentOf(path)]).toEqual([path, 'plum'])
    inSiteDatabase(site(), (database) => database.exec("INSERT INTO churches (accent) VALUES ('teal')"))
    for (const path of pages) expect([path, await accentOf(path)]).toEqual([path, 'teal'])
  })
})

describe('the picture of the church', () => {
  let picture: Buffer
  beforeAll(async () => {
    picture = await testPicture({ width: 2000, height: 1200 })
  })

  const put = (body: Buffer, type = 'image/jpeg') => ask(site(), CALL, { body, headers: { 'content-type': type } })

  it('is uploaded by an administrator and served to all at addresses that never change', async () => {
    const reply = await put(picture)
    expect(reply.status).toBe(200)
    const { hash, sizes } = JSON.parse(reply.body).picture
    expect(sizes.map(({ width }: { width: number }) => width)).toEqual([800, 1600])
    for (const { width } of sizes) {
      const path = `/church/picture/${hash}-${width}.jpg`
      const { status, headers, bytes } = await see(path)
      expect([status, headers['content-type'], headers['cache-control']]).toEqual([200, 'image/jpeg', FOREVER])
      expect(Number(headers['content-length'])).toBe(bytes.length)
      expect(bytes.subarray(0, 3)).toEqual(Buffer.from([0xff, 0xd8, 0xff]))
      // Among them nosniff, and a policy by which nothing in it could run.
      expectSecurityHeaders({ ...headers, 'cross-origin-resource-policy': 'same-origin' })
      expect(await ask(asVisitor(site()), `HEAD ${path}`)).toMatchObject({ status: 200, body: '' })
    }
    const { body } = await see('/api/church')
    expect(JSON.parse(body).picture).toEqual({ hash, sizes })
    for (const name of [`${hash}-801.jpg`, `${hash}.jpg`, '0123456789abcdef-800.jpg', `${hash}-800.png`])
      expect([name, (await see(`/church/picture/${name}`)).status]).toEqual([name, 404])
    const removed = await ask(site(), 'DELETE /api/church/picture')
    expect([removed.status, JSON.parse(removed.body).picture]).toEqual([200, null])
    expectProblem(await see(`/church/picture/${hash}-800.jpg`), 404)
  })

  it.each<[string, () => Promise<Reply>, number, RegExp]>([
    ['another type', () => put(picture, 'text/plain'), 415, /^Send the picture as it is/],
    ['an SVG that says it is a JPEG', () => put(Buffer.from('<svg/>')), 415, /Save it as JPEG/],
  ])('refuses %s', async (_, send, status, detail) => {
    const reply = await send()
    expectProblem(reply, status)
    expect(JSON.parse(reply.body).detail).toMatch(detail)
  })

  it('is refused to all others, and where it is too large, before any of it is read', async () => {
    const own = `Cookie: ${site().headers?.cookie}\r\n`
    const sent: [string, number?][] = [
      [''],
      [`Cookie: rsvp-session=${'a'.repeat(43)}\r\n`],
      [`${own}Origin: https://evil.example\r\n`],
      [own, LIMIT + 1],
    ]
    const replies = await Promise.all(
      sent.map(([headers, bytes]) => beginningOf(announced(headers, 'Connection: close', bytes))),
    )
    expect(replies.map((text) => text.slice(9, 12))).toEqual(['401', '401', '403', '413'])
    expect(replies.at(-1)).toContain('at most 15 MB.')
  })

  it('is held in memory once at most', async () => {
    const held = await hold()
    await eventually(async () => {
      const other = await put(picture)
      expectProblem(other, 503)
      expect(other.body).toContain('Another picture is being sent just now.')
    })
    held.destroy()
    await eventually(async () => expect((await put(picture)).status).toBe(200))
  })

  /** The head of a request with so large a picture, by default the largest. */
  function announced(headers: string, last: string, bytes = LIMIT): string {
    const length = `Content-Type: image/jpeg\r\nContent-Length: ${bytes}\r\n${last}\r\n`
    return `PUT /api/church/picture HTTP/1.1\r\nHost: ${new URL(site().url).host}\r\n${headers}${length}\r\n`
  }

  /** The reply that comes while nothing of the body was sent. The connection would stay open until all of it is. */
  async function beginningOf(head: string): Promise<string> {
    const { hostname, port } = new URL(site().url)
    const socket = connect(Number(port), hostname).setEncoding('utf8')
    socket.write(head)
    let text = ''
    while (!text.endsWith('}')) text += (await once(socket, 'data')).join('')
    socket.destroy()
    return text
  }

  /** Begins to send one until the server has let it in, and holds it there. */
  async function hold() {
    const { hostname, port } = new URL(site().url)
    const socket = connect(Number(port), hostname)
    socket.write(announced(`Cookie: ${site().headers?.cookie}\r\n`, 'Expect: 100-continue'))
    await once(socket, 'data')
    return socket
  }
})
