import * as english from '#db/values/day-text.ts'
import { dayText } from './dates.ts'
import { fillIn, inUse, t } from './texts.ts'

/**
 * A sentence of db or of the server in the language that is spoken. They say it in English; `said.json` lists what the
 * site shows of it, with placeholders for what varies.
 */
export function said(sentence: string): string {
  const known = inUse().catalogue
  if (typeof known[sentence] === 'string') return t(sentence)
  for (const [text, translated] of Object.entries(known)) {
    const values = typeof translated === 'string' && text.includes('{') && patternOf(text).exec(sentence)?.groups
    if (values)
      return fillIn(t(text), Object.fromEntries(Object.entries(values).map(([name, value]) => [name, said(value)])))
  }
  const day = dayIn(sentence)
  return day === undefined ? sentence : dayText(day)
}

/** The day that db has written without its year, e.g. `Saturday, November 21`: one of the next weeks, or of the last ones. */
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
