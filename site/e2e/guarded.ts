import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import type { Locator, Page } from '@playwright/test'
import { expect, type Site } from './fixtures.ts'

export const PASSWORD = 'a password for tests'

/** The environment of a site that has to be signed in to. */
export const guarded = { ADMIN_PASSWORD: PASSWORD }

/** Signs the browser in, past the form. */
export async function signIn(page: Page): Promise<void> {
  expect((await page.request.post('/api/session', { data: { password: PASSWORD } })).status()).toBe(204)
}

/** Sends a call with the browser's cookies, past its pages. */
export async function callAs(page: Page, method: string, path: string, data?: unknown): Promise<void> {
  expect((await page.request.fetch(path, { method, data })).ok(), `${method} ${path}`).toBe(true)
}

/** The answers as the one who is signed in reads them. */
export async function readRsvpsAs(page: Page) {
  return (await page.request.get('/api/rsvps')).json()
}

/** What happens when a password is changed, or when twelve hours are over. */
export function endSessions(site: Site): void {
  change(site, 'DELETE FROM sessions')
}

/** As after many wrong passwords: whoever tried one has to wait for another four minutes. */
export function makeWait(site: Site): void {
  change(site, `UPDATE sign_in_attempts SET failures = 10, next_at = ${Date.now() + 4 * 60_000}`)
}

/** Everything that is stored, by table. When a session was last used says nothing about anybody's doing. */
export function readTables(site: Site): Record<string, unknown[]> {
  const database = openDatabase(site)
  const names = database.prepare("SELECT name FROM sqlite_schema WHERE type = 'table' ORDER BY name").all()
  const tables = names.map(({ name }) => {
    const rows = database.prepare(`SELECT * FROM "${name}"`).all()
    return [name, rows.map(({ used_at, ...row }) => row)]
  })
  database.close()
  return Object.fromEntries(tables)
}

function change(site: Site, statement: string): void {
  const database = openDatabase(site)
  database.exec(statement)
  database.close()
}

function openDatabase(site: Site): DatabaseSync {
  return new DatabaseSync(join(site.folder, 'rsvp.db'), { timeout: 60_000 })
}

/** The page that asks for the password. */
export function signInForm(page: Page): { heading: Locator; password: Locator; submit: Locator } {
  return {
    heading: page.getByRole('heading', { level: 1, name: 'Sign In' }),
    password: page.getByLabel('Password'),
    submit: page.getByRole('button', { name: 'Sign In' }),
  }
}
