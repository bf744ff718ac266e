import type { Page } from '@playwright/test'
import { open, type Site } from './fixtures.ts'
import { read, send } from './stored.ts'

/** An event as sent by another client. */
export const event = {
  title: 'Harvest',
  subtitle: 's',
  description: 'd',
  date: 'Oct 4',
  time: '10 AM',
  location: 'Hall',
}

export const readEvent = (site: Pick<Site, 'url'>) => read(site, '/api/event')

/** Opens a page and waits until it has read the stored event: the calls after that come from what the test does. */
async function openWithEvent(page: Page, path: string): Promise<void> {
  const loaded = page.waitForResponse('**/api/event')
  await open(page, path)
  await loaded
}

/** Stores an event and opens it for two editors. @returns the page of the second one, who has a context to close. */
export async function openTwoEditors(page: Page, site: Site): Promise<Page> {
  await send(site, 'POST', '/api/event', event)
  const other = await (await page.context().browser()?.newContext({ baseURL: site.url }))?.newPage()
  if (other === undefined) throw new Error('There is no browser.')
  await Promise.all([openWithEvent(page, '/'), openWithEvent(other, '/')])
  return other
}

/** Opens the editor and fills in texts by label; `confirmEdit` saves them. */
export async function beginEdit(page: Page, texts: Record<string, string>): Promise<void> {
  await page.getByRole('button', { name: 'Edit' }).click()
  for (const [label, text] of Object.entries(texts)) await page.getByLabel(label, { exact: true }).fill(text)
}

export async function confirmEdit(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'Confirm' }).click()
}

export async function edit(page: Page, texts: Record<string, string>): Promise<void> {
  await beginEdit(page, texts)
  await confirmEdit(page)
}

export const unsentNote = (page: Page) => page.getByText('Saved on this device, not sent yet.')
