import { describe, expect, it } from 'vitest'
import { isFromThisComputer, networkOf, refusal, repairedAddress } from './guard.ts'

const here = { onlyThisComputer: true, publicUrl: undefined }
const network = { onlyThisComputer: false, publicUrl: undefined }
const published = { onlyThisComputer: false, publicUrl: 'https://rsvp.example.org' }

describe('refusal', () => {
  it.each<[string, string | undefined, string, Record<string, string>]>([
    ['a page', undefined, 'GET /share', {}],
    ['an address typed by hand', undefined, 'GET /admin', { 'sec-fetch-site': 'none' }],
    ['a link from elsewhere', 'misdirected', 'GET /share', { referer: 'https://evil.example/' }],
    ['a link that hides where it is', 'misdirected', 'GET /share', { 'sec-fetch-site': 'cross-site' }],
    ['a foreign Host with a proxy', 'misdirected', 'POST /api/rsvp', { host: 'evil.example', via: '1.1 proxy' }],
    ['an address that is too long', 'address-too-long', `GET /${'a'.repeat(2048)}`, {}],
    ['a query with odd signs', undefined, 'GET /share?a=//..%2f', {}],
  ])('of %s is %s', (_, code, call, headers) => {
    expect(refusal(asked(call, headers), here)?.code).toBe(code)
  })

  it.each([
    [here, 'localhost 127.0.0.1 [::1]:80', undefined],
    [here, 'notlocalhost localhost.evil.example 127.0.0.10 192.168.1.20', 'misdirected'],
    [here, 'localhost:4321.evil.example', 'invalid'],
    [network, 'host pi4.local rsvp.lan:4321 rsvp.internal', undefined],
    [network, 'rsvp.example.org', 'misdirected'],
    [network, ' localhost/share localhost:99999 1.2.3.256', 'invalid'],
    [published, '[fe80::1]:4321 rsvp_app:4321 192.168.1.20:4321 church-server rsvp.home.arpa:80', undefined],
    [published, 'RSVP.Example.org rsvp.example.org:443', undefined],
    [published, 'rsvp.example.org:80 evil.example rsvp_app.evil.example', 'misdirected'],
    [published, '192.168.1.20.evil.example rsvp.example.org.evil.example', 'misdirected'],
  ])('with %o is for each of the Hosts "%s" %s', (rules, hosts, code) => {
    for (const host of hosts.split(' '))
      expect([host, refusal(asked('GET /share', { host }), rules)?.code]).toEqual([host, code])
  })

  const forwarding =
    'via forwarded forwarded-for x-forwarded x-forwarded-host x-original-url x-envoy-external-address x-real-ip cf-ray ' +
    'cdn-loop client-ip true-client-ip x-azure-clientip'
  it.each(forwarding.split(' '))('on this computer only is for what was forwarded with %s', (name) => {
    const headers = { [name]: '127.0.0.1' }
    expect(refusal(asked('GET /share', headers), here)?.code).toBe('misdirected')
    expect(refusal(asked('GET /share', headers), network)).toBeUndefined()
  })

  it.each(['trivia', 'via-nothing', 'x-real-ip-not', 'accept', 'x-original'])(
    'on this computer only is not for the header %s',
    (name) => {
      expect(refusal(asked('GET /share', { [name]: '127.0.0.1' }), here)).toBeUndefined()
    },
  )

  it('on this computer only is for HTTP/1.0, which proxies speak', () => {
    const request = { ...asked('GET /share'), httpVersion: '1.0' }
    expect(refusal(request, here)?.code).toBe('misdirected')
    expect(refusal(request, network)).toBeUndefined()
  })

  it('is for no Host, for two, and for one with a blank', () => {
    const twice = ['host', 'localhost', 'HOST', 'localhost']
    expect(refusal(asked('GET /share', { host: 'a b' }), network)?.code).toBe('invalid')
    expect(refusal({ ...asked('GET /share'), headers: {} }, network)?.code).toBe('invalid')
    expect(refusal({ ...asked('GET /share'), rawHeaders: twice }, network)?.code).toBe('invalid')
  })

  it.each('// /a\\b /a;b /a#b /a%5Cb /a%2fb /%2e /%2561 /%00 /. /./a /a/.. /a/../b * share'.split(' '))(
    'is for the path %s',
    (path) => {
      expect(refusal(asked(`GET ${path}`), here)?.code).toBe('invalid')
    },
  )

  it.each(['/', '/a..b', '/.a', '/..a', '/a.', '/%61', `/${'a'.repeat(2047)}`])('is not for the path %s', (path) => {
    expect(refusal(asked(`GET ${path}`), here)).toBeUndefined()
  })

  const any = ['same-origin', 'none', '']
  const own = ['same-origin']
  const publishedAt = 'rsvp.example.org localhost:4321'
  /** From which Sec-Fetch-Site a change is accepted, none being '', by rules, Hosts and Origin. */
  it.each([
    [network, 'localhost:4321', '', any],
    [network, 'localhost:4321', 'null', own],
    [network, 'localhost:4321', 'http://localhost:4321', any],
    [network, 'localhost:4321', 'https://localhost:4321', []],
    [network, 'localhost:4321', 'http://localhost', []],
    [network, 'localhost:4321', 'https://evil.example', []],
    [network, 'localhost:80', 'http://localhost', any],
    [network, 'church.local church.local:443', 'https://church.local', []],
    [published, publishedAt, '', any],
    [published, publishedAt, 'null', own],
    [published, publishedAt, 'https://rsvp.example.org', any],
    [published, publishedAt, 'http://rsvp.example.org', []],
    [published, publishedAt, 'https://rsvp.example.org:444', []],
    [published, publishedAt, 'https://localhost:4321', []],
    [published, publishedAt, 'https://evil.example', []],
  ])('with %o at %s of a change from %j is none for %j, and of reading never', (rules, hosts, origin, accepted) => {
    for (const host of hosts.split(' '))
      for (const site of ['', 'same-origin', 'none', 'same-site', 'cross-site', 'nonsense']) {
        const headers = { host, ...(origin && { origin }), ...(site && { 'sec-fetch-site': site }) }
        const expected = accepted.includes(site) ? undefined : 'forbidden'
        for (const method of ['POST', 'PUT', 'PATCH', 'DELETE'])
          expect([site, refusal(asked(`${method} /share`, headers), rules)?.code]).toEqual([site, expected])
        for (const method of ['GET', 'HEAD', 'OPTIONS', 'TRACE', undefined])
          expect(refusal({ ...asked('GET /share', headers), method }, rules)).toBeUndefined()
      }
  })

  const evil = { origin: 'https://evil.example' }
  // A mail program stops the mail for its user by a post from anywhere.
  it.each([
    ['POST /mail/stop?key=a', undefined],
    ['DELETE /mail/stop?key=a', 'forbidden'],
    ['POST /mail/stop', 'forbidden'],
    ['POST /api/rsvps/mail/stop?key=a', 'forbidden'],
  ])('of %s from another site is %s', (call, code) => {
    expect(refusal(asked(call, evil), network)?.code).toBe(code)
  })

  const foreign = { host: 'evil.example' }
  const overHttps = { host: 'church.local:443', origin: 'https://church.local' }
  const evilHere = { host: 'rsvp.example.org', ...evil }
  const onAnotherPort = { host: 'rsvp.example.org:8443' }
  const unknown = /^This site is not known by that name and port\. .+ set PUBLIC_URL to its address;/
  it.each([
    ['GET /share', foreign, here, /^In open mode this site answers only on this computer, at .+ at \/guard\.$/],
    ['GET /share', foreign, network, unknown],
    ['GET /', onAnotherPort, published, unknown],
    ['GET /share', { host: '?' }, network, /^The request needs exactly one Host header/],
    ['GET //', {}, here, /^This address does not have the form .+ Check the link\.$/],
    [`GET /${'a'.repeat(2048)}`, {}, here, /^The address is too long\.$/],
    ['POST /share', evil, here, /^This request came from another site\. Open the page here and do it there\.$/],
    ['POST /share', overHttps, network, /Set PUBLIC_URL to its address: https:\/\/church\.local$/],
    ['POST /share', evilHere, published, /\. Open https:\/\/rsvp\.example\.org and do it there\.$/],
  ])('of %s with %o says what to do', (call, headers: Record<string, string>, rules, message) => {
    expect(refusal(asked(call, headers), rules)?.message).toMatch(message)
  })
})

function asked(call: string, headers: Record<string, string> = {}) {
  const [method, url] = call.split(' ')
  const sent = { host: 'localhost:4321', ...headers }
  return { method, url, headers: sent, rawHeaders: Object.entries(sent).flat(), httpVersion: '1.1' }
}

describe('isFromThisComputer', () => {
  const from = (remoteAddress: string | undefined, headers: Record<string, string> = {}) => ({
    ...asked('POST /api/guard', headers),
    socket: { remoteAddress },
  })

  it.each([
    ['127.0.0.1', undefined, true],
    ['::1', undefined, true],
    ['::ffff:127.0.0.1', 'http://localhost:4321', true],
    ['127.0.0.1', 'https://rsvp.example.org', false],
    ['192.168.1.20', undefined, false],
    ['::ffff:192.168.1.20', undefined, false],
    ['127.0.0.1.evil.example', undefined, false],
    [undefined, undefined, false],
  ])('of the peer %s of a site at %s is %s', (peer, publicUrl, expected) => {
    expect(isFromThisComputer(from(peer), publicUrl)).toBe(expected)
  })

  it.each<Record<string, string>>([
    { 'x-forwarded-for': '127.0.0.1' },
    { via: '1.1 proxy' },
    { host: 'church.local' },
    { origin: 'http://evil.example' },
    { 'sec-fetch-site': 'same-site' },
    { referer: 'http://evil.example/' },
  ])('is no one who sends %o', (headers) => {
    expect(isFromThisComputer(from('127.0.0.1', headers), undefined)).toBe(false)
  })

  it('is no proxy that speaks HTTP/1.0', () => {
    expect(isFromThisComputer({ ...from('127.0.0.1'), httpVersion: '1.0' }, undefined)).toBe(false)
  })
})

describe('networkOf', () => {
  it.each([
    ['203.0.113.7', '203.0.113.7'],
    ['::ffff:203.0.113.7', '203.0.113.7'],
    ['::ffff:cb00:7107', '203.0.113.7'],
    ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2::/64'],
    ['2001:db8:1:3::1', '2001:db8:1:3::/64'],
    ['2001:db8::1', '2001:db8:0:0::/64'],
    ['::1', '0:0:0:0::/64'],
    ['fe80::1%eth0', 'fe80:0:0:0::/64'],
  ])('%s counts as %s', (address, network) => {
    expect(networkOf(address)).toBe(network)
    expect(networkOf(address, '198.51.100.1')).toBe(network)
  })

  it.each(['', 'unknown', 'evil.example', '203.0.113.7:80', '203.0.113.256', '<script>', '203.0.113.7, 10.0.0.1'])(
    '%j is no address: the other end of the connection counts',
    (address) => {
      expect(networkOf(address, '198.51.100.1')).toBe('198.51.100.1')
      expect(networkOf(address, '2001:db8:1:2:3:4:5:6')).toBe('2001:db8:1:2::/64')
    },
  )

  it('is unknown where neither end is an address', () => {
    expect(networkOf('x')).toBe('unknown')
    expect(networkOf('x', 'y')).toBe('unknown')
    expect(networkOf('', '')).toBe('unknown')
  })
})

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
