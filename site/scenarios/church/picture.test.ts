import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { connect } from 'node:net'
import { beforeAll, describe, expect, it } from 'vitest'
import { testPicture } from '#db/church/picture-fixtures.ts'
import { eventually } from '#site/scenarios/faults/fixtures.ts'
import { ask, exchange, expectProblem, type Reply, type Site } from '#site/scenarios/fixtures.ts'
import { guardedSite, signIn } from '#site/scenarios/guarded-fixtures.ts'
import { expectSecurityHeaders } from '#site/scenarios/header-fixtures.ts'
import { asVisitor } from '#site/scenarios/guarded-fixtures.ts'

const CALL = 'PUT /api/church/picture'
const LIMIT = 15 * 1024 * 1024

describe('the picture of the church', () => {
  const site = guardedSite()
  let cookie: string
  let picture: Buffer
  beforeAll(async () => {
    cookie = await signIn(site())
    picture = await testPicture({ width: 2000, height: 1200 })
  })

  const put = (body: Buffer, type = 'image/jpeg') =>
    ask(site(), CALL, { body, headers: { cookie, 'content-type': type } })

  it('is uploaded by an administrator and served to all at addresses that never change', async () => {
    const reply = await put(picture)
    expect(reply.status).toBe(200)
    const { hash, sizes } = JSON.parse(reply.body).picture
    expect(sizes.map(({ width }: { width: number }) => width)).toEqual([800, 1600])
    for (const { width } of sizes) {
      const path = `/church/picture/${hash}-${width}.jpg`
      const { status, headers, bytes } = await ask(asVisitor(site()), `GET ${path}`)
      expect({ status, type: headers['content-type'] }).toEqual({ status: 200, type: 'image/jpeg' })
      expect(headers['cache-control']).toBe('public, max-age=31536000, immutable')
      expect(Number(headers['content-length'])).toBe(bytes.length)
      expect(bytes.subarray(0, 3)).toEqual(Buffer.from([0xff, 0xd8, 0xff]))
      // Among them nosniff, and a policy by which nothing in it could run.
      expectSecurityHeaders(headers)
      const again = { headers: { 'if-none-match': String(headers.etag) } }
      expect(await ask(asVisitor(site()), `GET ${path}`, again)).toMatchObject({ status: 304, body: '' })
      expect(await ask(asVisitor(site()), `HEAD ${path}`)).toMatchObject({ status: 200, body: '' })
    }
    const church = JSON.parse((await ask(asVisitor(site()), 'GET /api/church')).body)
    expect(church.picture).toEqual({ hash, sizes })
    const others = [
      `${hash}-801.jpg`,
      `${hash}.jpg`,
      '0123456789abcdef-800.jpg',
      `${hash}-800.png`,
      'x.jpg',
      `${hash}-0.jpg`,
    ]
    for (const name of others) {
      const { status } = await ask(asVisitor(site()), `GET /church/picture/${name}`)
      expect([name, status]).toEqual([name, 404])
    }
  })

  it('is not found any more once it is removed', async () => {
    const { hash } = JSON.parse((await put(picture)).body).picture
    const removed = await ask(site(), 'DELETE /api/church/picture', { headers: { cookie } })
    expect([removed.status, JSON.parse(removed.body).picture]).toEqual([200, null])
    expectProblem(await ask(asVisitor(site()), `GET /church/picture/${hash}-800.jpg`), 404)
  })

  it.each<[string, () => Promise<Reply>, number, RegExp]>([
    ['another type', () => put(picture, 'text/plain'), 415, /^Send the picture as it is/],
    ['no type', () => ask(site(), CALL, { body: picture, headers: { cookie } }), 415, /^Send the picture as it is/],
    ['an SVG that says it is one', () => put(Buffer.from('<svg/>'), 'image/svg+xml'), 415, /Save it as JPEG/],
    ['an SVG that says it is a JPEG', () => put(Buffer.from('<svg/>')), 415, /Save it as JPEG/],
    ['half a picture', async () => put(picture.subarray(0, 3000)), 400, /damaged/],
    ['more than its limit', () => put(Buffer.alloc(LIMIT + 1)), 413, /at most 15 MB\.$/],
  ])('refuses %s', async (_, send, status, detail) => {
    const reply = await send()
    expectProblem(reply, status)
    expect(JSON.parse(reply.body).detail).toMatch(detail)
  })

  it('leaves the limit of all other calls as it is', async () => {
    for (const call of [
      'PATCH /api/church',
      'POST /api/church/picture',
      'PUT /api/church',
      'PUT /api/church/picture/',
    ]) {
      const headers = { cookie, 'content-type': 'image/jpeg' }
      const reply = await ask(site(), call, { body: Buffer.alloc(70_000), headers })
      expect([call, reply.status]).toEqual([call, 413])
      expect(JSON.parse(reply.body).detail).toBe('This is too large. Send at most 64 KB.')
    }
  })

  it('is refused to all others before any of it is read', async () => {
    for (const sent of ['', `Cookie: rsvp-session=${'a'.repeat(43)}\r\n`]) {
      const { status } = await begin(site(), sent)
      expect(status).toBe(401)
    }
    const foreign = await begin(site(), `Cookie: ${cookie}\r\nOrigin: https://evil.example\r\n`)
    expect(foreign.status).toBe(403)
  })

  it('does no harm where the program that prepares it crashes', async () => {
    // Large enough to take a while.
    const sending = put(await testPicture({ width: 3000, height: 2000, noise: true }))
    await eventually(() => expect(programsOf(site())).toHaveLength(1))
    for (const pid of programsOf(site())) process.kill(pid, 'SIGSEGV')
    const reply = await sending
    expectProblem(reply, 400)
    expect(reply.body).toContain('The picture cannot be read')
    expect((await put(picture)).status).toBe(200)
  })

  it('is held in memory twice at most', async () => {
    const held = [await hold(site(), cookie), await hold(site(), cookie)]
    await eventually(async () => {
      const third = await put(picture)
      expectProblem(third, 503)
      expect(third.body).toContain('Other pictures are being sent just now.')
    })
    for (const socket of held) socket.destroy()
    await eventually(async () => expect((await put(picture)).status).toBe(200))
  })
})

/** The processes in which a site prepares pictures. */
function programsOf({ pid }: Site): number[] {
  const children = readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').split(' ').filter(Boolean).map(Number)
  return children.filter((child) => readFileSync(`/proc/${child}/cmdline`, 'utf8').includes('picture.mjs'))
}

/** Begins to send one until the server has let it in, and holds it there. */
async function hold({ url }: Site, cookie: string) {
  const { host, hostname, port } = new URL(url)
  const socket = connect(Number(port), hostname)
  const length = `Content-Type: image/jpeg\r\nContent-Length: ${LIMIT}\r\nExpect: 100-continue\r\n`
  socket.write(`PUT /api/church/picture HTTP/1.1\r\nHost: ${host}\r\nCookie: ${cookie}\r\n${length}\r\n`)
  await once(socket, 'data')
  return socket
}

/** Announces a picture of which nothing is sent. */
function begin(site: Site, headers: string) {
  const { host } = new URL(site.url)
  const length = `Content-Type: image/jpeg\r\nContent-Length: ${LIMIT}\r\nConnection: close\r\n`
  return exchange(site, `PUT /api/church/picture HTTP/1.1\r\nHost: ${host}\r\n${length}${headers}\r\n`)
}
