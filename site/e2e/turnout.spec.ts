import { dayText } from '#db/values/dates.ts'
import { expect, open, storeRsvps, test, testRsvp } from './fixtures.ts'
import { expectNoFindings, overflowOf } from './usable.ts'
import { confirmSchedule, moveToWeek } from './weeks.ts'

for (const javaScriptEnabled of [true, false]) {
  test.describe(`who really came, with JavaScript ${javaScriptEnabled}`, () => {
    test.use({ javaScriptEnabled, viewport: { width: 390, height: 844 }, expectedErrors: /status of 400/ })

    test('is counted, corrected and removed on a phone', async ({ page, site }) => {
      const weeks = await confirmSchedule(site)
      await storeRsvps(site, [testRsvp()])
      moveToWeek(site, 'Ana Cole', weeks.before)
      await page.goto(`/admin/sheet?week=${weeks.before}&messages=no`)
      const people = page.getByLabel('Who really came')
      await expect(people).toHaveAttribute('inputmode', 'numeric')
      await people.fill('many')
      await page.getByRole('button', { name: 'Save', exact: true }).click()
      await expect(page.getByText('as a whole number from 0 to 100,000')).toBeVisible()
      await expect(people).toHaveValue('many')
      await expect(people).toBeFocused()
      await people.fill('1,087')
      await page.getByRole('button', { name: 'Save', exact: true }).click()
      await expect(page.getByText('1,087 came, 1 expected')).toBeVisible()
      await expect(page).toHaveURL(`/admin/sheet?week=${weeks.before}&messages=no`)
      await people.fill('87')
      await page.getByRole('button', { name: 'Correct' }).click()
      await expect(page.getByText('87 came, 1 expected')).toBeVisible()
      await page.getByRole('button', { name: 'Remove' }).click()
      await expect(people).toHaveValue('')
      await expect(page.getByRole('button', { name: 'Remove' })).toHaveCount(0)
    })
  })
}

for (const javaScriptEnabled of [true, false]) {
  test.describe(`the day after a service, with JavaScript ${javaScriptEnabled}`, () => {
    test.use({ javaScriptEnabled, viewport: { width: 320, height: 640 }, expectedErrors: /status of 400/ })

    test('the administration asks how many came until it is told, or that no one will', async ({ page, site }) => {
      // This week's is skipped.
      const weeks = await confirmSchedule(site, [0], 6)
      await storeRsvps(site, [testRsvp({ familyMembers: [{ name: 'Joel Cole' }] })])
      moveToWeek(site, 'Ana Cole', weeks.before)
      await page.goto('/admin')
      const question = page.getByRole('region', { name: 'How many really came?' })
      const people = page.locator('.week-figures__people')
      await expect(question).toContainText(`${dayText(weeks.before)}, yesterday: 2 expected`)
      await expect(question).toContainText(`Next: ${dayText(weeks.next)}, in 13 days`)
      await expect(question.getByRole('textbox')).toBeInViewport()
      await expect(question.getByRole('button', { name: 'Skip' })).toBeInViewport()
      await expect(people).toHaveText('2 people expected')
      await expect(page.getByText('This week')).toHaveCount(0)
      expect(await overflowOf(page)).toBe(0)
      await page.setViewportSize({ width: 1280, height: 800 })
      if (javaScriptEnabled) await expectNoFindings(page, 'the question how many came')
      await question.getByRole('textbox').fill('8o')
      await question.getByRole('button', { name: 'Save' }).click()
      await expect(question.getByRole('textbox')).toHaveAccessibleDescription(/as a whole number from 0 to 100,000/)
      await expect(question.getByRole('textbox')).toBeFocused()
      await expect(question.getByRole('textbox')).toHaveValue('8o')
      await expect(page.getByRole('heading', { name: 'Administration', exact: true })).toBeVisible()
      await question.getByRole('textbox').fill('87')
      await question.getByRole('button', { name: 'Save' }).click()
      await expect(page.getByText('87 really came')).toBeVisible()
      await expect(page.getByRole('heading', { name: dayText(weeks.before) })).toBeFocused()
      await expect(page.getByRole('link', { name: 'Correct' })).toHaveAttribute('href', new RegExp(weeks.before))
      await expect(question).toHaveCount(0)
      await page.goto('/admin')
      await expect(page.getByRole('heading', { name: `${dayText(weeks.next)} Next week` })).toBeVisible()
      await page.goto(`/admin/sheet?week=${weeks.before}`)
      await page.getByRole('button', { name: 'Remove' }).click()
      await page.goto('/admin')
      await expect(question).toBeVisible()
    })

    test('it asks no more once Skip is pressed', async ({ page, site }) => {
      const weeks = await confirmSchedule(site, [], 6)
      await storeRsvps(site, [testRsvp()])
      moveToWeek(site, 'Ana Cole', weeks.before)
      await page.goto('/admin')
      await page.getByRole('button', { name: 'Skip' }).click()
      await expect(page).toHaveURL(`/admin?week=${weeks.before}#shown-week`)
      await expect(page.getByRole('heading', { name: dayText(weeks.before) })).toBeFocused()
      await expect(page.getByRole('region', { name: 'How many really came?' })).toHaveCount(0)
      await expect(page.getByRole('link', { name: 'Say how many really came' })).toBeVisible()
      await page.goto('/admin')
      await expect(page.getByRole('heading', { name: `${dayText(weeks.this)} This week` })).toBeVisible()
    })
  })
}

test.describe('who really came', () => {
  test('is asked only once the day has come', async ({ page, site }) => {
    const weeks = await confirmSchedule(site)
    await page.goto(`/admin/sheet?week=${weeks.this}`)
    await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
    await expect(page.getByLabel('Who really came')).toHaveCount(0)
  })

  test('stands in the chart and in its table, and on paper', async ({ page, site }) => {
    const weeks = await confirmSchedule(site)
    await storeRsvps(site, [testRsvp(), testRsvp({ name: 'Bo Roe' })])
    moveToWeek(site, 'Ana Cole', weeks.before)
    await page.goto(`/admin?week=${weeks.before}`)
    await page.getByRole('link', { name: 'Say how many really came' }).click()
    await page.getByLabel('Who really came').fill('87')
    await page.getByRole('button', { name: 'Save', exact: true }).click()
    await expect(page.getByText('87 came, 1 expected')).toBeVisible()
    await expectNoFindings(page, 'the sheet with a turnout')
    await page.emulateMedia({ media: 'print' })
    await expect(page.getByText('Who really came: 87')).toBeVisible()
    await page.emulateMedia({ media: 'screen' })
    await open(page, `/admin?week=${weeks.before}`)
    await expect(page.getByText('87 really came')).toBeVisible()
    await expect(page.locator('.year__turnout')).toHaveCount(1)
    await expect(page.getByText('◇ really came')).toBeVisible()
    await page.getByText('Show as table').click()
    await expect(page.getByRole('columnheader', { name: 'Came' })).toBeVisible()
    await expect(page.getByRole('cell', { name: '87', exact: true })).toBeVisible()
    await page.setViewportSize({ width: 320, height: 640 })
    expect(await overflowOf(page)).toBe(0)
  })
})
