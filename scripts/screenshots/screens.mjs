// The screens and their states: which site shows them, at which address, and what is done there before the picture.
import { administration } from './administration.mjs'
import { button, screen, signedIn } from './open.mjs'

const click = (name) => (page) => button(page, name).click()

const event = {
  title: 'Sabbath Worship Service',
  subtitle: 'Join us in worship and fellowship',
  description: 'Come as you are.',
  date: 'Every Sabbath',
  location: '123 Main Street, Springfield',
}

/** @type {import('./open.mjs').Screen[]} */
export const screens = [
  screen('main-empty', 'empty', '/'),
  screen('main-typical', 'typical', '/'),
  screen('main-full', 'full', '/'),
  screen('main-guarded', 'guarded', '/'),
  signedIn(screen('main-guarded-administrator', 'guarded', '/')),
  screen('main-edit', 'typical', '/', click('Edit')),
  screen('main-conflict', 'typical conflict', '/', async (page, elsewhere) => {
    await button(page, 'Edit').click()
    await page.getByLabel('Time', { exact: true }).fill('11 AM')
    await elsewhere('POST /api/event', { ...event, time: '9:30 AM' })
    await button(page, 'Confirm').click()
    await page.getByRole('heading', { name: 'The event was changed twice' }).waitFor()
  }),
  screen('guard', 'empty', '/guard'),
  screen('share-empty', 'empty', '/share'),
  screen('share-typical', 'typical', '/share'),
  screen('share-full', 'full', '/share'),
  screen('share-guarded', 'guarded', '/share'),
  screen('share-skipped', 'skipped', '/share'),
  screen('share-closed', 'closed', '/share'),
  screen('share-filled', 'typical', '/share', async (page) => {
    await fill(page)
    await page.getByText('Every week until we change it').click()
    await page.getByText('It is our first time').click()
    await addFamily(page)
  }),
  screen('share-code', 'typical', '/share', async (page) => {
    await page.getByText('Show the QR code').click()
    await page.locator('img[src="/qr.svg"]').evaluate((image) => image.decode())
  }),
  screen('share-languages', 'typical', '/share', (page) => page.locator('.languages summary').first().click()),
  screen('share-no', 'typical', '/share', (page) => page.getByText("No, I can't").click()),
  screen('share-errors', 'typical', '/share', async (page) => {
    await button(page, 'Add Family Member').click()
    await button(page, 'Submit RSVP').click()
    await page.getByText('Name is required').first().waitFor()
  }),
  screen('share-thanks', 'typical thanks', '/share', async (page) => {
    await fill(page)
    await addFamily(page)
    await submit(page)
  }),
  screen('share-thanks-no', 'typical thanks-no', '/share', async (page) => {
    await fill(page)
    await page.getByText("No, I can't").click()
    await submit(page)
  }),
  screen('share-thanks-calendar', 'typical thanks-calendar', '/share', async (page) => {
    await fill(page)
    await page.getByText('Google Calendar', { exact: true }).click()
    await page.locator('[name=message]').fill('We arrive late.')
    await submit(page)
  }),
  // As where no script loads: the browser posts the form.
  screen('share-thanks-posted', 'typical thanks-posted', '/share', async (page) => {
    await page.route('**/*.js', (route) => route.abort())
    await page.reload()
    await fill(page)
    await submit(page)
    await page.getByLabel('Your private link').evaluate((input) => {
      input.value = input.value.replace(/key=.*/, 'key=a-secret-that-never-changes')
    })
  }),
  screen('share-remembered', 'typical', '/share', async (page) => {
    // Its key is unknown, which the page must not find out.
    await page.route('**/api/answer', (route) => route.abort())
    await page.evaluate(() => {
      const line = 'You answered: Yes, 3 people, for Saturday, November 21'
      const endsAt = '2100-01-01T00:00:00.000Z'
      localStorage.setItem('rsvp-remembered', JSON.stringify({ key: 'a'.repeat(22), line, saysDay: true, endsAt }))
    })
    await page.reload()
    await page.getByRole('heading', { name: 'Your RSVP' }).waitFor()
  }),
  screen('share-offline', 'typical', '/share', async (page) => {
    await fill(page)
    await addFamily(page)
    await page.context().setOffline(true)
    await button(page, 'Submit RSVP').click()
    await page.getByRole('heading', { name: 'Kept on this device' }).waitFor()
  }),
  screen('share-church', 'typical church', '/share', async (page, elsewhere) => {
    await elsewhere('PATCH /api/church', { name: 'Springfield Seventh-day Adventist Church', accent: '#1f5d8a' })
    await page.reload()
    await page.locator('.cover__name').waitFor()
  }),
  screen('main-no-day', 'empty no-day', '/', async (page, elsewhere) => {
    await elsewhere('POST /api/event', { ...event, date: 'Sundays, except the first of a month', time: '9:30 AM' })
    await page.reload()
    await page.locator('.contradiction__notice').waitFor()
  }),
  screen('private-link', 'typical', 'link'),
  screen('private-link-unknown', 'typical', '/answer?key=unknown'),
  screen('privacy', 'typical', '/privacy'),
  screen('sign-in', 'guarded', '/admin'),
  screen('sign-in-wrong', 'guarded wrong', '/admin', async (page) => {
    await page.getByLabel('Password', { exact: true }).fill('not the password')
    await button(page, 'Sign In').click()
    await page.locator('[role=alert], .field__error, .notice').first().waitFor()
  }),
  screen('not-found', 'typical', '/no-such-page'),
  ...administration,
]

async function fill(page) {
  await page.getByText("Yes, I'll attend").click()
  await page.getByLabel('Name', { exact: true }).fill('Ana Cole')
  await page.getByLabel('Email').fill('ana@cole.example')
}

async function addFamily(page) {
  for (const [place, name] of ['Joel Cole', 'Dina Cole'].entries()) {
    await button(page, 'Add Family Member').click()
    await page.getByLabel(`Name of family member ${place + 1}`).fill(name)
  }
}

async function submit(page) {
  await button(page, 'Submit RSVP').click()
  // In its panel, and in the notice, which appears a little later.
  await page.getByText('RSVP Submitted').first().waitFor()
  await page.locator('.thanks').waitFor()
}
