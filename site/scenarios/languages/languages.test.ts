import { describe, expect, it } from 'vitest'
import { languages } from '#db/language/languages.ts'
import { ask, type Reply } from '#site/scenarios/fixtures.ts'
import { guardedSite, signIn } from '#site/scenarios/guarded-fixtures.ts'

const PAGES = ['/', '/share', '/privacy', '/answer', '/missing', '/admin']
const HTML = /<html lang="(\w+)" dir="(\w+)">/
const FORM = 'application/x-www-form-urlencoded'

const languageOf = ({ body }: Reply) => HTML.exec(body)?.slice(1, 3).join(' ')

describe('a page', () => {
  const site = guardedSite()
  const inLanguage = (path: string, language: string, headers = {}) =>
    ask(site(), `GET ${path}`, { headers: { 'accept-language': language, ...headers } })

  it.each(PAGES)('is in the language that the browser prefers: %s', async (path) => {
    for (const language of languages) {
      const reply = await inLanguage(path, `${language}-XX,en;q=0.1`)
      expect(languageOf(reply)).toBe(`${language} ${language === 'ar' ? 'rtl' : 'ltr'}`)
      // What the browser needs of the catalogue, except in English, whose texts are in the scripts.
      expect(reply.body.includes('id="texts"')).toBe(language !== 'en')
    }
  })

  it('is never that of another visitor, whoever asked for it first', async () => {
    const asked = Array.from({ length: 40 }, (_, number) => languages[(number * 3) % languages.length] ?? 'en')
    const replies = await Promise.all(asked.map((language) => inLanguage('/share', language)))
    expect(replies.map((reply) => languageOf(reply)?.split(' ')[0])).toEqual(asked)
    expect(replies[0]?.headers.vary).toMatch(/accept-language.*cookie/)
  })

  it('is in the language that its address names, from then on, and without a word of it elsewhere', async () => {
    const chosen = await inLanguage('/share?language=ko', 'es')
    expect(languageOf(chosen)).toBe('ko ltr')
    const [cookie = ''] = chosen.headers['set-cookie'] ?? []
    expect(cookie).toMatch(/^language=ko; Max-Age=31536000; Path=\/; HttpOnly; SameSite=Lax$/)
    const later = await inLanguage('/share', 'es', { cookie: cookie.split(';')[0] })
    expect([languageOf(later), later.headers['set-cookie']]).toEqual(['ko ltr', undefined])
    expect(languageOf(await inLanguage('/share?language=xx', 'es'))).toBe('es ltr')
    expect((await inLanguage('/share?language=xx', 'es')).headers['set-cookie']).toBeUndefined()
  })

  it('of a form without JavaScript says in that language what is to be corrected', async () => {
    const body = new URLSearchParams({ page: '/share', attending: 'true', email: 'no address' }).toString()
    const headers = { 'content-type': FORM, 'accept-language': 'de' }
    const reply = await ask(site(), 'POST /api/rsvp', { body, headers })
    expect([reply.status, languageOf(reply)]).toEqual([400, 'de ltr'])
    expect(reply.body).toContain('Bitte korrigieren Sie die unten markierten Felder.')
    expect(reply.body).toContain('Die E-Mail-Adresse ist ungültig')
    expect(reply.body).toContain('Bitte geben Sie einen Namen an')
  })

  it('of the administration is in it as well, and so is what it prints; CSV and calls stay English', async () => {
    const headers = { cookie: await signIn(site()), 'accept-language': 'fr' }
    expect((await ask(site(), 'GET /admin', { headers })).body).toContain('Personnes attendues chaque semaine')
    const print = await ask(site(), 'GET /api/rsvps/print', { headers })
    expect(print.body).toContain('<html lang="fr" dir="ltr">')
    expect(print.body).toContain('Retour à l’administration')
    expect(print.body).toMatch(/\d+ dans cette liste/)
    expect((await ask(site(), 'GET /api/rsvps/download', { headers })).body).toMatch(/^\uFEFF?Id,Name,Email/)
    const refused = await ask(site(), 'POST /api/rsvp', { json: {}, headers: { 'accept-language': 'fr' } })
    expect(refused.body).toContain('Name is required')
  })

  it('names its language to what installs it, and to chats', async () => {
    const manifest = JSON.parse((await inLanguage('/manifest.webmanifest', 'ar')).body)
    expect([manifest.lang, manifest.dir]).toEqual(['ar', 'rtl'])
    expect((await inLanguage('/share', 'pt')).body).toContain('<meta property="og:locale" content="pt_BR">')
  })
})
