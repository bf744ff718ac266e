import { AsyncLocalStorage } from 'node:async_hooks'
import type { Language } from '#db/language/languages.ts'
import { type Catalogue, inUse, type RoleNames, type Spoken, speak } from '#site/texts/texts.ts'

/** A catalogue by where its texts are used: each part is sent only where the browser needs it. */
type Parts = { server: Catalogue; visitors: Catalogue; administration: Catalogue }
type Loaded = Omit<Spoken, 'roles'> & { parts: Parts }

/** Each is read when it is first asked for: a site in one language holds one. */
const catalogues: Record<Exclude<Language, 'en'>, () => Promise<{ default: Parts }>> = {
  es: () => import('#site/texts/es.json'),
  fr: () => import('#site/texts/fr.json'),
  pt: () => import('#site/texts/pt.json'),
  de: () => import('#site/texts/de.json'),
  ko: () => import('#site/texts/ko.json'),
  ar: () => import('#site/texts/ar.json'),
}

const english: Spoken = { language: 'en', catalogue: {}, roles: { language: 'en', names: {} } }
const loaded = new Map<Language, Loaded>()
const spoken = new AsyncLocalStorage<Spoken>()
speak(() => spoken.getStore() ?? english)

/** Runs what makes a reply, in which `t` speaks the language. @param roles what the church calls its roles in it. */
export async function inLanguage<Reply>(
  language: Language,
  make: () => Reply,
  roles: RoleNames = { language, names: {} },
): Promise<Awaited<Reply>> {
  const known = language === 'en' ? english : (loaded.get(language) ?? (await load(language)))
  return await spoken.run({ ...known, roles }, make)
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

/** The names of roles that the browser needs for a page that is being made; undefined where those of the church do. */
export function roleNamesOfPage(): RoleNames | undefined {
  const { language, roles } = inUse()
  return roles.language === language ? undefined : roles
}

/** What the browser needs of the catalogue of a page that is being made; undefined in English, which has none. */
export function textsOfPage(language: Language, forAdministrators: boolean): Catalogue | undefined {
  const { visitors, administration } = loaded.get(language)?.parts ?? {}
  return forAdministrators ? visitors && { ...visitors, ...administration } : visitors
}
