// Checks every screen in its states, in every language: axe in both color schemes, the Nu HTML checker on what is served and
// on what is drawn, and Lighthouse on the pages that people open most.
//
// npm run pages                                        checks all of them
// npm run pages -- --only share,admin --languages ar   only these screens, in these languages
// npm run pages -- --only lighthouse                   only the speed
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { chromium as playwrightChromium } from '@playwright/test'
import { languages } from '../../db/language/languages.ts'
import { Failure, finish } from '../../scripts/run.mjs'
import { screens } from '../../scripts/screenshots/screens.mjs'
import { openSites, PASSWORD } from '../../scripts/screenshots/sites.mjs'
import { chromium as chromiumPath } from '../../scripts/testing/chromium.mjs'
import { freePort } from '../../scripts/testing/free-port.mjs'
import { checkScreen } from './accessibility.mjs'
import { installCheckers } from './checkers.mjs'
import { checkHtml } from './html.mjs'
import { checkSpeed } from './lighthouse.mjs'

/** One more than there are processors on a small machine: pages also wait. */
const TOGETHER = 3

finish(async () => {
  const options = { only: { type: 'string' }, languages: { type: 'string', default: languages.join() } }
  const { values } = parseArgs({ options })
  const words = values.only?.split(',') ?? ['']
  const checks = screens
    .filter(({ name }) => words.some((word) => name.startsWith(word)))
    .flatMap((screen) => values.languages.split(',').map((language) => ({ screen, language })))
  const isTimed = words.some((word) => 'lighthouse'.startsWith(word))
  if (checks.length === 0 && !isTimed) throw new Failure(`No screen begins with ${words.join(' or ')}.`)

  const { jar, lighthouse } = await installCheckers()
  const folder = mkdtempSync(join(tmpdir(), 'rsvp-pages-'))
  const sites = await openSites([...new Set(screens.map(({ site }) => site))])
  const port = await freePort()
  const args = [
    '--no-sandbox',
    '--disable-gpu',
    `--host-resolver-rules=${sites.rules}`,
    `--remote-debugging-port=${port}`,
  ]
  const browser = await playwrightChromium.launch({ executablePath: await chromiumPath(), args })
  try {
    const speed = isTimed ? await checkSpeed(lighthouse, { ...(await signIn(sites)), port }) : []
    const accessibility = await checkAll(checks, { browser, sites, folder })
    const html = checks.length > 0 ? checkHtml(jar, folder) : []
    report([...speed, ...accessibility, ...html], checks)
  } finally {
    await browser.close()
    await sites.close()
    rmSync(folder, { recursive: true, force: true })
  }
})

async function checkAll(checks, { browser, sites, folder }) {
  const pending = [...checks]
  const found = []
  await Promise.all(Array.from({ length: TOGETHER }, work))
  return found

  async function work() {
    for (let check = pending.shift(); check; check = pending.shift())
      found.push(...(await checkScreen(browser, sites, check.screen, check.language, folder)))
  }
}

/** Where the site with a password is, and what its administrator's browser sends. */
async function signIn(sites) {
  const { url } = await sites.start('guarded')
  const headers = { 'content-type': 'application/json', origin: url }
  const body = JSON.stringify({ password: PASSWORD })
  const reply = await fetch(`${url}/api/session`, { method: 'POST', headers, body })
  if (!reply.ok) throw new Error(`Signing in failed: ${await reply.text()}`)
  return {
    url,
    cookie: reply.headers
      .getSetCookie()
      .map((cookie) => cookie.split(';')[0])
      .join('; '),
  }
}

function report(found, checks) {
  for (const line of found) console.log(line)
  console.log(`${checks.length} pages, each in two color schemes: ${found.length} findings.`)
  if (found.length > 0) throw new Failure('Fix what is listed above, then run it again.')
}
