import type { Locator, Page } from '@playwright/test'
import { expect, type Site } from './fixtures.ts'
import { openDatabase } from './stored.ts'

export const PASSWORD = 'a password for tests'

/** The environment of a site that is guarded by a password. */
export const guarded = { ADMIN_PASSWORD: PASSWORD }

/** Signs the browser in without the form. */
export async function signIn(page: Page): Promise<void> {
  expect((await page.request.post('/api/session', { data: { password: PASSWORD } })).status()).toBe(204)
}

/** Sends a call with the browser's cookies, but not from a page. */
export async function callAs(page: Page, method: string, path: string, data?: unknown): Promise<void> {
  expect((await page.request.fetch(path, { method, data })).ok(), `${method} ${path}`).toBe(true)
}

/** Waits until a page has stored the default event: a sign-out before that would refuse it. */
export async function waitForStoredEvent(page: Page): Promise<void> {
  await expect.poll(async () => (await page.request.get('/api/event')).json()).not.toBeNull()
}

/** The stored responses, read with the browser's cookies. */
export async function readRsvpsAs(page: Page) {
  return (await page.request.get('/api/rsvps')).json()
}

/**
 * All rows by table, without what changes by itself: the times at which a session and a person were last here and the
 * site cleaned up, and limits, which fill up again.
 */
export function readTables(site: Site): Record<string, unknown[]> {
  const database = openDatabase(site)
  const listed = "SELECT name FROM sqlite_schema WHERE type = 'table' AND name <> 'allowances' ORDER BY name"
  const names = database.prepare(listed).all()
  const tables = names.map(({ name }) => {
    const rows = database.prepare(`SELECT * FROM "${name}"`).all()
    return [name, rows.map(({ used_at, seen_at, purged_at, ...row }) => row)]
  })
  database.close()
  return Object.fromEntries(tables)
}

/** The parts of the sign-in page. */
export function signInForm(page: Page): { heading: Locator; password: Locator; submit: Locator } {
  return {
    heading: page.getByRole('heading', { level: 1, name: 'Sign In' }),
    password: page.getByLabel('Password', { exact: true }),
    submit: page.getByRole('button', { name: 'Sign In' }),
  }
}
