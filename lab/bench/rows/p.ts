import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { localEnvironment } from '../../../scripts/local-node.mjs'
import { chromium } from '../../../scripts/testing/chromium.mjs'
import type { Figure } from '../figures.ts'
import type { Row } from '../row.ts'
import { startSite, withServers } from '../servers.ts'
import { YEAR_OF_HUNDREDS } from '../stored.ts'

/** Fetched when this row is measured: with its 114 packages it weighs 176 MB, which no installation needs. */
const LIGHTHOUSE = 'lighthouse@13.5.0'
const CATEGORIES = ['performance', 'accessibility', 'best-practices', 'seo']
const OUTPUT_MAXIMUM = 64 * 2 ** 20
const run = promisify(execFile)
type Report = { categories: Record<string, { score: number | null }> }

/** What Lighthouse says of the public page on its phone with slow 4G. */
export const p: Row = {
  id: 'P',
  title: 'Lighthouse, `/share`, phone',
  limit: '100 in all four categories',
  rounds: 3,
  measure: async (rounds) =>
    withServers({ site: await startSite(YEAR_OF_HUNDREDS) }, async ({ site }) => {
      const reports: Report[] = []
      for (let round = 0; round < rounds; round++) reports.push(await reportOn(`${site.url}/share`))
      return CATEGORIES.map((name): Figure => {
        const ours = reports.map(({ categories }) => Math.round((categories[name]?.score ?? Number.NaN) * 100))
        return { name, unit: '', ours, target: { atLeast: 100 } }
      })
    }),
}

async function reportOn(url: string): Promise<Report> {
  const words = ['exec', '--yes', `--package=${LIGHTHOUSE}`, '--', 'lighthouse', url, '--quiet', '--output=json']
  const chosen = [`--only-categories=${CATEGORIES.join()}`, '--chrome-flags=--headless --no-sandbox']
  const env = localEnvironment({ CHROME_PATH: await chromium() })
  const { stdout } = await run('npm', [...words, ...chosen], { env, maxBuffer: OUTPUT_MAXIMUM })
  return JSON.parse(stdout)
}
