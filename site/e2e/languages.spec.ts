import type { Page } from '@playwright/test'
import { expect, expectToast, hold, open, type Site, test } from './fixtures.ts'
import { draft, fillForm } from './form.ts'
import { event, read, send } from './stored.ts'

const saved = 'Visitors who choose that language read it from now on.'

const readTranslations = async (site: Site) => (await read(site, '/api/event/translations')).translations

const panel = (page: Page) => page.getByRole('region', { name: 'Languages of the Event' })
const begin = (page: Page) => panel(page).getByRole('button', { name: 'Translate the event into Spanish' })
const continueSpanish = (page: Page) => panel(page).getByRole('button', { name: 'Edit the event in Spanish' })
const translation = (page: Page) => page.getByRole('form', { name: 'The event in Spanish' })

test('shows visitors a translation, written beside the first version, until its removal', async ({ page, site }) => {
  await send(site, 'POST', '/api/event', event)
  await open(page, '/')
  await page.getByRole('button', { name: 'Edit' }).click()
  const release = await hold(page, '**/assets/AdminTabs.*')
  await page.getByRole('link', { name: 'Translate the event' }).click()
  await expect(panel(page)).toBeInViewport()
  // Before its code has loaded: the press is not lost.
  await begin(page).click()
  release()
  const form = translation(page)
  const title = form.getByLabel('Page Title')
  await expect(title).toBeFocused()
  await expect(title).toHaveAttribute('lang', 'es')
  await expect(title).toHaveAccessibleDescription('Harvest')
  await expect(form.getByLabel('What to Expect')).toHaveCount(0)
  await title.fill(' Cosecha ')
  await title.press('Enter')
  await expectToast(page, 'Translation Saved', saved)
  await expect(continueSpanish(page)).toBeFocused()
  expect(await readTranslations(site)).toMatchObject([{ title: 'Cosecha', subtitle: '' }])

  await continueSpanish(page).click()
  await form.getByRole('button', { name: 'Remove Translation' }).click()
  await page.getByRole('alertdialog').getByRole('button', { name: 'Remove Translation' }).click()
  await expectToast(page, 'Translation Removed', 'Visitors read the event as it was first written.')
  expect(await readTranslations(site)).toEqual([])
  await begin(page).click()
  await title.fill('Cosecha')
  await form.getByRole('button', { name: 'Save Translation' }).click()
  await expect(continueSpanish(page)).toBeVisible()

  await panel(page).getByLabel('The Event Is Written In').selectOption('Korean')
  await panel(page).getByRole('button', { name: 'Save' }).click()
  await expectToast(page, 'Language Saved', 'Screen readers now read the event in that language.')
  // It stays so once the browser has read the event anew.
  const reading = page.waitForResponse((response) => response.url().endsWith('/api/event'))
  await open(page, '/share?language=es')
  await (await reading).finished()
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Cosecha')
  await expect(page.getByText(event.time)).toHaveAttribute('lang', 'ko')
  await expect(page).toHaveTitle('Cosecha')
})

test('closes the choice of a language, keeps what was typed, and remembers the language', async ({ page }) => {
  const spanish = page.getByRole('link', { name: 'Español' })
  const choice = page.locator('.languages summary')
  const choose = async (language: string) => {
    await choice.click()
    await page.getByRole('link', { name: language }).click()
  }
  await open(page, '/share')
  await choice.click()
  await spanish.focus()
  await page.keyboard.press('Escape')
  await expect(spanish).toBeHidden()
  await expect(choice).toBeFocused()
  await choice.click()
  await expect(spanish).toBeVisible()
  await page.getByRole('heading', { level: 1 }).click()
  await expect(spanish).toBeHidden()
  await fillForm(page)
  await expect.poll(() => draft(page)).toContain('ana%40cole.example')
  await choose('Español')
  await expect(page.getByRole('heading', { name: '¿Quién viene?' })).toBeVisible()
  await expect(page.getByLabel('Nombre', { exact: true })).toHaveValue('Ana Cole')
  await open(page, '/privacy')
  await expect(page.getByRole('heading', { name: 'Privacidad' })).toBeVisible()
  await choose('English')
  await expect(page.getByRole('heading', { name: 'Privacy' })).toBeVisible()
})
