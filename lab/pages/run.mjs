// Checks every screen in its states, in every language: axe in both color schemes, the Nu HTML checker on what is served and
// on what is drawn, and Lighthouse on the pages that people open most.
//
// npm run lab -- pages                                        checks all of them
// npm run lab -- pages --only share,admin --languages ar   only these screens, in these languages
// npm run lab -- pages --only lighthouse                   only the speed
import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { AxeBuilder } from '@axe-core/playwright'
import pLimit from 'p-limit'
import { languages as allLanguages } from '../../db/language/languages.ts'
import { installPackages } from '../../scripts/packages.mjs'
import { Failure } from '../../scripts/run.mjs'
import { openScreen } from '../../scripts/screenshots/open.mjs'
import { screens } from '../../scripts/screenshots/screens.mjs'
import { openSites, PASSWORD } from '../../scripts/screenshots/sites.mjs'
import { freePort } from '../../scripts/testing/free-port.mjs'
import { paintPlainGround } from '../../scripts/testing/plain-ground.mjs'
import { signIn } from '../load.ts'

/** One more than there are processors on a small machine: pages also wait. */
const together = pLimit(3)
const phone = { width: 390, height: 844 }
const laptop = { width: 1280, height: 800 }
/** Rules that depend on colors: all others give the same result in dark mode. */
const rulesOfColors = ['color-contrast', 'link-in-text-block']
/** The HTML checker guesses the language from all words of a page; those of a long sheet are mostly names. */
const GUESS = /^This document appears to be written in/
/** Every category has to reach 100, except `but`: the main page shows names, so search engines are kept out. */
const timedPages = [
  { path: '/share' },
  { path: '/', but: 'is-crawlable' },
  { path: '/admin', signedIn: true, without: 'seo' },
]
const ROUNDS = 3

/** @param {import('../run.ts').Options} options */
export async function main({ only, languages = allLanguages.join() }) {
  const words = only?.split(',') ?? ['']
  const checks = screens
    .filter(({ name }) => words.some((word) => name.startsWith(word)))
    .flatMap((screen) => languages.split(',').map((language) => ({ screen, language })))
  const isTimed = words.some((word) => 'lighthouse'.startsWith(word))
  if (checks.length === 0 && !isTimed) throw new Failure(`No screen begins with ${words.join(' or ')}.`)

  const placeOf = await installPackages('pages', { lighthouse: '13.5.0', 'vnu-jar': '26.9.27' })
  const folder = mkdtempSync(join(tmpdir(), 'rsvp-pages-'))
  const port = await freePort()
  const sites = await openSites(screens, [`--remote-debugging-port=${port}`])
  try {
    const speed = isTimed ? await checkSpeed(placeOf('lighthouse'), sites, port) : []
    const accessibility = await Promise.all(checks.map((check) => together(() => checkScreen(sites, check, folder))))
    const html = checks.length > 0 ? checkHtml(join(placeOf('vnu-jar'), 'build', 'dist', 'vnu.jar'), folder) : []
    const found = [...speed, ...accessibility.flat(), ...html]
    for (const line of found) console.log(line)
    console.log(`${checks.length} pages, each in two color schemes: ${found.length} findings.`)
    if (found.length > 0) throw new Failure('Fix what is listed above, then run it again.')
  } finally {
    await sites.close()
    rmSync(folder, { recursive: true, force: true })
  }
}

/** @returns {Promise<string[]>} what is wrong, a line for each. */
async function checkScreen(sites, { screen, language }, folder) {
  const name = `${screen.name} ${language}`
  const found = []
  try {
    const { page, close } = await openScreen(sites, screen, {
      language,
      onServed: async (page, reply) => {
        page.on('pageerror', ({ message }) => {
          // A screen may refuse the scripts, to be seen without them.
          if (!message.startsWith('Failed to fetch dynamically')) found.push(`${name}: the page threw ${message}`)
        })
        writeFileSync(join(folder, `${name} served.html`), await reply.text())
      },
    })
    try {
      writeFileSync(join(folder, `${name} drawn.html`), await page.content())
      found.push(...(await runAxe(page, name, language === 'en' ? [phone, laptop] : [phone])))
    } finally {
      await close()
    }
  } catch (error) {
    found.push(`${name}: it was not checked, ${error.message.split('\n').slice(0, 3).join(' ')}`)
  }
  return found
}

async function runAxe(page, name, sizes) {
  const found = []
  await page.evaluate(paintPlainGround)
  for (const colorScheme of ['light', 'dark']) {
    await page.emulateMedia({ colorScheme })
    for (const size of sizes) {
      await page.setViewportSize(size)
      const axe = new AxeBuilder({ page })
      const { violations } = await (colorScheme === 'dark' ? axe.withRules(rulesOfColors) : axe).analyze()
      const where = `${name} ${colorScheme} ${size.width}`
      found.push(...violations.map((violation) => `${where}: axe ${violation.id}, ${firstOf(violation)}`))
    }
  }
  return found
}

function firstOf({ help, nodes: [first, ...others] }) {
  const more = others.length > 0 ? ` and ${others.length} more` : ''
  return `${help}: ${first?.target.join(' ')}${more}. ${first?.failureSummary?.replaceAll('\n', ' ') ?? ''}`
}

/** @returns {string[]} what is wrong, a line for each: errors and warnings, no remarks on how frameworks write HTML. */
function checkHtml(jar, folder) {
  const { error, stderr } = spawnSync('java', ['-jar', jar, '--format', 'json', '--skip-non-html', folder], {
    maxBuffer: 1 << 28,
    encoding: 'utf8',
  })
  if (error) {
    throw new Failure(
      'The Nu HTML checker needs Java: install it (Debian: `apt-get install default-jre-headless`), then run it again.',
    )
  }
  return JSON.parse(stderr)
    .messages.filter(({ type, subType }) => type === 'error' || subType === 'warning')
    .filter(({ url, message }) => !(GUESS.test(message) && url.includes('/sheet-full')))
    .map(({ url, lastLine, message, extract }) => {
      const page = decodeURIComponent(url.split('/').at(-1) ?? '').replace(/\.html$/, '')
      return `${page}, line ${lastLine}: ${message} ${extract?.replaceAll('\n', ' ') ?? ''}`
    })
}

/** @returns {Promise<string[]>} what misses 100 in the median of some rounds, a line for each. */
async function checkSpeed(place, sites, port) {
  const { default: lighthouse, desktopConfig } = await import(pathToFileURL(join(place, 'core', 'index.js')).href)
  const { url } = await sites.start('guarded')
  const cookie = await signIn(url, PASSWORD)
  const found = []
  for (const { path, but, signedIn, without } of timedPages) {
    for (const [device, config] of Object.entries({ phone: undefined, laptop: desktopConfig })) {
      const flags = { port, output: 'json', logLevel: 'silent', ...(signedIn && { extraHeaders: { cookie } }) }
      const reports = []
      for (let round = 0; round < ROUNDS; round++) reports.push((await lighthouse(url + path, flags, config)).lhr)
      const scores = Object.keys(reports[0].categories)
        .filter((category) => category !== without)
        .map((category) => scoreOf(category, reports))
      console.log(`${path} on a ${device}: ${scores.map(({ text }) => text).join(', ')}`)
      for (const { category, median, missed } of scores) {
        const own = missed.filter((audit) => audit !== but)
        if (median < 100 && (own.length > 0 || missed.length === 0))
          found.push(`${path} on a ${device}: Lighthouse ${category} ${median}, for ${own.join(', ')}`)
      }
    }
  }
  return found
}

function scoreOf(category, reports) {
  const scores = reports.map(({ categories }) => Math.round(categories[category].score * 100)).sort((a, b) => a - b)
  const median = scores[Math.floor(scores.length / 2)]
  const missed = reports.flatMap(({ categories, audits }) =>
    categories[category].auditRefs
      .filter(({ id, weight }) => weight > 0 && audits[id].score !== null && audits[id].score < 1)
      .map(({ id }) => id),
  )
  return {
    category,
    median,
    missed: [...new Set(missed)],
    text: `${category} ${median} (${scores[0]} to ${scores.at(-1)})`,
  }
}
