import { UserError } from '#db/errors.ts'
import type { StoredTranslation, TranslatedTexts } from '#db/event/schema.ts'
import { getEventTranslation, removeEventTranslation, saveEventTranslation } from '#db/event/translations.ts'
import type { Call } from '#db/operation.ts'
import { listEveryVolunteerRole } from '#db/volunteer-role/operations.ts'
import type { Context } from '../../context.ts'
import { printTranslation } from '../../output/event-output.ts'
import { findRole } from '../../roles.ts'

type Options = Partial<Omit<TranslatedTexts, 'roles'>> & { role?: string[]; remove?: true; json?: true }

/** Changes the texts of one language that are given, and shows all of that language; or removes them. */
export async function run(language: string, options: Options, { call, quiet, io }: Context): Promise<void> {
  const { remove, json, role, ...texts } = options
  const isGiven = role !== undefined || Object.keys(texts).length > 0
  if (remove) {
    if (isGiven) throw new UserError('invalid', 'Give texts, or --remove, not both.')
    await removeEventTranslation({ language }, call)
    return
  }
  const stored = await findTranslation(language, call)
  const condition = stored === undefined ? { onlyIfNone: true } : { onlyIfRevision: [stored.revision] }
  const roles = { ...stored?.texts.roles, ...(await rolesIn(role, call)) }
  const saved = await saveEventTranslation({ ...stored?.texts, ...texts, roles, language, ...condition }, call)
  if (json || !quiet) await printTranslation(saved.texts, await listEveryVolunteerRole(call), json, io)
}

/** The names by the ids of their roles, e.g. of `Greeter=Bienvenida`. */
async function rolesIn(given: string[] = [], call: Call): Promise<TranslatedTexts['roles']> {
  const named = given.map(async (text) => {
    const [, word, name = ''] = /^(.+?)=(.*)$/s.exec(text) ?? []
    if (word === undefined)
      throw new UserError('invalid', 'Give --role as the role, =, and its name in this language: "Greeter=Bienvenida".')
    return [(await findRole(word, { retired: false }, call)).id, name]
  })
  return Object.fromEntries(await Promise.all(named))
}

async function findTranslation(language: string, call: Call): Promise<StoredTranslation | undefined> {
  try {
    return await getEventTranslation({ language }, call)
  } catch (error) {
    if (error instanceof UserError && error.code === 'not-found') return undefined
    throw error
  }
}
