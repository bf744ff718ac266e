import type { IncomingHttpHeaders } from 'node:http'
import type { APIContext } from 'astro'
import { isLanguage, type Language } from '#db/language/languages.ts'

/** The query that chooses a language, also in links that a church passes on, e.g. `/share?language=es`. */
export const LANGUAGE_QUERY = 'language'
/** The cookie that remembers the choice. */
const LANGUAGE_COOKIE = 'language'
const COOKIE_TTL_S = 365 * 24 * 60 * 60
const COOKIE = new RegExp(`(?:^|;)\\s*${LANGUAGE_COOKIE}=([a-z]{2})(?:;|$)`)

/** The language of a reply: as the address says, as was chosen before, or as the browser prefers. */
export function chooseLanguage(
  url: string,
  headers: Pick<IncomingHttpHeaders, 'cookie' | 'accept-language'>,
): Language {
  const asked = askedLanguage(url)
  if (asked !== undefined) return asked
  const [, remembered] = COOKIE.exec(headers.cookie ?? '') ?? []
  return isLanguage(remembered) ? remembered : preferredLanguage(headers['accept-language'])
}

/** Keeps what the address asks for: the next pages are in that language too. */
export function rememberLanguage({ cookies, url, locals }: Pick<APIContext, 'cookies' | 'url' | 'locals'>): void {
  const asked = askedLanguage(url.search)
  if (asked === undefined) return
  const secure = locals.origin.startsWith('https:')
  cookies.set(LANGUAGE_COOKIE, asked, { path: '/', maxAge: COOKIE_TTL_S, httpOnly: true, sameSite: 'lax', secure })
}

/** The language that an address asks for; undefined where it says none that the site has. */
function askedLanguage(url: string): Language | undefined {
  if (!url.includes(`${LANGUAGE_QUERY}=`)) return undefined
  const asked = new URLSearchParams(url.slice(url.indexOf('?'))).get(LANGUAGE_QUERY)
  return isLanguage(asked) ? asked : undefined
}

/** The first of ours by weight (RFC 9110, section 12.5.4): `pt-BR` is Portuguese. */
function preferredLanguage(accepted = ''): Language {
  let best: { language: Language; weight: number } | undefined
  for (const range of accepted.split(',')) {
    const [tag = '', ...parameters] = range.split(';')
    const language = tag.trim().toLowerCase().split('-', 1)[0]
    if (!isLanguage(language)) continue
    const weight = weightOf(parameters)
    if (weight > (best?.weight ?? 0)) best = { language, weight }
  }
  return best?.language ?? 'en'
}

function weightOf(parameters: string[]): number {
  const [, weight] = /^\s*q=(\d(?:\.\d{0,3})?)\s*$/.exec(parameters.find((each) => /^\s*q=/.test(each)) ?? 'q=1') ?? []
  return Number(weight ?? 0)
}
