import { dayText } from '#db/values/dates.ts'
import { expect, hold, people, type Site, test } from './fixtures.ts'
import { confirmSchedule, moveToWeek, storeRsvps, testRsvp } from './stored.ts'
import { expectUsable, overflowOf, sheetsOf } from './usable.ts'

async function storeHouseholds(site: Site): Promise<void> {
  await confirmSchedule(site)
  const large = Array.from({ length: 20 }, (_, place) => ({ name: `Wolfeschlegelsteinhausenbergerdorff ${place}` }))
  await storeRsvps(site, [
    testRsvp({
      familyMembers: [{ name: 'Joel Cole', age: 'child' }],
      volunteerRoles: [1],
      message: 'Pray for Joel',
      firstVisit: true,
    }),
    testRsvp({ name: 'محمد عبد الله', familyMembers: large }),
    testRsvp({ name: '김민준', attending: false, message: 'Long '.repeat(190) }),
  ])
}

test('says how many come and who serves, is printed, and leaves out messages', async ({ page, site }) => {
  await page.setViewportSize({ width: 390, height: 844 })
  await storeHouseholds(site)
  await page.addInitScript(() => Object.assign(window, { print: () => document.body.classList.add('printed') }))
  await page.goto('/admin')
  await expect(page.getByRole('img', { name: 'First visit' })).toBeVisible()
  const release = await hold(page, '**/assets/*.js')
  await page.getByRole('link', { name: 'Print the sheet' }).click()
  await expect(page.getByText('23 people expected')).toBeInViewport()
  await expect(page.getByRole('heading', { name: 'Who serves' })).toBeInViewport()
  await expect(page.getByRole('img', { name: 'First visit' })).toBeVisible()
  await expect(page.getByText('★ First visit')).toBeVisible()
  await page.getByRole('button', { name: 'Print or save as PDF' }).click()
  await expect(page.locator('body.printed')).toBeVisible()
  release()
  expect(sheetsOf(await page.pdf({ format: 'A4' }))).toBe(2)
  await page.getByRole('link', { name: 'Leave out messages' }).click()
  await expect(page.getByText('Pray for Joel')).toHaveCount(0)
  for (const format of ['A4', 'Letter']) expect(sheetsOf(await page.pdf({ format }))).toBe(1)
  await expectUsable(page, 'the sheet')
  await page.emulateMedia({ media: 'print' })
  await expect(page.getByRole('table')).toBeVisible()
  await expect(page.getByText('Who really came:')).toBeVisible()
  await expect(page.locator('a:visible, button:visible, input:visible, summary:visible')).toHaveCount(0)
  await expect(page.getByText(/^As of [A-Z][a-z]+ \d+, \d{4}/)).toBeVisible()
})

test.describe('the administration, on the day after a service and without JavaScript,', () => {
  test.use({ javaScriptEnabled: false, viewport: { width: 320, height: 640 }, expectedErrors: /status of 400/ })

  test('asks how many came until someone answers or skips the question', async ({ page, site }) => {
    // This week's is skipped.
    const weeks = await confirmSchedule(site, [0], 6)
    await storeRsvps(site, [testRsvp({ familyMembers: [{ name: 'Joel Cole' }] }), testRsvp({ name: 'Bo Roe' })])
    moveToWeek(site, 'Ana Cole', weeks.before)
    await page.goto('/admin')
    const question = page.getByRole('region', { name: 'How many really came?' })
    await expect(question).toContainText(`${dayText(weeks.before)}, yesterday`)
    await expect(question.getByRole('textbox')).toBeInViewport()
    await expect(people(page)).toHaveText('2 people expected from 1 response')
    await expect(page.getByText('Say how many really came')).toHaveCount(0)
    expect(await overflowOf(page)).toBe(0)
    await page.goto('/admin?week=this')
    await expect(question).toHaveCount(0)
    await page.getByRole('link', { name: 'Last week' }).click()
    await question.getByRole('textbox').fill('8o')
    await question.getByRole('button', { name: 'Save' }).click()
    await expect(question.getByRole('textbox')).toHaveAccessibleDescription(/as a whole number from 0 to 100,000/)
    await expect(question.getByRole('textbox')).toBeFocused()
    await expect(question.getByRole('textbox')).toHaveValue('8o')
    await question.getByRole('textbox').fill('٨٧')
    await question.getByRole('button', { name: 'Save' }).click()
    await expect(page.getByText('87 really came')).toBeVisible()
    await expect(page.getByRole('heading', { name: dayText(weeks.before) })).toBeFocused()
    await expect(question).toHaveCount(0)

    await page.getByRole('link', { name: 'Correct' }).click()
    const turnout = page.getByLabel('Who really came')
    await expect(turnout).toHaveAttribute('inputmode', 'numeric')
    await page.getByRole('button', { name: 'Remove' }).click()
    await expect(turnout).toHaveValue('')
    await page.goto('/admin')
    await page.getByRole('button', { name: 'Skip' }).click()
    await expect(page).toHaveURL(`/admin?week=${weeks.before}#shown-week`)
    await expect(page.getByRole('heading', { name: dayText(weeks.before) })).toBeFocused()
    await expect(question).toHaveCount(0)
    await expect(page.getByRole('link', { name: 'Say how many really came' })).toBeVisible()
    // A printed list of few responses is one sheet.
    expect(sheetsOf(await page.pdf({ preferCSSPageSize: true }))).toBe(1)
  })
})
