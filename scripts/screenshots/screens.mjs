// The screens and their states: which site shows them, at which address, and what is done there before the picture.
import { administration } from './administration.mjs'
import { button } from './open.mjs'

const click = (name) => (page) => button(page, name).click()

const event = {
  title: 'Sabbath Worship Service',
  subtitle: 'Join us in worship and fellowship',
  description: 'Come as you are.',
  date: 'Every Sabbath',
  location: '123 Main Street, Springfield',
}

/**
 * @typedef {object} Screen
 * @property {string} name the group before the first `-` is what `npm run lab -- pages --only` names
 * @property {string} site a site of sites.mjs; with a second word, one that only this screen uses and changes
 * @property {string} path
 * @property {boolean} [signedIn] as administrator
 * @property {(page: import('@playwright/test').Page, elsewhere: (call: string, body: object) => Promise<void>) =>
 * Promise<unknown>} [prepare] what is done first; `elsewhere` is what someone else sends meanwhile
 */
/** @type {Screen[]} */
export const screens = [
  { name: 'main-empty', site: 'empty', path: '/' },
  { name: 'main-typical', site: 'typical', path: '/' },
  { name: 'main-full', site: 'full', path: '/' },
  { name: 'main-guarded', site: 'guarded', path: '/' },
  { name: 'main-guarded-administrator', site: 'guarded', path: '/', signedIn: true },
  { name: 'main-edit', site: 'typical', path: '/', prepare: click('Edit') },
  {
    name: 'main-conflict',
    site: 'typical conflict',
    path: '/',
    async prepare(page, elsewhere) {
      await button(page, 'Edit').click()
      await page.getByLabel('Time', { exact: true }).fill('11 AM')
      await elsewhere('POST /api/event', { ...event, time: '9:30 AM' })
      await button(page, 'Confirm').click()
      await page.getByRole('heading', { name: 'The event was changed twice' }).waitFor()
    },
  },
  { name: 'guard', site: 'empty', path: '/guard' },
  { name: 'share-empty', site: 'empty', path: '/share' },
  { name: 'share-typical', site: 'typical', path: '/share' },
  { name: 'share-full', site: 'full', path: '/share' },
  { name: 'share-guarded', site: 'guarded', path: '/share' },
  { name: 'share-skipped', site: 'skipped', path: '/share' },
  { name: 'share-closed', site: 'closed', path: '/share' },
  {
    name: 'share-filled',
    site: 'typical',
    path: '/share',
    async prepare(page) {
      await fill(page)
      await addFamily(page)
    },
  },
  {
    name: 'share-code',
    site: 'typical',
    path: '/share',
    async prepare(page) {
      await page.getByText('Show the QR code').click()
      await page.getByRole('img', { name: /^QR code/ }).evaluate((image) => image.decode())
    },
  },
  {
    name: 'share-languages',
    site: 'typical',
    path: '/share',
    prepare: (page) => page.locator('.languages summary').first().click(),
  },
  { name: 'share-no', site: 'typical', path: '/share', prepare: (page) => page.getByText("No, I can't").click() },
  {
    name: 'share-errors',
    site: 'typical',
    path: '/share',
    async prepare(page) {
      await button(page, 'Add Family Member').click()
      await button(page, 'Submit RSVP').click()
      await page.getByText('Name is required').first().waitFor()
    },
  },
  {
    name: 'share-thanks',
    site: 'typical thanks',
    path: '/share',
    async prepare(page) {
      await fill(page)
      await addFamily(page)
      await submit(page)
    },
  },
  {
    name: 'share-thanks-no',
    site: 'typical thanks-no',
    path: '/share',
    async prepare(page) {
      await fill(page)
      await page.getByText("No, I can't").click()
      await submit(page)
    },
  },
  {
    name: 'share-thanks-calendar',
    site: 'typical thanks-calendar',
    path: '/share',
    async prepare(page) {
      await fill(page)
      await page.getByText('Google Calendar', { exact: true }).click()
      await page.locator('[name=message]').fill('We arrive late.')
      await submit(page)
    },
  },
  {
    // As where no script loads: the browser posts the form.
    name: 'share-thanks-posted',
    site: 'typical thanks-posted',
    path: '/share',
    async prepare(page) {
      await page.route('**/*.js', (route) => route.abort())
      await page.reload()
      await fill(page)
      await submit(page)
      await page.getByLabel('Your private link').evaluate((input) => {
        input.value = input.value.replace(/key=.*/, 'key=a-secret-that-never-changes')
      })
    },
  },
  {
    name: 'share-remembered',
    site: 'typical',
    path: '/share',
    async prepare(page) {
      // Its key is unknown, which the page must not find out.
      await page.route('**/api/answer', (route) => route.abort())
      await page.evaluate(() => {
        const line = 'You answered: Yes, 3 people, for Saturday, November 21'
        const endsAt = '2100-01-01T00:00:00.000Z'
        localStorage.setItem('rsvp-remembered', JSON.stringify({ key: 'a'.repeat(22), line, saysDay: true, endsAt }))
      })
      await page.reload()
      await page.getByRole('heading', { name: 'Your RSVP' }).waitFor()
    },
  },
  {
    name: 'share-offline',
    site: 'typical',
    path: '/share',
    async prepare(page) {
      await fill(page)
      await addFamily(page)
      await page.context().setOffline(true)
      await button(page, 'Submit RSVP').click()
      await page.getByRole('heading', { name: 'Kept on this device' }).waitFor()
    },
  },
  {
    name: 'share-church',
    site: 'typical church',
    path: '/share',
    async prepare(page, elsewhere) {
      await elsewhere('PATCH /api/church', { name: 'Springfield Seventh-day Adventist Church', accent: '#1f5d8a' })
      await page.reload()
      await page.locator('.cover__name').waitFor()
    },
  },
  {
    name: 'main-no-day',
    site: 'empty no-day',
    path: '/',
    async prepare(page, elsewhere) {
      await elsewhere('POST /api/event', { ...event, date: 'Sundays, except the first of a month', time: '9:30 AM' })
      await page.reload()
      await page.locator('.contradiction__notice').waitFor()
    },
  },
  { name: 'private-link', site: 'typical', path: 'link' },
  { name: 'private-link-unknown', site: 'typical', path: '/answer?key=unknown' },
  { name: 'privacy', site: 'typical', path: '/privacy' },
  { name: 'sign-in', site: 'guarded', path: '/admin' },
  {
    name: 'sign-in-wrong',
    site: 'guarded wrong',
    path: '/admin',
    async prepare(page) {
      await page.getByLabel('Password', { exact: true }).fill('not the password')
      await button(page, 'Sign In').click()
      await page.locator('[role=alert], .field__error, .notice').first().waitFor()
    },
  },
  { name: 'not-found', site: 'typical', path: '/no-such-page' },
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
