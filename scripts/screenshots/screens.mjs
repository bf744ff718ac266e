// The screens and their states: which site shows them, at which address, and what is done there before the picture.
import { testPicture } from '#db/church/picture-fixtures.ts'

export const button = (page, name) => page.getByRole('button', { name, exact: true })
const click = (name) => (page) => button(page, name).click()

const event = {
  title: 'Sabbath Worship Service',
  subtitle: 'Join us in worship and fellowship',
  description: 'Come as you are.',
  date: 'Every Sabbath',
  location: '123 Main Street, Springfield',
}

const sender = { name: 'Ana Cole', email: 'ana@cole.example', attending: true }

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
  { name: 'admin-empty', site: 'empty', path: '/admin' },
  { name: 'admin-typical', site: 'typical', path: '/admin' },
  { name: 'admin-full', site: 'full', path: '/admin' },
  { name: 'admin-week', site: 'full', path: '/admin?week=this' },
  { name: 'admin-guarded', site: 'guarded', path: '/admin', signedIn: true },
  { name: 'admin-skipped', site: 'skipped', path: '/admin?week=2026-11-21' },
  { name: 'admin-no-match', site: 'typical', path: '/admin?q=zzz' },
  {
    name: 'admin-counted',
    site: 'typical counted',
    path: '/admin',
    async prepare(page, elsewhere) {
      await elsewhere('PATCH /api/services/2026-11-14', { turnout: 9 })
      await page.reload({ waitUntil: 'networkidle' })
    },
  },
  {
    name: 'admin-other-weeks',
    site: 'full',
    path: '/admin',
    prepare: (page) => page.locator('.week-picker summary').click(),
  },
  {
    name: 'admin-filters',
    site: 'typical',
    path: '/admin?status=attending&sort=name',
    prepare: (page) => page.locator('.filters summary').click(),
  },
  {
    name: 'admin-selected',
    site: 'typical',
    path: '/admin',
    async prepare(page) {
      for (const row of [0, 2]) await page.locator('tbody input[type=checkbox]').nth(row).check()
    },
  },
  {
    name: 'admin-deletion',
    site: 'typical',
    path: '/admin',
    async prepare(page) {
      await page.locator('tbody input[type=checkbox]').first().check()
      await button(page, 'Delete Selected').click()
      await page.getByRole('alertdialog').waitFor()
    },
  },
  {
    name: 'admin-deletion-single',
    site: 'typical',
    path: '/admin',
    async prepare(page) {
      await page.locator('[data-rsvp] td:last-child button:last-of-type').first().click()
      await page.getByRole('alertdialog').waitFor()
    },
  },
  {
    name: 'admin-deleted',
    site: 'typical deleted',
    path: '/admin',
    async prepare(page, elsewhere) {
      const { body } = await elsewhere('POST /api/rsvp', { ...sender, name: 'Dina Moyo' })
      await page.evaluate(deleteInEachWay, [new URL(JSON.parse(body).link).searchParams.get('key'), sender])
      await page.reload()
      await page.locator('.deleted > summary').click()
      await page.locator('.deleted__row').first().waitFor()
    },
  },
  {
    name: 'admin-merge',
    site: 'typical merge',
    path: '/admin',
    async prepare(page, elsewhere) {
      await elsewhere('POST /api/rsvps', {
        ...sender,
        familyMembers: [{ name: 'Joel Cole' }],
        message: 'Pray for Joel',
      })
      await elsewhere('POST /api/rsvps', sender)
      await page.reload()
      await page.locator('.duplicates__person button').first().click()
      await page.getByRole('dialog').waitFor()
    },
  },
  {
    name: 'admin-entry',
    site: 'typical',
    path: '/admin',
    async prepare(page) {
      await button(page, 'Add a response').click()
      await page.getByRole('dialog').getByRole('textbox', { name: 'Name', exact: true }).waitFor()
    },
  },
  { name: 'admin-settings', site: 'typical', path: '/admin?tab=settings' },
  { name: 'admin-settings-empty', site: 'empty', path: '/admin?tab=settings' },
  {
    name: 'admin-settings-translation',
    site: 'typical',
    path: '/admin?tab=settings#event-languages',
    prepare: (page) => page.locator('.translations button[value=es], .translations button[value=fr]').first().click(),
  },
  { name: 'admin-settings-section', site: 'typical', path: '/admin?tab=settings#roles' },
  {
    name: 'admin-settings-church',
    site: 'typical church',
    path: '/admin?tab=settings#church',
    async prepare(page) {
      await page.locator('.church input[type=file]').setInputFiles({
        name: 'church.jpg',
        mimeType: 'image/jpeg',
        buffer: await testPicture({ width: 1200, height: 1000 }),
      })
      await page.locator('.toast').waitFor()
      await page.locator('.focus-point input').last().fill('20')
      await page.locator('.church [type=submit]').click()
    },
  },
  { name: 'admin-share', site: 'typical', path: '/admin?tab=share' },
  { name: 'poster-empty', site: 'empty', path: '/admin/poster' },
  { name: 'poster-typical', site: 'typical', path: '/admin/poster' },
  { name: 'sheet-empty', site: 'empty', path: '/admin/sheet' },
  { name: 'sheet-typical', site: 'typical', path: '/admin/sheet' },
  { name: 'sheet-counted', site: 'typical', path: '/admin/sheet?week=last' },
  { name: 'sheet-full', site: 'full', path: '/admin/sheet' },
]

/**
 * Runs in the browser: one response is withdrawn, one merged, one deleted alone and some together. The clock stands
 * still, so the one alone is changed first: it gets another moment than the others.
 */
async function deleteInEachWay([key, sender]) {
  const send = (method, path, body, headers) =>
    fetch(path, {
      method,
      headers: { ...(body && { 'Content-Type': 'application/json' }), ...headers },
      body: body && JSON.stringify(body),
    })
  await send('DELETE', '/api/answer', undefined, { 'Link-Key': key })
  for (const _ of [1, 2]) await send('POST', '/api/rsvps', sender)
  const [{ id: newest }, , ...others] = await (await fetch('/api/rsvps')).json()
  await send('POST', `/api/rsvps/${newest}/merge`, {})
  const [alone, ...together] = others.slice(2, 9).map(({ id }) => id)
  await send('PATCH', `/api/rsvps/${alone}`, { phone: '555-0100' })
  for (const id of [alone, ...together]) await send('DELETE', `/api/rsvps/${id}`)
}

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
