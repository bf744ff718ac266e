import { describe, expect, it } from 'vitest'
import { repairedAddress } from './repaired-address.ts'

describe('repairedAddress', () => {
  it.each([
    ...['/share.', '/share)', '/Share', '/share%20', '/share%E2%80%8B', '/share%', '//share', '/share/'],
    ...['/share;x=1', '/share&fbclid=x', '/%3Cshare%3E', '/share%E2%80'],
  ])('of %s is /share, with its query', (path) => {
    expect(repairedAddress(path)).toBe('/share')
    expect(repairedAddress(`${path}?a=/b.#`)).toBe('/share?a=/b.#')
  })

  it.each([
    ['//', '/'],
    ['/)?language=de', '/?language=de'],
    ['/answer/).?key=a', '/answer?key=a'],
    ['/calendar.ics).', '/calendar.ics'],
  ])('of %s is %s', (url, meant) => expect(repairedAddress(url)).toBe(meant))

  it.each([
    ...['/', '/share', '/share?x', '/calendar/own/a.ics,'],
    ...['/share/x', '/shared', '/share.html', '/share/../admin', '/admin.', '//admin', '/API'],
    ...['//evil.example', '//evil.example/share', '/\\evil.example', '/ſhare', '/%C5%BFhare'],
    ...['http://host/share)', '*', '/名', '/%61'],
  ])('is none for %s', (url) => expect(repairedAddress(url)).toBeUndefined())
})
