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
})
