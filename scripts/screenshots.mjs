// Takes a picture of every screen in its states, widths and color schemes, and shows what differs from those accepted last.
//
// npm run screenshots                      takes all of them and writes screenshots/index.html
// npm run screenshots -- --only share,admin   only the screens whose names begin with one of these words
// npm run screenshots -- --accept          takes none: those taken now become the last ones
import { cpSync, existsSync, mkdirSync, readdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { chromium as playwrightChromium } from '@playwright/test'
import { root } from './local-node.mjs'
import { Failure, finish } from './run.mjs'
import { comparePicture, foldersIn } from './screenshots/compare.mjs'
import { writePage } from './screenshots/page.mjs'
import { screens } from './screenshots/screens.mjs'
import { openSites } from './screenshots/sites.mjs'
import { picturesOf, takeScreen } from './screenshots/take.mjs'
import { chromium as chromiumPath } from './testing/chromium.mjs'

const folder = join(root, 'screenshots')
const folders = foldersIn(folder)
/** One more than there are processors on a small machine: pages also wait. */
const TOGETHER = 3

finish(async () => {
  const { values } = parseArgs({ options: { only: { type: 'string' }, accept: { type: 'boolean' } } })
  if (values.accept) return accept()
  const words = values.only?.split(',') ?? ['']
  const chosen = screens.filter(({ name }) => words.some((word) => name.startsWith(word)))
  if (chosen.length === 0) {
    throw new Failure(
      `No screen begins with ${words.join(' or ')}: name some of ${screens.map(({ name }) => name).join(', ')}.`,
    )
  }
  for (const path of Object.values(folders)) mkdirSync(path, { recursive: true })
  // What others show stays, to be accepted with these.
  for (const name of chosen.flatMap(picturesOf)) {
    for (const path of [folders.now, folders.difference]) rmSync(join(path, `${name}.png`), { force: true })
  }
  const pictures = (await takeAll(chosen)).sort((one, other) => (other.pixels ?? 0) - (one.pixels ?? 0))
  writePage(folder, pictures)
  const count = (kind) => pictures.filter((picture) => picture.kind === kind).length
  const failed = count('failed')
  console.log(
    `${pictures.length - failed} taken, ${count('changed')} changed, ${count('new')} new: screenshots/index.html`,
  )
  if (failed > 0) throw new Failure(`${failed} were not taken: ${pictures.find(({ reason }) => reason)?.reason}`)
})

async function takeAll(chosen) {
  const sites = await openSites([...new Set(screens.map(({ site }) => site))])
  const args = ['--no-sandbox', '--disable-gpu', `--host-resolver-rules=${sites.rules}`]
  const browser = await playwrightChromium.launch({ executablePath: await chromiumPath(), args })
  const pending = [...chosen]
  const pictures = []
  try {
    await Promise.all(Array.from({ length: TOGETHER }, work))
  } finally {
    await browser.close()
    await sites.close()
  }
  return pictures

  async function work() {
    for (let screen = pending.shift(); screen; screen = pending.shift()) pictures.push(...(await take(screen)))
  }

  async function take(screen) {
    const names = picturesOf(screen)
    try {
      const heights = await takeScreen(browser, sites, screen, folders.now)
      return names.map((name) => ({ name, height: heights[name.split(' ')[1]], ...comparePicture(folder, name) }))
    } catch (error) {
      return names.map((name) => ({ name, kind: 'failed', reason: `${screen.name}: ${error.message}` }))
    }
  }
}

function accept() {
  if (!existsSync(folders.now)) throw new Failure('There are no pictures yet: run `npm run screenshots` first.')
  const names = readdirSync(folders.now)
  cpSync(folders.now, folders.last, { recursive: true })
  console.log(`${names.length} accepted.`)
}
