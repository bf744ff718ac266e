import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { listSites, projectRoot } from '#db/config/places.ts'
import type { Finding } from './finding.ts'

/** What was found at one site. */
export type SiteFindings = { site: string; findings: Finding[] }

const start = promisify(execFile)
const launcher = join(projectRoot, 'cli', 'launcher.cjs')

/** Examines every site that runs as a service here, each in a process of its own: a process has one database. */
export async function examineEverySite(): Promise<SiteFindings[]> {
  const found: SiteFindings[] = []
  for (const site of listSites()) found.push({ site, findings: await examineSite(site) })
  return found
}

async function examineSite(site: string): Promise<Finding[]> {
  try {
    // It ends with 1 where something is wrong, and prints all the same.
    const words = [launcher, '--site', site, 'doctor', '--json']
    const { stdout } = await start(process.execPath, words).catch((error) => error)
    return JSON.parse(stdout)
  } catch {
    const text = `It could not be examined: run \`rsvp doctor --site ${site}\`.`
    return [{ name: 'Examination', ok: false, text }]
  }
}
