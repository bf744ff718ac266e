// Takes a picture of every screen in its states, in three languages, all widths and both color schemes, and compares it
// with the one accepted last.
//
// npm run screenshots                           takes all of them; screenshots/report/index.html shows the differences
// npm run screenshots -- --grep "share.* de"    only these, e.g. the share page in German (en, de, ar)
// npm run screenshots -- --update-snapshots     accepts the current pictures
import { defineConfig } from '@playwright/test'

export default defineConfig({
  testMatch: 'screens.spec.ts',
  snapshotPathTemplate: '../../screenshots/last/{arg}{ext}',
  outputDir: '../../screenshots/now',
  reporter: [['list'], ['html', { outputFolder: '../../screenshots/report', open: 'never' }]],
  timeout: 180_000,
  fullyParallel: true,
  workers: 3,
  // About 5 of 255 shades: browsers draw the edges of round corners slightly differently each time.
  expect: { toHaveScreenshot: { threshold: 0.02 } },
})
