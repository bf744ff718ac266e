import { describe, expect, it } from 'vitest'
import { languages } from '#db/values/languages.ts'
import { ask, type Reply } from '#site/scenarios/fixtures.ts'
import { administeredSite, asVisitor } from '#site/scenarios/guarded-fixtures.ts'
import { testEvent } from '#testing/database-fixtures.ts'

const HTML = /<html lang="(\w+)" dir="(\w+)"/
const languageOf = ({ body }: Reply) => HTML.exec(body)?.slice(1, 3).join(' ')

describe('a page', () => {
  const site = administeredSite()
  const inLanguage = (path: string, language: string, headers = {}) =>
    ask(asVisitor(site()), `GET ${path}`, { headers: { 'accept-language': language, ...headers } })

  it('is in the language that the browser prefers, whichever page it is', async () => {
    for (const path of ['/', '/share', '/privacy', '/answer', '/missing', '/admin'])
      for (const language of ['en', 'ko', 'ar']) {
        const reply = await inLanguage(path, `${language}-XX,en;q=0.1`)
        expect([path, languageOf(reply)]).toEqual([path, `${language} ${language === 'ar' ? 'rtl' : 'ltr'}`])
        // What the browser needs of the catalogue, except in English, whose texts are in the scripts.
        expect(reply.body.includes('id="texts"')).toBe(language !== 'en')
      }
  })

  it('is never that of another visitor, whoever asked for it first', async () => {
    const asked = Array.from({ length: 24 }, (_, number) => languages[(number * 3) % languages.length] ?? 'en')
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
    const unknown = await inLanguage('/share?language=xx', 'es')
    expect([languageOf(unknown), unknown.headers['set-cookie']]).toEqual(['es ltr', undefined])
  })

  it('of a form without JavaScript says in that language what is to be corrected', async () => {
    const form = { page: '/share', attending: 'true', email: 'no address' }
    const reply = await ask(asVisitor(site()), 'POST /api/rsvp', { form, headers: { 'accept-language': 'de' } })
    expect([reply.status, languageOf(reply)]).toEqual([400, 'de ltr'])
    expect(reply.body).toContain('Bitte korrigieren Sie die unten markierten Felder.')
    expect(reply.body).toContain('Die E-Mail-Adresse ist ungültig')
  })

  it('of the administration is in it as well; CSV stays English', async () => {
    const see = async (path: string) =>
      (await ask(site(), `GET ${path}`, { headers: { ...site().headers, 'accept-language': 'fr' } })).body
    expect(await see('/admin')).toContain('Toutes les semaines')
    expect(await see('/api/rsvps/download')).toMatch(/^\uFEFF?Id;Name;Email/)
  })

  it('of the call that is refused is that of the caller, and English for programs', async () => {
    const refusal = async (headers: Record<string, string>) =>
      (await ask(site(), 'POST /api/rsvp', { json: {}, headers })).body
    expect(await refusal({ 'accept-language': 'fr' })).toContain('Le nom est obligatoire')
    expect(await refusal({})).toContain('Name is required')
  })

  it('names its language to what installs it, and to chats', async () => {
    const manifest = JSON.parse((await inLanguage('/manifest.webmanifest', 'ar')).body)
    expect([manifest.lang, manifest.dir]).toEqual(['ar', 'rtl'])
    expect((await inLanguage('/share', 'pt')).body).toContain('<meta property="og:locale" content="pt_BR">')
  })
})

describe('the event on a page', () => {
  const site = administeredSite()
  const share = async (language: string) =>
    (await ask(asVisitor(site()), 'GET /share', { headers: { 'accept-language': language } })).body
  const change = async (call: string, json?: unknown) =>
    expect((await ask(site(), call, { json })).status).toBeLessThan(300)

  it('is in its language, text by text, each with the language that it is in', async () => {
    await change('POST /api/event', testEvent({ time: 'At ten', whatToExpect: 'Coffee first.' }))
    await share('es')
    const inSpanish = { title: 'Culto del sábado', date: 'Cada sábado', location: 'Calle Mayor 1' }
    await change('PUT /api/event/translations/es', inSpanish)
    const spanish = await share('es')
    expect(spanish).toContain('<title>Culto del sábado</title>')
    expect(spanish).toContain('<meta property="og:title" content="Culto del sábado">')
    expect(spanish).toMatch(/<h1 class="invitation__title">Culto del sábado</)
    expect(spanish).toMatch(/<span>Cada sábado</)
    expect(spanish).toMatch(/<span lang="en">At ten</)
    expect(spanish).toMatch(/<p class="invitation__prose" lang="en">Coffee first\./)
    expect(spanish).toMatch(/maps[^"]*Calle(%20|\+)Mayor/)
    expect(await share('en')).toContain('<title>Sabbath Worship Service</title>')
    expect(await share('de')).toContain('<title lang="en">Sabbath Worship Service</title>')
    for (const language of ['en', 'de']) expect(await share(language)).not.toMatch(/Culto|Cada/)
  })
})
