import type { Page } from '@playwright/test'
import type { Figure, Target } from '../figures.ts'
import { withPhone } from '../phone.ts'
import { inTurns, type Row } from '../row.ts'
import { type Site, startSite, withServers } from '../servers.ts'
import { password } from '../stored.ts'

/** A page that takes longer is of no use; its figures are missing, and missed. */
const TIMEOUT_MS = 30_000
const MIB = 2 ** 20
const sizes: { stored: number; ready: Target; memory: Target }[] = [
  { stored: 100, ready: { atMost: 3 }, memory: { atMost: 1.3 } },
  { stored: 10_000, ready: { atMost: 3 }, memory: { atMost: 1.3 } },
  { stored: 100_000, ready: { atMost: 5 }, memory: { atMost: 1.6 } },
]
type Sample = { ready: number; memory: number; heap: number; nodes: number; selected: number }
const nothing: Sample = { ready: NaN, memory: NaN, heap: NaN, nodes: NaN, selected: NaN }

/** The administration on a phone, from its address until it can be used. */
export const a1: Row = {
  id: 'A1',
  title: '`/admin?week=all` with many responses on a phone, CPU 4 × slower',
  limit: 'the same page without responses',
  rounds: 3,
  measure: async (rounds) => {
    const figures: Figure[] = []
    for (const size of sizes) figures.push(...(await figuresOf(size, rounds)))
    return figures
  },
}

async function figuresOf({ stored, ready, memory }: (typeof sizes)[number], rounds: number): Promise<Figure[]> {
  const servers = { many: await startSite(stored), none: await startSite(0) }
  const samples = await withServers(servers, ({ many, none }) =>
    inTurns(rounds, {
      ours: () => opened(many, stored).catch((error) => missing(error)),
      limit: () => opened(none, 0),
    }),
  )
  const both = (name: keyof Sample) => ({
    ours: samples.ours.map((sample) => sample[name]),
    limit: samples.limit.map((sample) => sample[name]),
  })
  const count = stored.toLocaleString('en-US')
  const { ours: selected } = both('selected')
  return [
    { name: `${count}: ready`, unit: 'ms', ...both('ready'), target: ready },
    { name: `${count}: memory of the page`, unit: 'MiB', ...both('memory'), target: memory },
    { name: `${count}: select all`, unit: 'ms', ours: selected, target: { atMost: 80 } },
    { name: `${count}: JavaScript heap`, unit: 'MiB', ...both('heap') },
    { name: `${count}: DOM nodes`, unit: '', ...both('nodes') },
  ]
}

function opened(site: Site, stored: number): Promise<Sample> {
  return withPhone(site.url, async ({ page, memory, metric }) => {
    page.setDefaultTimeout(TIMEOUT_MS)
    const signIn = await page.request.post('/api/session', { data: { password } })
    if (!signIn.ok()) throw new Error(`The sign-in was replied to with ${signIn.status()}.`)
    const started = performance.now()
    await page.goto('/admin?week=all', { timeout: TIMEOUT_MS })
    await becameUsable(page)
    return {
      ready: performance.now() - started,
      memory: await memory(),
      heap: (await metric('JSHeapUsedSize')) / MIB,
      nodes: await metric('Nodes'),
      selected: stored === 0 ? Number.NaN : await selectAll(page),
    }
  })
}

/** From the click to the frame that shows it, in ms, by the page's own clock. */
function selectAll(page: Page): Promise<number> {
  return page.getByRole('checkbox', { name: 'Select all' }).evaluate(async (checkbox: HTMLInputElement) => {
    const clicked = performance.now()
    checkbox.click()
    await new Promise((resolve) => requestAnimationFrame(() => setTimeout(resolve)))
    if (!checkbox.checked) throw new Error('Nothing was selected.')
    return performance.now() - clicked
  })
}

/** React has taken over the last control of the page, and nothing is left to do. */
async function becameUsable(page: Page): Promise<void> {
  await page.waitForFunction(() => {
    const last = [...document.querySelectorAll('astro-island[client="load"] :is(button, input)')].at(-1)
    return last !== undefined && Object.keys(last).some((key) => key.startsWith('__reactProps'))
  })
  await page.evaluate(() => new Promise<void>((resolve) => requestIdleCallback(() => resolve())))
}

function missing(error: unknown): Sample {
  console.error(String(error).split('\n', 1)[0])
  return nothing
}
