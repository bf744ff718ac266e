import type { Page } from '@playwright/test'
import { expect, open, type Site, test } from './fixtures.ts'
import { guarded, signIn } from './guarded.ts'
import { openDatabase } from './stored.ts'
import { expectUsable } from './usable.ts'

test.use({ variables: guarded })

const MOMENT = '2026-01-05T14:00:00.000Z'
const entries = (page: Page) => page.getByRole('region', { name: 'Audit' }).getByRole('listitem')

/** 55 acts of someone who was removed, then one of no one by name. */
function storeActs(site: Site): void {
  const database = openDatabase(site)
  database.exec(
    "INSERT INTO administrators (id, name, role, created_at, removed_at) VALUES (50, '=Ruth', 'clerk', 0, 1)",
  )
  const insert = database.prepare(
    'INSERT INTO audit_entries (at, actor, action, subject, administrator_id) VALUES (?, ?, ?, ?, ?)',
  )
  for (let number = 1; number <= 55; number++) insert.run(MOMENT, 'session 3', 'response deleted', String(number), 50)
  insert.run(MOMENT, 'terminal', 'administrator removed', 'administrator 50', null)
  database.close()
}

test('the audit in the settings says who did what, also of those who left, page after page', async ({ page, site }) => {
  storeActs(site)
  await signIn(page)
  await open(page, '/admin?tab=settings#audit')
  await page.getByText('Show what was done').click()
  await expect(entries(page)).toHaveCount(50)
  await expect(entries(page).filter({ hasText: 'Administrator Signed in session' })).toHaveCount(1)
  await expect(entries(page).filter({ hasText: 'Terminal Administrator removed =Ruth' })).toHaveCount(1)
  await expectUsable(page, 'the audit', '#audit')

  // By keyboard, the focus goes on to what was added.
  await page.getByRole('button', { name: 'Earlier entries' }).press('Enter')
  await expect(entries(page).nth(50)).toBeFocused()
})
