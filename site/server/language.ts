import { AsyncLocalStorage } from 'node:async_hooks'
import type { IncomingHttpHeaders } from 'node:http'
import type { APIContext } from 'astro'
import { isLanguage, type Language } from '#db/values/languages.ts'
import { seededRoles } from '#db/values/titles.ts'
import { type Catalogue, currentTexts, type RoleNames, setCurrentTexts, type Texts } from '#site/texts/texts.ts'

/** The query parameter that chooses a language, e.g. `/share?language=es`. */
export const LANGUAGE_QUERY = 'language'
const LANGUAGE_COOKIE = 'language'
const COOKIE_TTL_S = 365 * 24 * 60 * 60
const COOKIE = new RegExp(`(?:^|;)\\s*${LANGUAGE_COOKIE}=([a-z]{2})(?:;|$)`)

/** The parts of a catalogue: a page sends only those that its browser needs. */
type Parts = { server: Catalogue; visitors: Catalogue; administration: Catalogue }
type Loaded = Texts & { parts: Parts }

/** Loaded on first use. */
const catalogues: Record<Exclude<Language, 'en'>, () => Promise<{ default: Parts }>> = {
  es: () => import('#site/texts/es.json'),
  fr: () => import('#site/texts/fr.json'),
  pt: () => import('#site/texts/pt.json'),
  de: () => import('#site/texts/de.json'),
  ko: () => import('#site/texts/ko.json'),
  ar: () => import('#site/texts/ar.json'),
}

const english: Texts = { language: 'en', catalogue: {} }
const loaded = new Map<Language, Loaded>()
const requestTexts = new AsyncLocalStorage<Texts>()

setCurrentTexts(() => requestTexts.getStore() ?? english)

/** The language of a reply: that of the address, of an earlier choice, or else the one that the browser prefers. */
export function chooseLanguage(
  url: string,
  headers: Pick<IncomingHttpHeaders, 'cookie' | 'accept-language'>,
): Language {
  const chosen = languageInAddress(url)
  if (chosen !== undefined) return chosen
  const [, remembered] = COOKIE.exec(headers.cookie ?? '') ?? []
  return isLanguage(remembered) ? remembered : preferredLanguage(headers['accept-language'])
}

/** Sets the cookie that keeps the language in the address for the next pages. */
export function rememberLanguage({ cookies, url, locals }: Pick<APIContext, 'cookies' | 'url' | 'locals'>): void {
  const chosen = languageInAddress(url.search)
  if (chosen === undefined) return
  const secure = locals.origin.startsWith('https:')
  cookies.set(LANGUAGE_COOKIE, chosen, { path: '/', maxAge: COOKIE_TTL_S, httpOnly: true, sameSite: 'lax', secure })
}

/**
 * Runs `make` while `t` translates into the language.
 * @param roles the church's own names of roles in that language. The names of the seeded roles are added.
 */
export async function inLanguage<Reply>(
  language: Language,
  make: () => Reply,
  roles?: RoleNames,
): Promise<Awaited<Reply>> {
  const known = language === 'en' ? english : (loaded.get(language) ?? (await load(language)))
  if (roles === undefined || (language === 'en' && roles.language === 'en')) return await requestTexts.run(known, make)
  const seeded = Object.fromEntries(seededRoles.map((name) => [name, `${known.catalogue[name] ?? name}`]))
  return await requestTexts.run({ ...known, roles: { ...roles, names: { ...seeded, ...roles.names } } }, make)
}

/** The texts that the browser needs for the page being rendered; undefined if all are English. */
export function textsOfPage(forAdministrators: boolean): Partial<Texts> | undefined {
  const { language, roles } = currentTexts()
  if (language === 'en' && roles === undefined) return undefined
  const { visitors, administration } = loaded.get(language)?.parts ?? {}
  return { catalogue: forAdministrators ? { ...visitors, ...administration } : visitors, roles }
}

/** Undefined if the address has no language, or one that the site does not have. */
function languageInAddress(url: string): Language | undefined {
  if (!url.includes(`${LANGUAGE_QUERY}=`)) return undefined
  const value = new URLSearchParams(url.slice(url.indexOf('?'))).get(LANGUAGE_QUERY) ?? ''
  const language = /^[a-z]{2}(?![a-z\d])/.exec(value.toLowerCase())?.[0]
  return isLanguage(language) ? language : undefined
}

/** The first language that the site has: browsers name the preferred one first. `pt-BR` is Portuguese. */
function preferredLanguage(accepted = ''): Language {
  const languages = accepted.split(',').map((range) => range.trim().toLowerCase().split(/[-;]/, 1)[0])
  return languages.find((language) => isLanguage(language)) ?? 'en'
}

async function load(language: Exclude<Language, 'en'>): Promise<Loaded> {
  const { default: parts } = await catalogues[language]()
  const known = { language, parts, catalogue: { ...parts.server, ...parts.visitors, ...parts.administration } }
  loaded.set(language, known)
  return known
}
