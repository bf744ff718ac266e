import type { Language } from '#db/language/languages.ts'
import { isSeeded } from '#db/volunteer-role/texts.ts'
import { inUse, t } from './texts.ts'

/** The name of a role in the language of the page, where the church has translated it or it is one of our own. */
export function roleName(name: string): string {
  return inUse().roles.names[name] ?? (isSeeded(name) ? t(name) : name)
}

/** The language of that name where it is another one than that of the page. */
export function roleLanguage(name: string): Language | undefined {
  const { language, roles } = inUse()
  const isTranslated = roles.names[name] !== undefined || isSeeded(name)
  return isTranslated || roles.language === language ? undefined : roles.language
}
