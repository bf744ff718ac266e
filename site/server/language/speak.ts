import { AsyncLocalStorage } from 'node:async_hooks'
import type { Language } from '#db/language/languages.ts'
import ar from '#site/texts/ar.json' with { type: 'json' }
import de from '#site/texts/de.json' with { type: 'json' }
import es from '#site/texts/es.json' with { type: 'json' }
import fr from '#site/texts/fr.json' with { type: 'json' }
import ko from '#site/texts/ko.json' with { type: 'json' }
import pt from '#site/texts/pt.json' with { type: 'json' }
import { type Catalogue, type Spoken, speak } from '#site/texts/texts.ts'

/** A catalogue by where its texts are used: each part is sent only where the browser needs it. */
type Parts = { server: Catalogue; visitors: Catalogue; administration: Catalogue }

const none: Parts = { server: {}, visitors: {}, administration: {} }
const parts: Record<Language, Parts> = { en: none, es, fr, pt, de, ko, ar }

const english: Spoken = { language: 'en', catalogue: {} }
const spoken = new AsyncLocalStorage<Spoken>()
speak(() => spoken.getStore() ?? english)

const whole = new Map<Language, Spoken>()

/** Runs what makes a reply, in which `t` speaks the language. */
export function inLanguage<Reply>(language: Language, make: () => Reply): Reply {
  const { server, visitors, administration } = parts[language]
  const known = whole.get(language) ?? { language, catalogue: { ...server, ...visitors, ...administration } }
  whole.set(language, known)
  return spoken.run(known, make)
}

/** The same for what is made piece by piece, while it is sent. */
export async function* piecesInLanguage<Piece>(
  language: Language,
  pieces: AsyncGenerator<Piece>,
): AsyncGenerator<Piece> {
  for (;;) {
    const { done, value } = await inLanguage(language, () => pieces.next())
    if (done) return
    yield value
  }
}

/** What the browser needs of the catalogue; undefined in English, whose texts are in the source. */
export function textsOfPage(language: Language, forAdministrators: boolean): Catalogue | undefined {
  if (language === 'en') return undefined
  const { visitors, administration } = parts[language]
  return forAdministrators ? { ...visitors, ...administration } : visitors
}
