// The screens of the administration in their states, and what it prints.
import { testPicture } from '#db/church/picture-fixtures.ts'
import { button } from './open.mjs'

const sender = { name: 'Ana Cole', email: 'ana@cole.example', attending: true }

/** @type {import('./screens.mjs').Screen[]} */
export const administration = [
  { name: 'admin-empty', site: 'empty', path: '/admin' },
  { name: 'admin-typical', site: 'typical', path: '/admin' },
  { name: 'admin-full', site: 'full', path: '/admin' },
  { name: 'admin-week', site: 'full', path: '/admin?week=this' },
  { name: 'admin-guarded', site: 'guarded', path: '/admin', signedIn: true },
  {
    name: 'admin-administrators',
    site: 'guarded',
    path: '/admin?tab=settings#administrators',
    signedIn: true,
    prepare: (page) => page.locator('.listed').first().waitFor(),
  },
  {
    name: 'admin-invitation',
    site: 'guarded',
    path: '/admin?tab=settings#administrators',
    signedIn: true,
    async prepare(page) {
      await button(page, 'Invite an administrator').click()
      await page.getByRole('dialog').waitFor()
    },
  },
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
      await page.locator('.deleted .item').first().waitFor()
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
      await page.locator('input[type=file]').setInputFiles({
        name: 'church.jpg',
        mimeType: 'image/jpeg',
        buffer: await testPicture({ width: 1200, height: 1000 }),
      })
      await page.locator('.toast').waitFor()
      await page.locator('.focus-point input').last().fill('20')
      await page.locator('form:has([type=file]) [type=submit]').click()
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
