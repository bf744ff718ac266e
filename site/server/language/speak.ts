import { AsyncLocalStorage } from 'node:async_hooks'
import type { Language } from '#db/language/languages.ts'
import { seededRoles } from '#db/volunteer-role/texts.ts'
import { type Catalogue, inUse, type RoleNames, type Spoken, speak } from '#site/texts/texts.ts'

/** A catalogue by where its texts are used: each part is sent only where the browser needs it. */
type Parts = { server: Catalogue; visitors: Catalogue; administration: Catalogue }
type Loaded = Spoken & { parts: Parts }

/** Each is read when it is first asked for: a site in one language holds one. */
const catalogues: Record<Exclude<Language, 'en'>, () => Promise<{ default: Parts }>> = {
  es: () => import('#site/texts/es.json'),
  fr: () => import('#site/texts/fr.json'),
  pt: () => import('#site/texts/pt.json'),
  de: () => import('#site/texts/de.json'),
  ko: () => import('#site/texts/ko.json'),
  ar: () => import('#site/texts/ar.json'),
}

const english: Spoken = { language: 'en', catalogue: {} }
const loaded = new Map<Language, Loaded>()
const spoken = new AsyncLocalStorage<Spoken>()
speak(() => spoken.getStore() ?? english)

/** Runs what makes a reply, in which `t` speaks the language. @param roles what the church calls its roles in it; ours are added. */
export async function inLanguage<Reply>(
  language: Language,
  make: () => Reply,
  roles?: RoleNames,
): Promise<Awaited<Reply>> {
  const known = language === 'en' ? english : (loaded.get(language) ?? (await load(language)))
  if (roles === undefined || (language === 'en' && roles.language === 'en')) return await spoken.run(known, make)
  const ours = Object.fromEntries(seededRoles.map((name) => [name, `${known.catalogue[name] ?? name}`]))
  return await spoken.run({ ...known, roles: { ...roles, names: { ...ours, ...roles.names } } }, make)
}

async function load(language: Exclude<Language, 'en'>): Promise<Loaded> {
  const { default: parts } = await catalogues[language]()
  const known = { language, parts, catalogue: { ...parts.server, ...parts.visitors, ...parts.administration } }
  loaded.set(language, known)
  return known
}

/** The same for what is made piece by piece, while it is sent. */
export async function* piecesInLanguage<Piece>(
  language: Language,
  pieces: AsyncGenerator<Piece>,
  roles?: RoleNames,
): AsyncGenerator<Piece> {
  for (;;) {
    const { done, value } = await inLanguage(language, () => pieces.next(), roles)
    if (done) return
    yield value
  }
}

/** What the browser needs to speak as a page that is being made; undefined where all is in English. */
export function textsOfPage(forAdministrators: boolean): Partial<Spoken> | undefined {
  const { language, roles } = inUse()
  if (language === 'en' && roles === undefined) return undefined
  const { visitors, administration } = loaded.get(language)?.parts ?? {}
  return { catalogue: forAdministrators ? { ...visitors, ...administration } : visitors, roles }
}
