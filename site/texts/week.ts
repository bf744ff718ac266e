import { millisecondsInDay } from 'date-fns/constants'
import { locale } from './plural.ts'
import { t } from './texts.ts'

/**
 * What the week of a service is called from a day on, alone and within a sentence; undefined where people give its date.
 * On the evening of a service the one a week later is no longer that of this week.
 */
export function weekName(day: string, today: string): { alone: string; within: string } | undefined {
  const days = daysBetween(today, day)
  if (days === 0) return { alone: t('Today'), within: t('today') }
  if (days > 0 && days < 7) return { alone: t('This week'), within: t('this week') }
  if (days >= 7 && days < 14) return { alone: t('Next week'), within: t('next week') }
  if (days < 0 && days >= -7) return { alone: t('Last week'), within: t('last week') }
  return undefined
}

/** E.g. `tomorrow`, `in 6 days` or `in two weeks`. */
export function distanceText(day: string, today: string): string {
  const days = daysBetween(today, day)
  if (days === 14) return t('in two weeks')
  const format = new Intl.RelativeTimeFormat(locale(), { numeric: 'auto' })
  return days > 14 && days % 7 === 0 ? format.format(days / 7, 'week') : format.format(days, 'day')
}

function daysBetween(one: string, other: string): number {
  return (Date.parse(other) - Date.parse(one)) / millisecondsInDay
}
