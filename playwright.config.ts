import { join } from 'node:path'
import { defineConfig, devices } from '@playwright/test'
import { findChromium } from './scripts/testing/chromium.mjs'
import { withOverrides } from './scripts/testing/overrides.mjs'

// Passwords are cheap in every server that a test starts.
Object.assign(process.env, withOverrides())
// The browser measures with the same fonts on every machine, unless `npm run test:long -- fonts` wants those of this one.
if (!process.env.OWN_FONTS) process.env.FONTCONFIG_FILE = join(import.meta.dirname, 'scripts/testing/fonts.conf')
// Under another clock, unlike Node, it needs the monotonic one of libfaketime.
const { FAKETIME_DONT_FAKE_MONOTONIC: _, ...env } = process.env

const disabledByPlaywright =
  `AimEnabled AvoidUnnecessaryBeforeUnloadCheckSync DestroyProfileOnBrowserClose HttpsUpgrades
  MediaRouter NetworkTimeServiceQuerying OptimizationHints PaintHolding PreconnectToSearch
  ThirdPartyStoragePartitioning AvoidCorsURLLoaderRestartOnRedirect`.split(/\s+/)
/** Pages that Chromium draws below the address of each window, a tenth of the cost of all tests, and a spare renderer. */
const costly = 'WebUIOmniboxPopup WebUIOmniboxFullPopup WebUIOmniboxAimPopup SpareRendererForSitePerProcess'.split(' ')

const args = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
  // Of several such arguments the last one counts, so it repeats Playwright's own.
  `--disable-features=${[...disabledByPlaywright, ...costly]}`,
]

export default defineConfig({
  testDir: './site/e2e',
  // Like those of vitest.config.ts, these only end what hangs.
  timeout: 180_000,
  expect: { timeout: 60_000 },
  outputDir: './test-results',
  forbidOnly: true,
  // One more than there are processors on a small machine: much of what is waited for here is no computation.
  workers: 3,
  retries: 0,
  use: {
    ...devices['Desktop Chrome'],
    // Motion costs time, and toasts.spec.ts is about it.
    contextOptions: { reducedMotion: 'reduce' },
    // The worker would load a copy of the page in every test. offline.spec.ts is about it.
    serviceWorkers: 'block',
    launchOptions: { executablePath: findChromium(), args, env },
    // A trace would cost a seventh of the time of all tests: `--trace on` records one. Where a test fails, error-context.md
    // has the page's text.
    trace: 'off',
    screenshot: 'only-on-failure',
  },
})
