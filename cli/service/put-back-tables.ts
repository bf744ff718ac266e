import { readdir } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import { fileOf } from '#db/config/places.ts'
import { CommandError, failure } from '../exit-code.ts'
import { type Release, runAt } from './release.ts'
import { accountOf, configOf, layoutOf } from './site.ts'
import { type Account, runTool, runToolAs } from './system.ts'
import { makeTrialFolder, removeTrial, trialFolder } from './trial.ts'

/** An import reads at most 50,000 rows and 20 MB, in every version; a character has up to four bytes. */
const PART_MAXIMUM = { rows: 20_000, characters: 4_000_000 }

/** Every part begins with the titles. A row continues on the next line if a line ends within quotes. */
const SPLIT = `
NR == 1 { titles = $0; next }
!quoted && (part == 0 || rows >= maxRows || characters >= maxCharacters) {
  if (part > 0) close(out)
  out = FILENAME "." (++part)
  print titles > out
  rows = characters = 0
}
{
  print > out
  characters += length($0)
  quoted = (quoted + gsub(/"/, "&")) % 2
  rows += !quoted
}
END { print part + 0 }`

/** Whether a release works with the tables of a site as they are, or migrates them at its start. */
export async function canUseTables(site: string, release: Release): Promise<boolean> {
  try {
    await runAt(site, release, ['stats', '--json'])
    return true
  } catch (error) {
    if (!(error instanceof CommandError)) throw error
    if (error.message.includes('newer version')) return false
    if (error.message.includes('older version')) return true
    throw error
  }
}

/**
 * Stops a site, restores its database from before the update and adds the responses since, for a release that cannot
 * use the newer tables. The newer database is kept beside it.
 * @param from the release that changed the tables.
 * @param to the release that needs them as they were.
 * @param since the copy from before the update must be newer than this; by default the last one is used.
 * @throws CommandError 'failed' if there is no such copy.
 */
export async function putBackTables(site: string, from: Release, to: Release, since?: Date): Promise<void> {
  const before = await findCopy(site, since)
  const account = await accountOf(site)
  const [list, copy] = ['responses.csv', 'rsvp.db'].map((name) => join(trialFolder(site), name)) as [string, string]
  await makeTrialFolder(site)
  await runTool('systemctl', 'stop', layoutOf(site).service)
  // Raw, because the older release may not restore what the newer one protects.
  await runAt(site, from, ['export', '--raw', '--out', list, '--quiet'])
  await runToolAs(account, 'cp', '--', before, copy)
  // The copy may be even older than this release, which could then not import into it.
  await runAt(site, to, ['migrate', '--quiet'], { copy })
  for (const part of await splitList(list, account)) {
    await runAt(site, to, ['import', part, '--raw', '--yes', '--quiet'], { copy })
  }
  // Last and in one step: until then nothing has changed, whatever fails or is killed.
  await runAt(site, to, ['backup', 'restore', copy, '--yes', '--quiet'])
  await removeTrial(site)
}

/**
 * Splits an export into files beside it that are small enough for an import, and returns them with the oldest responses
 * first. Runs as the account, because root must not write to its folder.
 * @public for its test.
 */
export async function splitList(list: string, account: Partial<Account>, maximum = PART_MAXIMUM): Promise<string[]> {
  const bounds = ['-v', `maxRows=${maximum.rows}`, '-v', `maxCharacters=${maximum.characters}`]
  const parts = Number(await runToolAs(account, 'awk', ...bounds, SPLIT, list))
  return Array.from({ length: parts }, (_, at) => `${list}.${parts - at}`)
}

/** The copy that the start of a newer version keeps before it changes the tables. */
async function findCopy(site: string, since = new Date(0)): Promise<string> {
  const { databaseUrl } = await configOf(site)
  const file = fileOf(databaseUrl)
  const refuse = (why: string) => {
    const sentence = `The tables of ${site} were changed and cannot be changed back, because ${why}`
    return failure(sentence)
  }
  if (file === undefined) throw refuse('its database is on a libSQL server')
  const start = `${basename(file)}.before-update-`
  const names = await readdir(dirname(file))
  const [newest = ''] = names
    .filter((name) => name.startsWith(start))
    .sort()
    .reverse()
  // The name contains the moment, so names sort by age.
  if (newest < start + since.toISOString().replaceAll(':', '-')) throw refuse('there is no copy from before')
  return join(dirname(file), newest)
}
