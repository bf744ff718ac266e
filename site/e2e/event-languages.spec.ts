import { event } from './event-editing.ts'
import { expect, open, send, test } from './fixtures.ts'

test.describe('the event in the language of a visitor', () => {
  test.use({ locale: 'es' })

  test('stays so once the browser has read the event anew', async ({ page, site }) => {
    await send(site, 'POST', '/api/event', event)
    await send(site, 'PUT', '/api/event/translations/es', { title: 'Cosecha', date: '4 de octubre' })
    const read = page.waitForResponse((response) => response.url().endsWith('/api/event'))
    await open(page, '/share')
    await (await read).finished()
    const card = page.getByRole('article')
    await expect(card.getByRole('heading', { name: 'Cosecha' })).toBeVisible()
    await expect(card.getByText('4 de octubre')).toBeVisible()
    await expect(card.getByText(event.time)).toHaveAttribute('lang', 'en')
    await expect(page).toHaveTitle('Cosecha')
  })
})
