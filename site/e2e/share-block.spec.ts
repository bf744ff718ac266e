import { expect, open, test } from './fixtures.ts'

test.describe('the share block', () => {
  for (const path of ['/', '/share']) {
    test(`on ${path} offers a mail draft and a message with the subject and the link to /share`, async ({
      page,
      site,
    }) => {
      await open(page, path)
      const block = page.getByRole('region', { name: 'Share with others' })
      const link = `http%3A%2F%2F127.0.0.1%3A${new URL(site.url).port}%2Fshare`
      const subject = 'Join%20us%20for%20Sabbath%20Worship%20Service!'
      await expect(block.getByRole('link', { name: 'Email' })).toHaveAttribute(
        'href',
        `mailto:?subject=${subject}&body=${link}`,
      )
      const whatsApp = block.getByRole('link', { name: 'WhatsApp' })
      await expect(whatsApp).toHaveAttribute('href', `https://wa.me/?text=${subject}%20${link}`)
      await expect(whatsApp).toHaveAttribute('rel', /noopener/)
    })
  }

  test('opens the share sheet of a phone that has one', async ({ page, site }) => {
    await page.addInitScript(() => {
      navigator.share = async (shared) => {
        document.body.dataset.shared = JSON.stringify(shared)
      }
    })
    await open(page, '/share')
    await page.getByRole('button', { name: 'More ways' }).click()
    const shared = JSON.parse((await page.locator('body').getAttribute('data-shared')) ?? '')
    expect(shared).toEqual({
      title: 'Sabbath Worship Service',
      text: 'Join us for Sabbath Worship Service!',
      url: `${site.url}/share`,
    })
  })

  test('says nothing when the share sheet is closed, and has no such button without one', async ({ page }) => {
    await page.addInitScript(() => {
      if (location.hash === '#without') Object.assign(navigator, { share: undefined })
      else navigator.share = () => Promise.reject(new DOMException('closed', 'AbortError'))
    })
    const errors: Error[] = []
    page.on('pageerror', (error) => errors.push(error))
    await open(page, '/share')
    await page.getByRole('button', { name: 'More ways' }).click()
    await open(page, '/?other#without')
    await expect(page.getByRole('link', { name: 'WhatsApp' })).toBeVisible()
    await expect(page.getByRole('button', { name: 'More ways' })).toBeHidden()
    expect(errors).toEqual([])
  })
})
