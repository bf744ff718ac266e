import openGraph from 'open-graph-scraper'
import sharp from 'sharp'
import { expect } from 'vitest'
import { ask, type Site } from '#site/scenarios/fixtures.ts'

/** What a parser that is not ours reads of a page. */
export async function tagsOf(site: Site, path = '/share') {
  const { status, body } = await ask(site, `GET ${path}`)
  expect(status).toBe(200)
  const { result } = await openGraph({ html: body })
  const [image] = result.ogImage ?? []
  const [markup] = (result.jsonLD ?? []) as { startDate?: string; endDate?: string }[]
  return { ...result, image, markup, picture: new URL(image?.url ?? '').pathname, html: body }
}

/** Changes what the site shows, as an administrator does. */
export async function change(site: Site, call: string, json: unknown): Promise<void> {
  expect(await ask(site, call, { json })).toMatchObject({ status: 200 })
}

/** A picture of the right size, as every network takes it. */
export async function expectPicture(bytes: Buffer): Promise<void> {
  const { format, width, height } = await sharp(bytes).metadata()
  expect({ format, width, height }).toEqual({ format: 'jpeg', width: 1200, height: 630 })
  // Nothing of it is damaged.
  await sharp(bytes, { failOn: 'warning' }).stats()
  expect(bytes.length).toBeLessThan(300_000)
}
