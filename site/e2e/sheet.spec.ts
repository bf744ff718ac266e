import { expect, hold, type Site, storeRsvps, test, testRsvp } from './fixtures.ts'
import { expectNoFindings, overflowOf } from './usable.ts'
import { confirmSchedule } from './weeks.ts'

const pagesOf = (pdf: Buffer) => pdf.toString('latin1').match(/\/Type\s*\/Page\b/g)?.length

async function storeHouseholds(site: Site): Promise<void> {
  await confirmSchedule(site)
  const large = Array.from({ length: 20 }, (_, place) => ({ name: `Wolfeschlegelsteinhausenbergerdorff ${place}` }))
  await storeRsvps(site, [
    testRsvp({ familyMembers: [{ name: 'Joel Cole', age: 'child' }], volunteerRoles: [1], message: 'Pray for Joel' }),
    testRsvp({ name: 'محمد عبد الله', familyMembers: large }),
    testRsvp({ name: '김민준', attending: false, message: 'Long '.repeat(190) }),
  ])
}

test.describe('the sheet', () => {
  test('is two taps from the administration: how many, who serves, what is missing, printed', async ({
    page,
    site,
  }) => {
    await page.setViewportSize({ width: 390, height: 844 })
    await storeHouseholds(site)
    await page.addInitScript(() => Object.assign(window, { print: () => document.body.classList.add('printed') }))
    await page.goto('/admin')
    const release = await hold(page, '**/assets/*.js')
    await page.getByRole('link', { name: 'Print the sheet' }).click()
    await expect(page.getByText('23 people expected')).toBeInViewport()
    await expect(page.getByText('Children', { exact: true })).toBeInViewport()
    await expect(page.getByRole('heading', { name: 'Who serves' })).toBeInViewport()
    await page.getByRole('button', { name: 'Print or save as PDF' }).click()
    await expect(page.locator('body.printed')).toBeVisible()
    release()
    await page.getByRole('link', { name: 'Back to the administration' }).click()
    await expect(page).toHaveURL(/\/admin\?week=\d{4}/)
  })

  test('has messages on a page of their own, which can be left out', async ({ page, site }) => {
    await storeHouseholds(site)
    await page.goto('/admin/sheet')
    expect(pagesOf(await page.pdf({ format: 'A4' }))).toBe(2)
    await page.getByRole('link', { name: 'Leave out messages' }).click()
    await expect(page.getByText('Pray for Joel')).toHaveCount(0)
    expect(pagesOf(await page.pdf({ format: 'A4' }))).toBe(1)
    expect(pagesOf(await page.pdf({ format: 'Letter' }))).toBe(1)
    await page.getByRole('link', { name: 'Include messages' }).click()
    await expect(page.getByText('Pray for Joel')).toBeVisible()
  })

  test('has on paper nothing to press', async ({ page, site }) => {
    await storeHouseholds(site)
    await page.goto('/admin/sheet')
    await page.emulateMedia({ media: 'print' })
    await expect(page.getByRole('table')).toBeVisible()
    await expect(page.getByText('Who really came:')).toBeVisible()
    await expect(page.locator('a:visible, button:visible, input:visible, summary:visible')).toHaveCount(0)
    await expect(page.getByText(/^As of [A-Z][a-z]+ \d+, \d{4}/)).toBeVisible()
  })

  test('is accessible and fits a phone, empty and full', async ({ page, site }) => {
    for (const store of [async () => {}, () => storeHouseholds(site)]) {
      await store()
      await page.goto('/admin/sheet')
      await expectNoFindings(page, 'the sheet')
      await page.setViewportSize({ width: 320, height: 640 })
      expect(await overflowOf(page)).toBe(0)
      await page.setViewportSize({ width: 1280, height: 720 })
    }
  })
})

test.describe('the sheet without JavaScript', () => {
  test.use({ javaScriptEnabled: false })

  test('is whole, and leaves out messages', async ({ page, site }) => {
    await storeHouseholds(site)
    await page.goto('/admin')
    await page.getByRole('link', { name: 'Print the sheet' }).click()
    await expect(page.getByText('23 people expected')).toBeVisible()
    await expect(page.getByRole('button')).toHaveCount(0)
    await page.getByRole('link', { name: 'Leave out messages' }).click()
    await expect(page.getByText('Pray for Joel')).toHaveCount(0)
  })
})
