import type { Page } from '@playwright/test'
import { testPicture } from '#db/church-fixtures.ts'
import { expect, expectToast, hold, open, tab, test, toast, waitForHydration } from './fixtures.ts'
import { read } from './stored.ts'
import { expectUsable } from './usable.ts'

// What is refused, or fails, browsers log.
test.use({ expectedErrors: /400|415|500/ })

const church = (page: Page) => page.getByRole('region', { name: 'Your Church' })
const expectRolesSaved = (page: Page) => expectToast(page, 'Roles Updated', 'The volunteer roles have been saved.')

test('sends each switch at once, keeps what is typed, and changes the roles', async ({ page, site }) => {
  await open(page, '/admin?tab=settings')
  const signup = page.getByRole('switch', { name: 'Volunteer Signup' })
  await expect(signup).toBeChecked()
  await expect(signup).toHaveAccessibleDescription('Allow attendees to sign up for volunteer roles')
  const request = page.waitForRequest((sent) => sent.method() === 'PATCH')
  await page.getByText('Volunteer Signup', { exact: true }).click()
  expect((await request).postDataJSON()).toEqual({ volunteerSignup: false })
  await expectToast(page, 'Features Updated', 'Feature settings have been saved successfully.')
  const family = page.getByRole('switch', { name: 'Family RSVP' })
  for (const familyRsvp of [false, true]) {
    await family.press('Space')
    await expect
      .poll(() => read(site, '/api/features'))
      .toEqual({ calendarIntegration: true, familyRsvp, volunteerSignup: false })
  }
  await page.reload()
  await expect(signup).not.toBeChecked()
  await waitForHydration(page)
  const schedule = page.getByRole('form', { name: 'Schedule' })
  const release = await hold(page, '**/api/schedule')
  await schedule.getByLabel('Time Zone').selectOption('America/Denver')
  await schedule.getByLabel('Length in Minutes').fill('90')
  await page.getByRole('button', { name: 'Save Schedule' }).click()
  await schedule.getByLabel('Start').fill('18:30')
  release()
  await expect(toast(page)).toContainText('Schedule Saved')
  await expect(schedule.getByLabel('Start')).toHaveValue('18:30')
  expect(await read(site, '/api/schedule')).toMatchObject({ startTime: '10:00', durationMinutes: 90 })

  await page.getByLabel('New role').fill('  Flowers ')
  await page.getByLabel('Needed each week', { exact: true }).fill('２')
  await page.getByRole('button', { name: 'Add Role' }).click()
  await expectRolesSaved(page)
  await expect(page.getByLabel('New role')).toHaveValue('')
  await expect(page.getByLabel('Role Flowers')).toHaveValue('Flowers')

  const needed = page.getByLabel('Needed each week: Music')
  await needed.fill('1.5')
  await needed.press('Enter')
  await expect(needed).toHaveAccessibleDescription('Give a number from 1 to 999, or leave it empty.')
  await needed.fill('3')
  await page.getByLabel('Role Music').fill('Choir')
  await page.getByLabel('Role Music').press('Enter')
  await expect(page.getByLabel('Role Choir')).toHaveValue('Choir')
  await expect
    .poll(() => read(site, '/api/volunteer-roles'))
    .toContainEqual(expect.objectContaining({ name: 'Choir', needed: 3 }))

  const dialog = page.getByRole('dialog')
  await page.getByRole('button', { name: 'Retire Usher' }).click()
  await dialog.getByRole('button', { name: 'Retire' }).click()
  await expect(page.getByLabel('Role Usher')).toHaveCount(0)
  await expect(page.getByLabel('New role')).toBeFocused()
  await page.getByLabel('New role').fill('greeter')
  await page.keyboard.press('Enter')
  await expect(page.getByLabel('New role')).toHaveAccessibleDescription(
    'There is a role named greeter already. Give this one another name.',
  )
  await expect(page.getByLabel('New role')).toBeFocused()
})

test('shows one group at a time, the features at first sight, and leads to each section by its address', async ({
  page,
}) => {
  const groups = page.getByRole('navigation', { name: 'Settings' }).getByRole('link')
  const titles = page.getByRole('heading', { level: 2 })
  const heading = (name: string) => page.getByRole('heading', { name })
  for (const size of [
    { width: 1280, height: 800 },
    { width: 390, height: 844 },
  ]) {
    await page.setViewportSize(size)
    await open(page, '/admin?tab=settings')
    await expect(titles).toHaveCount(6)
    await expect(page.getByRole('region', { name: 'Features Settings' })).toBeInViewport({ ratio: 1 })
  }
  await expect(groups).toHaveText(['Invitation', 'People', 'Server'])
  await expectUsable(page, 'the groups of the settings', '.settings')
  await church(page).getByLabel('Name').fill('Grace Church')
  await groups.filter({ hasText: 'Server' }).click()
  await expect(titles).toHaveText(['Public Address', 'Administrators', 'Backups', 'Audit'])
  await expect(groups.filter({ hasText: 'Server' })).toBeFocused()
  await expect(groups.filter({ hasText: 'Server' })).toHaveAttribute('aria-current', 'true')
  await page.getByRole('navigation', { name: 'Server' }).getByRole('link', { name: 'Audit' }).click()
  await expect(heading('Audit')).toBeFocused()
  await expect(heading('Audit')).toBeInViewport()
  for (let back = 0; back < 2; back++) await page.goBack()
  await expect(titles).toHaveCount(6)
  await expect(church(page).getByLabel('Name')).toHaveValue('Grace Church')

  await open(page, '/admin?tab=settings#keeping')
  await page.reload()
  await waitForHydration(page)
  await expect(titles).toHaveCount(4)
  await expect(heading('How Long Responses Are Kept')).toBeInViewport()
  await groups.filter({ hasText: 'Server' }).click()
  await tab(page, 'Responses').click()
  // The section is drawn only now.
  await page.goBack()
  await expect(tab(page, 'Settings')).toHaveAttribute('aria-selected', 'true')
  await expect(heading('How Long Responses Are Kept')).toBeFocused()
})

test('gives the church a name, a color and a picture, which pages show', async ({ page }) => {
  await open(page, '/admin?tab=settings')
  await church(page).getByLabel('Name').fill('  Grace Church ')
  await church(page).getByRole('radio', { name: 'Teal' }).check()
  await church(page).getByLabel('Name').press('Enter')
  await expectToast(page, 'Church Saved', 'Pages show it from now on. Reload this one to see a new color here.')
  await page.reload()
  await waitForHydration(page)
  await expect(church(page).getByLabel('Name')).toHaveValue('Grace Church')
  expect(await page.evaluate(() => getComputedStyle(document.documentElement).getPropertyValue('--accent'))).toBe(
    '#0b5d66',
  )

  const choosePicture = (name: string, mimeType: string, buffer: Buffer) =>
    church(page).getByLabel('Picture').setInputFiles({ name, mimeType, buffer })
  await choosePicture('church.svg', 'image/svg+xml', Buffer.from('<svg/>'))
  await expect(toast(page)).toContainText('This is not a picture that the site can read.')
  // Larger than what is sent as it is: the browser makes it smaller first.
  const large = await testPicture({ width: 2700, height: 1350, noise: true })
  expect(large.length).toBeGreaterThan(1_000_000)
  const sending = page.waitForRequest((request) => request.method() === 'PUT')
  await choosePicture('church.jpg', 'image/jpeg', large)
  expect(Number(await (await sending).headerValue('content-length'))).toBeLessThan(1_000_000)
  await expectToast(page, 'Picture Saved', 'Pages show it from now on. Say below what it shows.')
  const shown = church(page).getByRole('img', { name: 'The picture of your church' })
  await expect.poll(() => shown.evaluate((image: HTMLImageElement) => image.naturalWidth)).toBe(800)
  await expectUsable(page, 'the church with a picture', '#church')
  await church(page).getByLabel('What the Picture Shows').fill('The church in spring')
  await church(page).getByRole('button', { name: 'Save Church' }).click()
  const described = church(page).getByRole('img', { name: 'The church in spring' })
  await expect(described).toBeVisible()
  await church(page).getByRole('button', { name: 'Remove Picture' }).click()
  await expectToast(page, 'Picture Removed', 'Pages no longer show a picture.')
  await expect(church(page).getByLabel('Picture')).toBeFocused()
})
