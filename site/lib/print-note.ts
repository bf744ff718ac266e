import { locale } from '#site/texts/plural.ts'
import { t } from '#site/texts/texts.ts'

/** The time of printing, e.g. `As of January 5, 2025 at 10:00 AM`. */
export function printNote(now: Date, zone: string): string {
  const format = new Intl.DateTimeFormat(locale(), { dateStyle: 'long', timeStyle: 'short', timeZone: zone })
  return t('As of {moment}', { moment: format.format(now) })
}
