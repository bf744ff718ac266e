import { UserError } from '#db/errors.ts'
import type { StoredTranslation, TranslatedTexts } from '#db/event/translation-schema.ts'
import { getEventTranslation, removeEventTranslation, saveEventTranslation } from '#db/event/translations.ts'
import type { Call } from '#db/operation.ts'
import type { Context } from '../../context.ts'
import { printTranslation } from '../../output/event-output.ts'

type Options = Partial<TranslatedTexts> & { remove?: true; json?: true }

/** Changes the texts of one language that are given, and shows all of that language; or removes them. */
export async function run(language: string, options: Options, { call, quiet, io }: Context): Promise<void> {
  const { remove, json, ...texts } = options
  const isGiven = Object.keys(texts).length > 0
  if (remove) {
    if (isGiven) throw new UserError('invalid', 'Give texts, or --remove, not both.')
    await removeEventTranslation({ language }, call)
    return
  }
  const stored = await findTranslation(language, call)
  const condition = stored === undefined ? { onlyIfNone: true } : { onlyIfRevision: [stored.revision] }
  const saved = await saveEventTranslation({ ...stored?.texts, ...texts, language, ...condition }, call)
  if (json || !quiet) await printTranslation(saved.texts, json, io)
}

async function findTranslation(language: string, call: Call): Promise<StoredTranslation | undefined> {
  try {
    return await getEventTranslation({ language }, call)
  } catch (error) {
    if (error instanceof UserError && error.code === 'not-found') return undefined
    throw error
  }
}
