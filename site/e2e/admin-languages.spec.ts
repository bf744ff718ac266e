import type { Page } from '@playwright/test'
import { event } from './event-editing.ts'
import { expect, expectToast, hold, open, type Site, send, test, toast } from './fixtures.ts'

const spanish = '/api/event/translations/es'

async function readTranslation(site: Site) {
  const reply = await fetch(site.url + spanish)
  return reply.ok ? reply.json() : reply.status
}

function panel(page: Page) {
  return page.getByRole('region', { name: 'Languages of the Event' })
}

async function openSpanish(page: Page, verb: 'Translate the event into' | 'Edit the event in') {
  await panel(page)
    .getByRole('button', { name: `${verb} Spanish` })
    .click()
  const form = page.getByRole('form', { name: 'The event in Spanish' })
  await expect(form.getByLabel('Page Title')).toBeFocused()
  return form
}

test.describe('the languages of the event in the settings', () => {
  test('are reached from the editor, written beside the first version, and read by visitors', async ({
    page,
    site,
  }) => {
    await send(site, 'POST', '/api/event', event)
    await open(page, '/')
    await page.getByRole('button', { name: 'Edit' }).click()
    const release = await hold(page, '**/assets/AdminTabs.*')
    await page.getByRole('link', { name: 'Translate the event' }).click()
    await expect(panel(page)).toBeInViewport()
    // Before its code has loaded: the press is not lost.
    await panel(page).getByRole('button', { name: 'Translate the event into Spanish' }).click()
    release()
    const form = page.getByRole('form', { name: 'The event in Spanish' })
    await expect(form.getByLabel('Page Title')).toBeFocused()
    const title = form.getByLabel('Page Title')
    await expect(title).toHaveAttribute('lang', 'es')
    await expect(title).toHaveAccessibleDescription('Harvest Not translated: visitors read it in English.')
    await expect(form.getByLabel('What to Expect')).toHaveAccessibleDescription('Left empty')
    await form.getByRole('button', { name: 'Save Translation' }).click()
    await expect(title).toHaveAccessibleDescription(/^Give at least one text in this language\./)
    await title.fill(' Cosecha ')
    await expect(title).toHaveAccessibleDescription('Harvest')
    await title.press('Enter')
    await expectToast(page, 'Translation Saved', 'Visitors who choose that language read it from now on.')
    await expect(panel(page).getByRole('button', { name: 'Edit the event in Spanish' })).toBeFocused()
    expect(await readTranslation(site)).toMatchObject({ title: 'Cosecha', subtitle: '' })
    await open(page, '/share?language=es')
    await expect(page.getByRole('heading', { level: 1 })).toHaveText('Cosecha')
    await expect(page.getByText(event.location)).toHaveAttribute('lang', 'en')
  })

  test('keep what is typed through a reload, and nothing once it is canceled', async ({ page, site }) => {
    await open(page, '/admin?tab=settings')
    const form = await openSpanish(page, 'Translate the event into')
    await form.getByLabel('Location').fill('Salón')
    await page.reload()
    await expect(form.getByLabel('Location')).toHaveValue('Salón')
    await form.getByRole('button', { name: 'Cancel' }).click()
    await expect(panel(page).getByRole('button', { name: 'Translate the event into Spanish' })).toBeFocused()
    await page.reload()
    await expect(panel(page).getByRole('button', { name: 'Translate the event into Spanish' })).toBeVisible()
    await expect(form).toHaveCount(0)
    expect(await readTranslation(site)).toBe(404)
  })

  test('keep what is typed while the rest is sent', async ({ page, site }) => {
    await open(page, '/admin?tab=settings')
    const form = await openSpanish(page, 'Translate the event into')
    await form.getByLabel('Page Title').fill('Cosecha')
    const release = await hold(page, '**/api/event/translations/es')
    await form.getByRole('button', { name: 'Save Translation' }).click()
    await form.getByLabel('Location').fill('Salón')
    release()
    await expectToast(page, 'Translation Saved', 'Visitors who choose that language read it from now on.')
    await expect(form.getByLabel('Location')).toHaveValue('Salón')
    await expect(form.getByRole('button', { name: 'Remove Translation' })).toBeVisible()
    await form.getByRole('button', { name: 'Save Translation' }).click()
    await expect(form).toHaveCount(0)
    expect(await readTranslation(site)).toMatchObject({ title: 'Cosecha', location: 'Salón' })
  })

  test('are removed, and restored by the notice', async ({ page, site }) => {
    await send(site, 'PUT', spanish, { title: 'Cosecha' })
    await open(page, '/admin?tab=settings')
    const form = await openSpanish(page, 'Edit the event in')
    await form.getByRole('button', { name: 'Remove Translation' }).click()
    await expectToast(page, 'Translation Removed', 'Visitors read the event as it was first written.')
    expect(await readTranslation(site)).toBe(404)
    await toast(page).getByRole('button', { name: 'Undo' }).click()
    await expect(panel(page).getByRole('button', { name: 'Edit the event in Spanish' })).toBeVisible()
    expect(await readTranslation(site)).toMatchObject({ title: 'Cosecha' })
  })

  test('say in which one the event itself is written: those it is translated into are not offered', async ({
    page,
    site,
  }) => {
    await send(site, 'POST', '/api/event', event)
    await send(site, 'PUT', spanish, { title: 'Cosecha' })
    await open(page, '/admin?tab=settings')
    const choice = panel(page).getByLabel('The Event Is Written In')
    await expect(choice.getByRole('option')).toHaveText([
      'English',
      'French',
      'Portuguese',
      'German',
      'Korean',
      'Arabic',
    ])
    await choice.selectOption('Korean')
    await panel(page).getByRole('button', { name: 'Save' }).click()
    await expectToast(page, 'Language Saved', 'Screen readers now read the event in that language.')
    await expect(panel(page).getByRole('listitem')).toHaveCount(6)
    await expect(panel(page).getByRole('button', { name: 'Translate the event into English' })).toBeVisible()
    await open(page, '/share')
    await expect(page.getByRole('heading', { level: 1 })).toHaveAttribute('lang', 'ko')
  })

  test.describe('of two editors', () => {
    test.use({ expectedErrors: /status of 412/ })

    test('nothing is overwritten that was not seen', async ({ page, site }) => {
      await send(site, 'PUT', spanish, { title: 'Cosecha', location: 'Sala' })
      await open(page, '/admin?tab=settings')
      const form = await openSpanish(page, 'Edit the event in')
      await form.getByLabel('Page Title').fill('La cosecha')
      await send(site, 'PUT', spanish, { title: 'Fiesta', location: 'Salón' })
      await form.getByRole('button', { name: 'Save Translation' }).click()
      await expect(form.getByRole('alert')).toContainText('Someone else has changed this translation.')
      expect(await readTranslation(site)).toMatchObject({ title: 'Fiesta', location: 'Salón' })
      await expect(form.getByText('Fiesta')).toBeVisible()
      await form
        .locator('.field', { has: page.getByLabel('Location') })
        .getByRole('button', { name: 'Use Theirs' })
        .click()
      await form.getByRole('button', { name: 'Save Translation' }).click()
      await expectToast(page, 'Translation Saved', 'Visitors who choose that language read it from now on.')
      expect(await readTranslation(site)).toMatchObject({ title: 'La cosecha', location: 'Salón' })
    })
  })
})
