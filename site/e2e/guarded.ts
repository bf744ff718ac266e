import type { Locator, Page } from '@playwright/test'
import { expect } from './fixtures.ts'

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

/** The parts of the sign-in page. */
export function signInForm(page: Page): { heading: Locator; password: Locator; submit: Locator } {
  return {
    heading: page.getByRole('heading', { level: 1, name: 'Sign In' }),
    password: page.getByLabel('Password', { exact: true }),
    submit: page.getByRole('button', { name: 'Sign In' }),
  }
}
