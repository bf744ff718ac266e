import sharp from 'sharp'
import { describe, expect, it } from 'vitest'
import { testPicture } from '#db/church/picture-fixtures.ts'
import { testEvent } from '#db/fixtures.ts'
import { ask, expectProblem } from '#site/scenarios/fixtures.ts'
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
  const spawns = spawnsRecorded()
  const site = administeredSite(spawns.variables)
  const see = (path: string, headers = {}) => ask(asVisitor(site()), `GET ${path}`, { headers })
  const shown = async () => (await tagsOf(asVisitor(site()))).picture
  const setPicture = async (body: Buffer) =>
    expect(await ask(site(), 'PUT /api/church/picture', { body, headers: asJpeg })).toMatchObject({ status: 200 })

  it('is as every network takes it, also within pages of others, whatever the event says', async () => {
    const title = '교회 예배 🙏🏽 🎉 <&>"\''
    await change(site(), 'POST /api/event', testEvent({ title, location: '\u202eخدمة العبادة', date: '᚛ᚉᚑᚅᚔ' }))
    const picture = await shown()
    const { status, headers, bytes } = await see(picture)
    expect(status).toBe(200)
    await expectPicture(bytes)
    expect(headers).toMatchObject({
      'content-type': 'image/jpeg',
      // Signal shows none without it.
      'content-length': String(bytes.length),
      'cache-control': 'public, max-age=31536000, immutable',
      'cross-origin-resource-policy': 'cross-origin',
    })
    const again = { 'if-none-match': String(headers.etag) }
    expect(await see(picture, again)).toMatchObject({ status: 304, body: '' })
    for (const hash of ['nope', '0123456789ABCDEF', '0123456789abcdef0'])
      expectProblem(await see(`/preview/${hash}.jpg`), 404)
  })

  it('has another address once it shows something else, and is drawn once, whatever addresses are made up', async () => {
    const [before, drawn] = [await shown(), spawns.count()]
    const old = await see(before)
    await change(site(), 'POST /api/event', testEvent({ title: `A title ${'that is much too long '.repeat(30)}` }))
    const after = await shown()
    expect(after).not.toBe(before)
    const invented = Array.from({ length: 30 }, (_, index) => `/preview/${index.toString(16).padStart(16, '0')}.jpg`)
    const [current, ...others] = await Promise.all([after, before, ...invented].map((path) => see(path)))
    await expectPicture(current?.bytes ?? Buffer.alloc(0))
    expect(current?.bytes).not.toEqual(old.bytes)
    for (const { bytes, headers } of others)
      expect([bytes, headers['cache-control']]).toEqual([current?.bytes, 'no-cache'])
    expect(spawns.count()).toBe(drawn + 1)
  })

  it('shows the picture of the church, and stays small where that has too many details', async () => {
    await setPicture(await testPicture())
    const { bytes } = await see(await shown())
    expect([await blueAt(bytes, 200), await blueAt(bytes, 560)]).toEqual([true, false])
    await setPicture(await testPicture({ width: 900, height: 900, noise: true }))
    await expectPicture((await see(await shown())).bytes)
  })

  it('that cannot be drawn is one without texts instead', async () => {
    const drawn = spawns.count()
    spawns.breakThem()
    await change(site(), 'POST /api/event', testEvent({ title: 'Another one' }))
    const picture = await shown()
    const reply = await see(picture)
    expect(reply).toMatchObject({ status: 302, headers: { location: '/preview.jpg' } })
    expect(reply.headers['cache-control']).toBe('private, no-cache')
    await expectPicture((await see('/preview.jpg')).bytes)
    await see(picture)
    expect(spawns.count()).toBe(drawn + 1)
  })
})
