import { changeEventLanguage, getEventLanguages } from '#db/event/translations.ts'
import type { Context } from '../../context.ts'
import { printOutput } from '../../output/output.ts'

/** Shows in which languages the event is, and says in which one it is first written. */
export async function run(
  language: string | undefined,
  { json }: { json?: true },
  { call, quiet, io }: Context,
): Promise<void> {
  const languages =
    language === undefined ? await getEventLanguages(call) : await changeEventLanguage({ language }, call)
  if (quiet && !json && language !== undefined) return
  const rows: [string, string][] = [
    ['First version', languages.language],
    ['Translations', languages.translations.join(' ') || 'none'],
  ]
  const screen = async (width: number) => {
    const { renderTexts } = await import('../../ui/LabelledTexts.tsx')
    return renderTexts(rows, width)
  }
  await printOutput(json, { value: languages, rows, screen }, io)
}
