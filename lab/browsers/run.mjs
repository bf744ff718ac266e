// Walks through the built site as a visitor and as the clerk, in Firefox and in WebKitGTK, both Debian's. The tests do so in
// Chromium.
//
// npm run lab -- browsers           both of them
// npm run lab -- browsers webkit    one
import { mkdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { root } from '../../scripts/local-node.mjs'
import { installPackages } from '../../scripts/packages.mjs'
import { Failure } from '../../scripts/run.mjs'
import { startBuiltServer } from '../../scripts/testing/built-server.mjs'
import { send } from '../load.ts'
import { firefox, webkit } from './drivers.mjs'
import { clerkSteps, visitorSteps } from './steps.mjs'
import { walkWith } from './walk.mjs'

const browsers = { firefox, webkit }
const password = 'a password for walks'
const counts = { passed: 0, failed: 0 }

/** @param {import('../run.ts').Options} options */
export async function main({ names }) {
  const chosen = names.length > 0 ? names : Object.keys(browsers)
  const unknown = chosen.filter((name) => !(name in browsers))
  if (unknown.length > 0) throw new Failure(`Name some of ${Object.keys(browsers).join(', ')}.`)
  const placeOf = await installPackages('browsers', { 'puppeteer-core': '25.16.0', 'selenium-webdriver': '4.49.0' })
  for (const name of chosen) await walkIn(name, placeOf)
  console.log(`${counts.passed} passed, ${counts.failed} failed: see screenshots/browsers`)
  if (counts.failed > 0) throw new Failure('Fix what is listed above, then run it again.')
}

async function walkIn(name, placeOf) {
  const folder = join(root, 'screenshots', 'browsers', name)
  rmSync(folder, { recursive: true, force: true })
  mkdirSync(folder, { recursive: true })
  for (const [who, steps, variables] of [
    ['a visitor', visitorSteps, {}],
    ['the clerk', clerkSteps, { ADMIN_PASSWORD: password }],
  ]) {
    const site = await startBuiltServer(variables)
    const driver = await browsers[name](placeOf)
    console.log(`${driver.version}: ${who}`)
    try {
      if (who === 'the clerk') await storeThree(site.url)
      await take(steps, {
        walk: walkWith(driver, site.url, folder),
        password,
        stopSite: () => site.kill(),
        readRsvps: async () => (await fetch(`${site.url}/api/rsvps`)).json(),
      })
    } finally {
      await driver.close()
      await site.stop()
    }
  }
}

/** A step that fails does not keep the others from being tried. */
async function take(steps, tools) {
  for (const [name, step] of Object.entries(steps)) {
    try {
      await step(tools)
      counts.passed += 1
      console.log(`  ok     ${name}`)
    } catch (error) {
      counts.failed += 1
      console.log(`  FAILED ${name}: ${error.message.split('\n')[0]}`)
      await tools.walk.look(`failed ${name}`).catch(() => {})
    }
  }
}

async function storeThree(url) {
  for (const number of [1, 2, 3])
    await send(url, 'POST /api/rsvp', { name: `Visitor ${number}`, email: `v${number}@x.example`, attending: true })
}
