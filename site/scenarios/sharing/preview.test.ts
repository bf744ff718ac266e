import sharp from 'sharp'
import { describe, expect, it } from 'vitest'
import { testPicture } from '#db/church/picture-fixtures.ts'
import { testEvent } from '#db/fixtures.ts'
import { ask, expectProblem, testSite } from '#site/scenarios/fixtures.ts'
import { administeredSite, asVisitor } from '#site/scenarios/guarded-fixtures.ts'
import { change, expectPicture, tagsOf } from './fixtures.ts'
import { spawnsRecorded } from './spawns-fixtures.ts'

const asJpeg = { 'content-type': 'image/jpeg' }

/** Whether the picture is blue there, where the church's own is. */
async function blueAt(picture: Buffer, top: number): Promise<boolean> {
  const place = { left: 950, top, width: 1, height: 1 }
  const [red = 0, , blue = 0] = await sharp(picture).extract(place).raw().toBuffer()
  return blue > red
}

describe('the preview picture', () => {
  const site = administeredSite()

  it('is as every network takes it, also within pages of others', async () => {
    const visitor = asVisitor(site())
    const { picture } = await tagsOf(visitor)
    const { status, headers, bytes } = await ask(visitor, `GET ${picture}`)
    expect(status).toBe(200)
    await expectPicture(bytes)
    expect(headers).toMatchObject({
      'content-type': 'image/jpeg',
      // Signal shows none without it.
      'content-length': String(bytes.length),
      'cache-control': 'public, max-age=31536000, immutable',
      'cross-origin-resource-policy': 'cross-origin',
    })
    const again = { headers: { 'if-none-match': String(headers.etag) } }
    expect(await ask(visitor, `GET ${picture}`, again)).toMatchObject({ status: 304, body: '' })
  })

  it('has another address once it shows something else, and is the current one at the old address', async () => {
    const visitor = asVisitor(site())
    const before = (await tagsOf(visitor)).picture
    const old = await ask(visitor, `GET ${before}`)
    await change(site(), 'POST /api/event', testEvent({ title: `A title ${'that is much too long '.repeat(30)}` }))
    const after = (await tagsOf(visitor)).picture
    expect(after).not.toBe(before)
    const [current, stale] = await Promise.all([after, before].map((path) => ask(visitor, `GET ${path}`)))
    await expectPicture(current?.bytes ?? Buffer.alloc(0))
    expect(current?.bytes).toEqual(stale?.bytes)
    expect(current?.bytes).not.toEqual(old.bytes)
    expect(stale?.headers['cache-control']).toBe('no-cache')
  })

  it('is at no other address', async () => {
    for (const hash of ['nope', '0123456789ABCDEF', '0123456789abcdef0'])
      expectProblem(await ask(asVisitor(site()), `GET /preview/${hash}.jpg`), 404)
  })
})

describe('the drawing of the preview picture', () => {
  const spawns = spawnsRecorded()
  const site = testSite(spawns.variables)

  it('succeeds with any texts', async () => {
    const title = '교회 예배 🙏🏽 🎉 <&>"\''
    await change(site(), 'POST /api/event', testEvent({ title, location: '\u202eخدمة العبادة', date: '᚛ᚉᚑᚅᚔ' }))
    const { picture } = await tagsOf(site())
    await expectPicture((await ask(site(), `GET ${picture}`)).bytes)
    expect(spawns.count()).toBe(1)
  })

  it('happens once, whoever asks at once and whatever addresses they make up', async () => {
    const drawn = spawns.count()
    await change(site(), 'POST /api/event', testEvent({ title: 'Drawn once' }))
    const invented = (index: number) => `GET /preview/${index.toString(16).padStart(16, '0')}.jpg`
    const replies = await Promise.all(Array.from({ length: 30 }, (_, index) => ask(site(), invented(index))))
    for (const { bytes } of replies) expect(bytes).toEqual(replies[0]?.bytes)
    await expectPicture(replies[0]?.bytes ?? Buffer.alloc(0))
    expect(spawns.count()).toBe(drawn + 1)
  })

  it('shows the picture of the church', async () => {
    const reply = await ask(site(), 'PUT /api/church/picture', { body: await testPicture(), headers: asJpeg })
    expect(reply).toMatchObject({ status: 200 })
    const { bytes } = await ask(site(), `GET ${(await tagsOf(site())).picture}`)
    expect([await blueAt(bytes, 200), await blueAt(bytes, 560)]).toEqual([true, false])
  })

  it('stays small with a picture that has too many details', async () => {
    const noise = { type: 'gaussian', mean: 128, sigma: 80 } as const
    const create = { width: 900, height: 900, channels: 3, background: '#000', noise } as const
    const body = await sharp({ create }).jpeg().toBuffer()
    expect(await ask(site(), 'PUT /api/church/picture', { body, headers: asJpeg })).toMatchObject({ status: 200 })
    await expectPicture((await ask(site(), `GET ${(await tagsOf(site())).picture}`)).bytes)
  })

  it('that fails shows a picture without texts instead', async () => {
    const drawn = spawns.count()
    spawns.breakThem()
    await change(site(), 'POST /api/event', testEvent({ title: 'Another one' }))
    const { picture } = await tagsOf(site())
    const reply = await ask(site(), `GET ${picture}`)
    expect(reply).toMatchObject({ status: 302, headers: { location: '/preview.jpg' } })
    expect(reply.headers['cache-control']).toBe('private, no-cache')
    await expectPicture((await ask(site(), 'GET /preview.jpg')).bytes)
    await ask(site(), `GET ${picture}`)
    expect(spawns.count()).toBe(drawn + 1)
  })
})
