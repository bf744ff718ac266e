import type { Page } from '@playwright/test'
import type { Site } from './fixtures.ts'
import { read } from './stored.ts'

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

export async function confirmEdit(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'Confirm' }).click()
}

/** Fills in texts by label, and saves them. */
export async function edit(page: Page, texts: Record<string, string>): Promise<void> {
  await page.getByRole('button', { name: 'Edit' }).click()
  for (const [label, text] of Object.entries(texts)) await page.getByLabel(label, { exact: true }).fill(text)
  await confirmEdit(page)
}

export const unsentNote = (page: Page) => page.getByText('Saved on this device, not sent yet.')
