import { networkInterfaces } from 'node:os'
import { setTimeout as wait } from 'node:timers/promises'
import { describe, expect, it, type TestContext } from 'vitest'
import { testRsvp } from '#db/fixtures.ts'
import { beginPost } from '#site/scenarios/begin-post-fixtures.ts'
import { NO_MOUNT, smallDisk } from '#site/scenarios/faults/disk-fixtures.ts'
import { siteOn } from '#site/scenarios/faults/fixtures.ts'
import { ask, exchange, type Site, storedRsvps } from '#site/scenarios/fixtures.ts'

/** As on most computers; this one may have no IPv6. */
const hasIpv6 = Object.values(networkInterfaces()).some((all) => all?.some(({ address }) => address === '::1'))
const SECOND = hasIpv6 ? '::1' : '127.0.0.2'
const REQUESTS_PER_CONNECTION = 100

/** The site where localhost stands for two addresses, as it is reached at each of them. */
async function siteOnLocalhost({ skip }: TestContext): Promise<[Site, Site]> {
  const hosts = `printf "127.0.0.1 localhost\\n${SECOND} localhost\\n" > "$PLACE/hosts"`
  const place = await smallDisk(`${hosts} && mount --bind "$PLACE/hosts" /etc/hosts`)
  if (place === undefined) return skip(NO_MOUNT)
  const site = await siteOn(place.file, { within: place.within, variables: { HOST: 'localhost' } })
  const second = hasIpv6 ? `[${SECOND}]` : SECOND
  return [site, { ...site, url: site.url.replace('127.0.0.1', second) }]
}

const head = (site: Site, call: string, ...headers: string[]) =>
  `${[`${call} HTTP/1.1`, `Host: ${new URL(site.url).host}`, ...headers].join('\r\n')}\r\n\r\n`

describe('a site on both addresses of localhost', () => {
  it('serves no more than a hundred requests on a connection to either', async (context) => {
    for (const site of await siteOnLocalhost(context)) {
      expect((await ask(site, 'GET /share')).status).toBe(200)
      const { text } = await exchange(site, head(site, 'GET /api/features').repeat(1000))
      expect(text.match(/HTTP\/1\.1 200/g)).toHaveLength(REQUESTS_PER_CONNECTION)
      expect((await exchange(site, 'nonsense\r\n\r\n')).status).toBe(400)
    }
  })

  it.for([0, 1])('stores and acknowledges what is in flight on address %i before it ends', async (number, context) => {
    const sites = await siteOnLocalhost(context)
    const site = sites[number] ?? sites[0]
    const { finish, text } = await beginPost(site, JSON.stringify(testRsvp()))
    expect(await storedRsvps(site)).toEqual([])
    const stopped = site.stop()
    await wait(2000)
    finish()
    expect(await text).toMatch(/\r\n\r\nHTTP\/1\.1 201/)
    expect(await stopped).toBe(0)
  })
})
