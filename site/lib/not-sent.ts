import { t } from '#site/texts/texts.ts'

/** What stays beside a form that could not be sent when the notice has gone. */
export function notSent(): string {
  return t('Not sent yet. Everything you typed is still here: please submit it again.')
}
