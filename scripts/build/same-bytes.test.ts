import { describe, expect, it } from 'vitest'
import { elsewhere, manifestElsewhere } from './same-bytes.mjs'

const manifest = (root: string, address: string, key: string, assets: string[]) =>
  `{"rootDir":"${address}/","srcDir":"${address}/site/","key":"${key}","routes":[{"assets":${JSON.stringify(assets)}}],"component":"${root}/site/a.astro"}`

describe('what was built somewhere', () => {
  it('is as if it had been built in one place', () => {
    const code = 'f("/tmp/a b/site/pages/x.astro", new URL("file:///tmp/a%20b/builds/next/client/"))'
    expect(elsewhere(code, '/tmp/a b')).toBe(
      'f("/rsvp/site/pages/x.astro", new URL("file:///rsvp/builds/next/client/"))',
    )
  })

  it('keeps addresses that look like the path of the project', () => {
    const code = 'fetch("/api/rsvps", "/apple-touch-icon.png"); f("/api/site/x.ts")'
    expect(elsewhere(code, '/api')).toBe('fetch("/api/rsvps", "/apple-touch-icon.png"); f("/rsvp/site/x.ts")')
    expect(elsewhere('f("/axc/site/x.ts")', '/a.c')).toBe('f("/axc/site/x.ts")')
  })

  it('has one manifest, whatever its key and the order of its files', () => {
    const one = manifestElsewhere(manifest('/srv/x', 'file:///srv/x', 'abc=', ['/b.js', '/a.js']), '/srv/x')
    const other = manifestElsewhere(
      manifest('/home/y z', 'file:///home/y%20z', 'def=', ['/a.js', '/b.js']),
      '/home/y z',
    )
    expect(one).toBe(other)
    expect(JSON.parse(one)).toMatchObject({ rootDir: 'file:///rsvp/', routes: [{ assets: ['/a.js', '/b.js'] }] })
  })
})
