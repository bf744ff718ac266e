// The screens of the administration in their states, and what it prints.
import { testPicture } from '#db/church/picture-fixtures.ts'
import { button, screen, signedIn } from './open.mjs'

const people = '/admin?tab=settings#administrators'
const sender = { name: 'Ana Cole', email: 'ana@cole.example', attending: true }

/** @type {import('./open.mjs').Screen[]} */
export const administration = [
  screen('admin-empty', 'empty', '/admin'),
  screen('admin-typical', 'typical', '/admin'),
  screen('admin-full', 'full', '/admin'),
  screen('admin-week', 'full', '/admin?week=this'),
  signedIn(screen('admin-guarded', 'guarded', '/admin')),
  signedIn(screen('admin-administrators', 'guarded', people, (page) => page.locator('.listed').first().waitFor())),
  signedIn(
    screen('admin-invitation', 'guarded', people, async (page) => {
      await button(page, 'Invite an administrator').click()
      await page.getByRole('dialog').waitFor()
    }),
  ),
  screen('admin-skipped', 'skipped', '/admin?week=2026-11-21'),
  screen('admin-no-match', 'typical', '/admin?q=zzz'),
  screen('admin-counted', 'typical counted', '/admin', async (page, elsewhere) => {
    await elsewhere('PATCH /api/services/2026-11-14', { turnout: 9 })
    await page.reload({ waitUntil: 'networkidle' })
  }),
  screen('admin-other-weeks', 'full', '/admin', (page) => page.locator('.week-picker summary').click()),
  screen('admin-filters', 'typical', '/admin?status=attending&sort=name', (page) =>
    page.locator('.filters summary').click(),
  ),
  screen('admin-selected', 'typical', '/admin', async (page) => {
    for (const row of [0, 2]) await page.locator('tbody input[type=checkbox]').nth(row).check()
  }),
  screen('admin-deletion', 'typical', '/admin', async (page) => {
    await page.locator('tbody input[type=checkbox]').first().check()
    await button(page, 'Delete Selected').click()
    await page.getByRole('alertdialog').waitFor()
  }),
  screen('admin-deleted', 'typical deleted', '/admin', async (page, elsewhere) => {
    await deleteInEachWay(elsewhere)
    await page.reload()
    await page.locator('.deleted > summary').click()
    await page.locator('.deleted .item').first().waitFor()
  }),
  screen('admin-merge', 'typical merge', '/admin', async (page, elsewhere) => {
    await elsewhere('POST /api/rsvps', { ...sender, familyMembers: [{ name: 'Joel Cole' }], message: 'Pray for Joel' })
    await elsewhere('POST /api/rsvps', sender)
    await page.reload()
    await page.locator('.duplicates__person button').first().click()
    await page.getByRole('dialog').waitFor()
  }),
  screen('admin-entry', 'typical', '/admin', async (page) => {
    await button(page, 'Add a response').click()
    await page.getByRole('dialog').getByRole('textbox', { name: 'Name', exact: true }).waitFor()
  }),
  screen('admin-settings', 'typical', '/admin?tab=settings'),
  screen('admin-settings-empty', 'empty', '/admin?tab=settings'),
  screen('admin-settings-translation', 'typical', '/admin?tab=settings#event-languages', (page) =>
    page.locator('.translations button[value=es], .translations button[value=fr]').first().click(),
  ),
  screen('admin-settings-church', 'typical church', '/admin?tab=settings#church', async (page) => {
    const buffer = await testPicture({ width: 1200, height: 1000 })
    await page.locator('input[type=file]').setInputFiles({ name: 'church.jpg', mimeType: 'image/jpeg', buffer })
    await page.locator('.toast').waitFor()
    await page.locator('.focus-point input').last().fill('20')
    await page.locator('form:has([type=file]) [type=submit]').click()
  }),
  screen('admin-share', 'typical', '/admin?tab=share'),
  screen('poster-empty', 'empty', '/admin/poster'),
  screen('poster-typical', 'typical', '/admin/poster'),
  screen('sheet-empty', 'empty', '/admin/sheet'),
  screen('sheet-typical', 'typical', '/admin/sheet'),
  screen('sheet-counted', 'typical', '/admin/sheet?week=last'),
  screen('sheet-full', 'full', '/admin/sheet'),
]

/**
 * One response is withdrawn, one merged, one deleted alone and some together. The clock stands still, so the one alone is
 * changed first: it gets another moment than the others.
 */
async function deleteInEachWay(elsewhere) {
  const { link } = JSON.parse((await elsewhere('POST /api/rsvp', { ...sender, name: 'Dina Moyo' })).body)
  await elsewhere('DELETE /api/answer', undefined, { 'link-key': new URL(link).searchParams.get('key') })
  for (const _ of [1, 2]) await elsewhere('POST /api/rsvps', sender)
  const [{ id: newest }, , ...others] = JSON.parse((await elsewhere('GET /api/rsvps')).body)
  await elsewhere(`POST /api/rsvps/${newest}/merge`, {})
  const [alone, ...together] = others.slice(2, 9).map(({ id }) => id)
  await elsewhere(`PATCH /api/rsvps/${alone}`, { phone: '555-0100' })
  for (const id of [alone, ...together]) await elsewhere(`DELETE /api/rsvps/${id}`)
}
