import { testPicture } from '#db/church/picture-fixtures.ts'
import { expect, expectToast, hold, open, test, waitForHydration } from './fixtures.ts'

const colorOf = (name: string) => getComputedStyle(document.documentElement).getPropertyValue(name)

test.describe('the church in the settings', () => {
  test('gets a name and a color by keyboard, which pages show in both schemes', async ({ page }) => {
    await open(page, '/admin?tab=settings')
    const church = page.getByRole('region', { name: 'Your Church' })
    await church.getByLabel('Name').focus()
    await page.keyboard.type('  Grace Church ')
    await page.keyboard.press('Tab')
    await expect(church.getByLabel('Color')).toBeFocused()
    await church.getByLabel('Color').fill('#ffcc00')
    await church.getByLabel('Name').press('Enter')
    await expectToast(page, 'Church Saved', 'Pages show it from now on. Reload this one to see a new color here.')
    await page.reload()
    await waitForHydration(page)
    await expect(church.getByLabel('Name')).toHaveValue('Grace Church')
    await expect(church.getByLabel('Color')).toHaveValue('#ffcc00')
    const seen = []
    for (const colorScheme of ['light', 'dark'] as const) {
      await page.emulateMedia({ colorScheme })
      seen.push(await page.evaluate(colorOf, '--accent'))
    }
    // On paper the color itself could not be read, and in the dark it would glare.
    expect(seen).toEqual(['#826700', '#eed07b'])
    await church.getByRole('button', { name: 'Use the Usual Color' }).click()
    await church.getByRole('button', { name: 'Save Church' }).click()
    await expectToast(page, 'Church Saved', 'Pages show it from now on.')
    await page.reload()
    await expect(church.getByText('The usual color is in use.')).toBeVisible()
    await expect(page.locator('link[href^="/church/"]')).toHaveCount(0)
  })

  test('gets a picture, which is sent once it is chosen, described and removed', async ({ page }) => {
    await open(page, '/admin?tab=settings')
    const church = page.getByRole('region', { name: 'Your Church' })
    // Larger than what is sent as it is: the browser makes it smaller first.
    const large = await testPicture({ width: 3000, height: 1500, noise: true })
    expect(large.length).toBeGreaterThan(1_000_000)
    const [sent] = await Promise.all([
      page.waitForRequest((request) => request.method() === 'PUT'),
      church.getByLabel('Picture').setInputFiles({ name: 'church.jpg', mimeType: 'image/jpeg', buffer: large }),
    ])
    expect(Number(await sent.headerValue('content-length'))).toBeLessThan(1_000_000)
    await expectToast(page, 'Picture Saved', 'Pages show it from now on. Say below what it shows.')
    const shown = church.getByRole('img', { name: 'The picture of your church' })
    await expect.poll(() => shown.evaluate((image: HTMLImageElement) => image.naturalWidth)).toBe(800)
    await church.getByLabel('What the Picture Shows').fill('The church in spring')
    await church.getByRole('button', { name: 'Save Church' }).click()
    await expect(church.getByRole('img', { name: 'The church in spring' })).toBeVisible()
    await church.getByRole('button', { name: 'Remove Picture' }).click()
    await expectToast(page, 'Picture Removed', 'Pages show none any more.')
    await expect(church.getByRole('img')).toHaveCount(0)
    await expect(church.getByLabel('Picture')).toBeFocused()
  })

  test('keeps what is typed while an earlier change is being saved', async ({ page }) => {
    const release = await hold(page, '**/api/church')
    await open(page, '/admin?tab=settings')
    const church = page.getByRole('region', { name: 'Your Church' })
    await church.getByLabel('Color').fill('#ffcc00')
    await church.getByRole('button', { name: 'Save Church' }).click()
    await church.getByLabel('Name').fill('Grace Church')
    release()
    await expectToast(page, 'Church Saved', 'Pages show it from now on.')
    await expect(church.getByLabel('Name')).toHaveValue('Grace Church')
    await expect(church.getByLabel('Color')).toHaveValue('#ffcc00')
  })

  test.describe('refused', () => {
    test.use({ expectedErrors: /4(00|15)/ })

    test('says what is wrong with a picture, and with the rest', async ({ page }) => {
      await open(page, '/admin?tab=settings')
      const church = page.getByRole('region', { name: 'Your Church' })
      const svg = { name: 'church.svg', mimeType: 'image/svg+xml', buffer: Buffer.from('<svg/>') }
      await church.getByLabel('Picture').setInputFiles(svg)
      await expectToast(
        page,
        'Error',
        'This is not a picture that the site can read. Save it as JPEG, PNG, WebP or AVIF, then send that.',
      )
      await church.getByLabel('Name').fill('Grace\u0007Church')
      await church.getByRole('button', { name: 'Save Church' }).click()
      await expectToast(
        page,
        'Error',
        'The name of the church holds a line break or another control. Type it in one line.',
      )
      await expect(church.getByLabel('Name')).toHaveValue('Grace\u0007Church')
    })
  })
})
