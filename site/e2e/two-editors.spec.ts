import { choice, edit, openTwoEditors, readEvent, unsentNote } from './event-editing.ts'
import { expect, open, test } from './fixtures.ts'
import { endSessions, guarded, signIn } from './guarded.ts'

test.use({
  expectedErrors: /status of 401|Failed to (sync event details|load resource)|ERR_INTERNET|dynamically imported module/,
})

test.describe('two editors of the event', () => {
  test('choose between their versions, and nothing is overwritten before that', async ({ page, site }) => {
    const other = await openTwoEditors(page, site)
    const sent = other.waitForRequest((request) => request.method() === 'POST')
    await edit(other, { Time: '9 AM', Location: 'By the lake' })
    expect((await sent).postDataJSON()).toEqual({ time: '9 AM', location: 'By the lake' })
    await expect.poll(() => readEvent(site)).toMatchObject({ time: '9 AM' })

    await edit(page, { Time: '11 AM', Date: 'October 11' })
    await expect(page.getByRole('heading', { level: 1 })).toHaveText('The event was changed twice')
    await expect(page.getByRole('heading', { level: 1 })).toBeFocused()
    expect(await readEvent(site)).toMatchObject({ time: '9 AM', date: 'Oct 4', location: 'By the lake' })
    const form = page.getByRole('form', { name: 'The event was changed twice' })
    await expect(form.getByRole('group')).toHaveCount(3)
    // A text that only one of them changed keeps that change.
    for (const [field, whose] of [
      ['Date', 'Mine'],
      ['Time', 'Mine'],
      ['Location', 'Theirs'],
    ] as const)
      await expect(choice(page, field, whose)).toBeChecked()
    await expect(page.getByRole('group', { name: 'Time' })).toContainText('Mine11 AM')
    await expect(page.getByRole('group', { name: 'Time' })).toContainText('Theirs9 AM')

    await page.getByRole('button', { name: 'Decide Later' }).click()
    await expect(unsentNote(page)).toBeVisible()
    await expect(page.getByText('11 AM', { exact: true })).toBeVisible()
    await page.reload()
    await expect(choice(page, 'Time', 'Mine')).toBeChecked()
    await choice(page, 'Time', 'Theirs').check()
    await page.getByRole('button', { name: 'Save Chosen' }).click()
    await expect
      .poll(() => readEvent(site))
      .toMatchObject({ time: '9 AM', date: 'October 11', location: 'By the lake' })
    await expect(page.getByRole('article').getByText('October 11')).toBeVisible()
    await expect(unsentNote(page)).toHaveCount(0)

    // The other editor has not loaded that version yet, and accepts all of it.
    await edit(other, { Time: '8 AM' })
    await other.getByRole('button', { name: 'All of Theirs' }).click()
    await other.getByRole('button', { name: 'Save Chosen' }).click()
    await expect(other.getByRole('article').getByText('9 AM', { exact: true })).toBeVisible()
    await edit(other, { Time: '7 AM' })
    await expect.poll(() => readEvent(site)).toMatchObject({ time: '7 AM', date: 'October 11' })
    await other.context().close()
  })

  test('are told of an unsent change, which never overwrites a newer one', async ({ page, site }) => {
    const other = await openTwoEditors(page, site)
    // The editor's code has loaded.
    await page.waitForLoadState('networkidle')
    await page.context().setOffline(true)
    await edit(page, { Time: '11 AM' })
    await expect(page.getByText('11 AM', { exact: true })).toBeVisible()
    await expect(unsentNote(page)).toBeVisible()
    await page.context().setOffline(false)
    await expect.poll(() => readEvent(site)).toMatchObject({ time: '11 AM' })
    await expect(unsentNote(page)).toHaveCount(0)

    await page.context().setOffline(true)
    await edit(page, { Time: '12 AM', Location: 'Indoors' })
    await expect(unsentNote(page)).toBeVisible()
    await open(other, '/')
    await edit(other, { Time: '6 AM' })
    await expect.poll(() => readEvent(site)).toMatchObject({ time: '6 AM' })
    await page.context().setOffline(false)
    await expect(page.getByRole('heading', { level: 1 })).toHaveText('The event was changed twice')
    expect(await readEvent(site)).toMatchObject({ time: '6 AM', location: 'Hall' })
    await page.getByRole('button', { name: 'All of Mine' }).click()
    await page.getByRole('button', { name: 'Save Chosen' }).click()
    await expect.poll(() => readEvent(site)).toMatchObject({ time: '12 AM', location: 'Indoors' })
    await other.context().close()
  })
})

test.describe('an editor whose session has ended', () => {
  test.use({ variables: guarded })

  test('is told that the change is only on the device, and how to send it', async ({ page, site }) => {
    await signIn(page)
    await open(page, '/')
    await expect.poll(() => readEvent(site)).not.toBeNull()
    endSessions(site)
    await edit(page, { Time: '11 AM' })
    await expect(unsentNote(page)).toBeVisible()
    await page.reload()
    await expect(page.getByText('11 AM', { exact: true })).toBeVisible()
    await expect(unsentNote(page)).toBeVisible()
    await expect(page.getByText('You are no longer signed in.')).toBeVisible()
    await signIn(page)
    await page.getByRole('link', { name: 'Sign in', exact: true }).click()
    await expect.poll(() => readEvent(site)).toMatchObject({ time: '11 AM' })
    await open(page, '/')
    await expect(unsentNote(page)).toHaveCount(0)
  })
})
