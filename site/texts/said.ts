import * as english from '#db/values/dates.ts'
import { dayText, listText } from './dates.ts'
import { fillIn, inUse, locale, roleName, t } from './texts.ts'

/**
 * Translates an English sentence of db or of the server. `said.json` lists those that the site shows, with placeholders
 * for what varies.
 */
export function said(sentence: string): string {
  const known = inUse().catalogue
  if (typeof known[sentence] === 'string') return t(sentence)
  const [pattern] = Object.keys(known)
    .filter((text) => text.includes('{') && patternOf(text).test(sentence))
    // The longest fixed part first: "{reason} The next service is on {day}." before "There is no service on {day}."
    .sort((one, other) => fixedLength(other) - fixedLength(one))
  if (pattern !== undefined) return filledIn(pattern, patternOf(pattern).exec(sentence)?.groups ?? {})
  const day = dayIn(sentence)
  return day === undefined ? sentence : dayText(day)
}

function filledIn(pattern: string, values: Record<string, string>): string {
  const forms = inUse().catalogue[pattern] ?? pattern
  const form = typeof forms === 'string' ? forms : forms[new Intl.PluralRules(locale()).select(Number(values.count))]
  const translated = Object.entries(values).map(([name, value]) => [name, saidWithin(name, value)])
  return fillIn(form || pattern, Object.fromEntries(translated))
}

/** Translates only values that look like our sentences; others are names, which may resemble patterns. */
function saidWithin(name: string, value: string): string {
  if (name === 'role') return roleName(value)
  if (name === 'roles') return listText(value.split('; ').map(roleName))
  const known = inUse().catalogue[value]
  return /^\d+ |[.!]$|^\w+day, /.test(value) || typeof known === 'string' ? said(value) : value
}

function fixedLength(text: string): number {
  return text.replace(/\{\w+\}/g, '').length
}

/** A date that db has written without its year, e.g. `Saturday, November 21`: in this year, the next or the last. */
function dayIn(text: string): string | undefined {
  const year = new Date().getUTCFullYear()
  const days = [year, year + 1, year - 1].map((each) => new Date(`${text}, ${each} UTC`))
  const [found] = days.filter((day) => !Number.isNaN(day.getTime()) && english.dayText(day.toISOString()) === text)
  return found?.toISOString().slice(0, 10)
}

function patternOf(text: string): RegExp {
  const escaped = text.replace(/[.*+?^$()|[\]\\]/g, '\\$&')
  return new RegExp(`^${escaped.replace(/\{(\w+)\}/g, '(?<$1>.+?)')}$`)
}
