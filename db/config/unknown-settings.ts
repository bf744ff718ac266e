import { parseEnv } from 'node:util'
import { findCutSettings } from './cut-settings.ts'
import { textOfEnvFile } from './env-file-text.ts'
import { environment } from './environment.ts'

/** Nothing else calls its variables like this. */
const OURS = /^(RSVP|BACKUP|TRUSTED)_/i
/** A name as short as HOST is one letter away from many that other programs read. */
const SHORT = 4

/** Sentences on all that stands in .env and is not read as it was meant; see `envFileToRead()`. */
export function findMisreadSettings(file: string | undefined): string[] {
  return [...findUnknownSettings(file), ...findCutSettings(file)]
}

/** Sentences on the lines of .env that set nothing, each with the name that was probably meant. */
function findUnknownSettings(file: string | undefined): string[] {
  return Object.keys(parseEnv(textOfEnvFile(file))).flatMap((name) => {
    const meant = meantBy(name)
    return meant === undefined ? [] : [`${name} in .env is not a setting, and does nothing. Did you mean ${meant}?`]
  })
}

/** The setting that a name was probably meant for; undefined for one of ours, and for what other programs may read. */
function meantBy(name: string): string | undefined {
  const known = Object.keys(environment.shape)
  if (known.includes(name)) return undefined
  const distances = known.map((setting) => ({ setting, distance: distanceBetween(name.toUpperCase(), setting) }))
  const [nearest] = distances.toSorted((a, b) => a.distance - b.distance)
  if (nearest === undefined) return undefined
  const { setting, distance } = nearest
  const allowed = setting.length < SHORT ? 0 : setting.length === SHORT ? 1 : 2
  return OURS.test(name) || distance <= allowed ? setting : undefined
}

/** How many letters have to be put in, left out or changed to get from one word to the other (Levenshtein). */
function distanceBetween(from: string, to: string): number {
  let row = Array.from({ length: to.length + 1 }, (_, at) => at)
  for (const [line, letter] of Array.from(from).entries()) {
    const next = [line + 1]
    for (const [at, other] of Array.from(to).entries()) {
      const [diagonal = 0, above = 0, left = 0] = [row[at], row[at + 1], next[at]]
      next.push(Math.min(diagonal + (letter === other ? 0 : 1), above + 1, left + 1))
    }
    row = next
  }
  return row[to.length] ?? 0
}
