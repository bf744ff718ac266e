import { parseEnv } from 'node:util'
import { textOfEnvFile } from './env-file-text.ts'
import { environment } from './environment.ts'

/** Here a # behind a space is as likely a part of it, and half of it is worse than a comment too many in quotes. */
const SECRET = ['ADMIN_PASSWORD', 'DATABASE_AUTH_TOKEN']

/** Sentences on the settings in a file like .env of which only a part is read, without repeating any of it. */
export function findCutSettings(file: string | undefined): string[] {
  const text = textOfEnvFile(file)
  const read = parseEnv(text)
  return Object.keys(environment.shape).flatMap((name) => {
    const written = text.matchAll(new RegExp(`^[^\\S\\n]*(?:export\\s+)?${name}[^\\S\\n]*(=.*)$`, 'gm'))
    const last = Array.from(written, ([, assignment = '']) => assignment).at(-1)
    const cut = last === undefined ? undefined : cutIn(name, last)
    // Otherwise it stands within the quotes of another one.
    return cut !== undefined && cut.read === read[name] ? [cut.sentence] : []
  })
}

/** @param assignment what stands behind the name, with the sign between them. */
function cutIn(name: string, assignment: string): { read: string; sentence: string } | undefined {
  const value = assignment.slice(1).trim()
  const end = /^["'`]/.test(value) ? value.indexOf(value.charAt(0), 1) : -1
  if (end > 0) {
    const sentence = `${name} in .env is read only as far as its second quote. Put quotes of another kind around the whole value.`
    return /^(\s+#.*|#(\s.*)?)?$/.test(value.slice(end + 1)) ? undefined : { read: value.slice(1, end), sentence }
  }
  // Only the first # cuts.
  const isCut = SECRET.includes(name) ? /^[^#]*(\S#|#\S)/ : /^=([^#]*[^\s#]#|#[^\s#])/
  if (!isCut.test(assignment)) return undefined
  const sentence = `${name} in .env is read only as far as its #. Put the whole value in quotes, e.g. ${name}='a#b'.`
  return { read: value.slice(0, value.indexOf('#')).trim(), sentence }
}
