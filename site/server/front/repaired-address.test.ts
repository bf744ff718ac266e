import { describe, expect, it } from 'vitest'
import { meantAddress } from './meant-address.ts'

describe('meantAddress', () => {
  const token = 'aB-_567890123456789012'
  it.each([
    ...['/share.', '/share)', '/Share', '/SHARE', '/share%20', '/share>', '/share,', '/share%E2%80%8B', '/share%'],
    ...['//share', '/share;', '/share/', '/share//', '/share%5D', '/share%EF%BB%BF', '/%3Cshare%3E', '/share%E2%80'],
  ])('of %s is /share, with its query', (path) => {
    expect(meantAddress({ method: 'GET', url: path })).toBe('/share')
    expect(meantAddress({ method: 'HEAD', url: `${path}?a=/b.#` })).toBe('/share?a=/b.#')
    expect(meantAddress({ method: 'POST', url: path })).toBeUndefined()
  })

  it.each([
    ['//', '/'],
    ['/)?language=de', '/?language=de'],
    ['/answer/).?key=a', '/answer?key=a'],
    ['/mail/stop.?key=a', '/mail/stop?key=a'],
    ['/Privacy!', '/privacy'],
    ['/invitation%3E', '/invitation'],
    ['/calendar.ics).', '/calendar.ics'],
    [`/calendar/own/${token}.ics,`, `/calendar/own/${token}.ics`],
  ])('of %s is %s', (url, meant) => expect(meantAddress({ method: 'GET', url })).toBe(meant))

  it.each([
    ...['/', '/share', '/share?x', `/calendar/own/${token}.ics`],
    ...['/share/x', '/shared', '/share.html', '/share/../admin', '/admin.', '//admin', '/API'],
    ...['//evil.example', '//evil.example/share', '/\\evil.example', '/ſhare', '/%C5%BFhare'],
    ...['http://host/share)', '*', '/名', '/%61'],
  ])('is none for %s', (url) => expect(meantAddress({ method: 'GET', url })).toBeUndefined())
})
