import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { chromium as engine, type Page } from '@playwright/test'
import { root } from '../../../scripts/local-node.mjs'
import { shareBundle } from '../../../scripts/share-bundle.mjs'
import { chromium as findOrInstall } from '../../../scripts/testing/chromium.mjs'
import { both, each, inRounds, inTurns, type Row } from '../figures.ts'
import { type Site, startSite } from '../measured.ts'
import { password, YEAR_OF_HUNDREDS } from '../stored.ts'

/** How much slower a mid-range phone is than this machine. */
const SLOWER = 4
const PHONE = { viewport: { width: 390, height: 844 }, deviceScaleFactor: 3, isMobile: true, hasTouch: true }
const ARGUMENTS = ['--no-sandbox', '--disable-gpu', '--no-first-run', '--disable-background-networking']
/** As Lighthouse has it: a round trip in ms, and bytes a second. */
const SLOW_4G = { offline: false, latency: 150, downloadThroughput: 204_800, uploadThroughput: 93_750 }
const TIMEOUT_MS = 60_000

export const browserRows: Record<string, Row> = {
  B1: {
    about: 'JavaScript of `/share` before the first interaction, gzip',
    rounds: 1,
    async measure() {
      const files = await shareBundle()
      const sizes = await Promise.all(files.map(async (file) => gzipSync(await readFile(join(root, file))).length))
      const ours = [sizes.reduce((sum, size) => sum + size, 0) / 1000]
      return [{ name: 'size', unit: 'kB', ours, target: { atMost: 82 } }]
    },
  },
  B1t: {
    about: '`/share` on a phone, slow 4G, CPU 4 × slower',
    rounds: 5,
    async measure(rounds) {
      await using site = await startSite(YEAR_OF_HUNDREDS)
      const samples = await inRounds(rounds, () => shareOpened(site))
      return [
        { name: 'form seen', unit: 's', ours: each(samples, 'seen'), target: { atMost: 1 } },
        { name: 'form usable', unit: 's', ours: each(samples, 'usable'), target: { atMost: 1.8 } },
      ]
    },
  },
  A1: {
    about: '`/admin?week=all` with 100,000 responses on a phone, CPU 4 × slower; limit: the same page with 100',
    rounds: 3,
    async measure(rounds) {
      await using many = await startSite(100_000)
      await using few = await startSite(100)
      const samples = await inTurns(rounds, { ours: () => adminOpened(many), limit: () => adminOpened(few) })
      return [
        { name: 'ready', unit: 'ms', ...both(samples, 'ready'), target: { atMost: 4 } },
        { name: 'select all', unit: 'ms', ours: each(samples.ours, 'selected'), target: { atMost: 160 } },
      ]
    },
  },
}

/** In seconds since the address was entered. */
function shareOpened({ url }: Site): Promise<{ seen: number; usable: number }> {
  return withPhone(url, SLOW_4G, async (page) => {
    await page.goto('/share')
    await becameUsable(page)
    return page.evaluate(() => {
      const [painted] = performance.getEntriesByName('first-contentful-paint')
      return { seen: (painted?.startTime ?? Number.NaN) / 1000, usable: performance.now() / 1000 }
    })
  })
}

/** In ms: `ready` from its address until usable, `selected` from clicking "Select all" to the frame that shows it. */
function adminOpened({ url }: Site): Promise<{ ready: number; selected: number }> {
  return withPhone(url, undefined, async (page) => {
    const signIn = await page.request.post('/api/session', { data: { password } })
    if (!signIn.ok()) throw new Error(`The reply to the sign-in was ${signIn.status()}.`)
    const started = performance.now()
    await page.goto('/admin?week=all')
    await becameUsable(page)
    const ready = performance.now() - started
    const selectAll = page.getByRole('checkbox', { name: 'Select all' })
    const selected = await selectAll.evaluate(async (checkbox: HTMLInputElement) => {
      const clicked = performance.now()
      checkbox.click()
      await new Promise((resolve) => requestAnimationFrame(() => setTimeout(resolve)))
      if (!checkbox.checked) throw new Error('Nothing was selected.')
      return performance.now() - clicked
    })
    return { ready, selected }
  })
}

/** Works with a fresh browser that has the screen and the speed of a phone. */
async function withPhone<Result>(
  baseURL: string,
  network: typeof SLOW_4G | undefined,
  work: (page: Page) => Promise<Result>,
): Promise<Result> {
  await using browser = await engine.launch({ executablePath: await findOrInstall(), args: ARGUMENTS })
  const context = await browser.newContext({ ...PHONE, baseURL })
  const page = await context.newPage()
  page.setDefaultTimeout(TIMEOUT_MS)
  const session = await context.newCDPSession(page)
  await session.send('Emulation.setCPUThrottlingRate', { rate: SLOWER })
  if (network !== undefined) await session.send('Network.emulateNetworkConditions', network)
  return await work(page)
}

/** Waits until React has taken over the last control of the page, and nothing is left to do. */
async function becameUsable(page: Page): Promise<void> {
  await page.waitForFunction(() => {
    const last = [...document.querySelectorAll('astro-island[client="load"] :is(button, input)')].at(-1)
    return last !== undefined && Object.keys(last).some((key) => key.startsWith('__reactProps'))
  })
  await page.evaluate(() => new Promise<void>((resolve) => requestIdleCallback(() => resolve())))
}
