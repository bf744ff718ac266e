import { type BrowserContext, type CDPSession, chromium as engine, type Page } from '@playwright/test'
import { chromium as findOrInstall } from '../../scripts/testing/chromium.mjs'
import { memoryOf } from './process-usage.mjs'

/** A phone of the middle class beside this machine. */
const SLOWER = 4
const PHONE = { viewport: { width: 390, height: 844 }, deviceScaleFactor: 3, isMobile: true, hasTouch: true }
const ARGUMENTS = ['--no-sandbox', '--disable-gpu', '--no-first-run', '--disable-background-networking']

export type Phone = { page: Page; memory(): Promise<number>; metric(name: string): Promise<number> }

/** Works with a fresh browser that has the screen and the speed of a phone. */
export async function withPhone<Result>(url: string, work: (phone: Phone) => Promise<Result>): Promise<Result> {
  const browser = await engine.launch({ executablePath: await findOrInstall(), args: ARGUMENTS })
  try {
    const context: BrowserContext = await browser.newContext({ ...PHONE, baseURL: url })
    const page = await context.newPage()
    const session: CDPSession = await context.newCDPSession(page)
    await session.send('Emulation.setCPUThrottlingRate', { rate: SLOWER })
    await session.send('Performance.enable')
    const processes = await browser.newBrowserCDPSession()
    return await work({
      page,
      // The page's process is the largest of its kind: the browser keeps empty ones ready.
      memory: async () => {
        const { processInfo } = await processes.send('SystemInfo.getProcessInfo')
        return Math.max(...processInfo.filter(({ type }) => type === 'renderer').map(({ id }) => memoryOf(id)))
      },
      metric: async (name) => {
        const { metrics } = await session.send('Performance.getMetrics')
        return metrics.find((metric) => metric.name === name)?.value ?? Number.NaN
      },
    })
  } finally {
    await browser.close()
  }
}
