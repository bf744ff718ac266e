// Takes a picture of every screen in its states, widths and color schemes, and compares it with the one accepted last.
//
// npm run screenshots                           takes all of them; screenshots/report/index.html shows what differs
// npm run screenshots -- --grep "share|admin"   only the screens whose names hold one of these words
// npm run screenshots -- --update-snapshots     accepts what is there now
import { defineConfig } from '@playwright/test'

export default defineConfig({
  testMatch: 'screens.spec.ts',
  snapshotPathTemplate: '../../screenshots/last/{arg}{ext}',
  outputDir: '../../screenshots/now',
  reporter: [['list'], ['html', { outputFolder: '../../screenshots/report', open: 'never' }]],
  timeout: 180_000,
  fullyParallel: true,
  workers: 3,
  // Of 255 shades about 5: browsers draw the edges of round corners a shade lighter or darker from one time to the next.
  expect: { toHaveScreenshot: { threshold: 0.02 } },
})
