import type { Language } from '#db/language/languages.ts'
import { inUse } from './texts.ts'

/** The name of a role in the language of the page, where there is one. */
export function roleName(name: string): string {
  return translated(name) ?? name
}

/** The language of a name that has no translation, where not all is in English. */
export function roleLanguage(name: string): Language | undefined {
  return translated(name) === undefined ? inUse().roles?.language : undefined
}

/** A role may be called as what every object has, e.g. `constructor`. */
function translated(name: string): string | undefined {
  const { names = {} } = inUse().roles ?? {}
  return Object.hasOwn(names, name) ? names[name] : undefined
}
