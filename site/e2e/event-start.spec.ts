import { expect, open, send, test } from './fixtures.ts'

const edit = { title: 'Edited', subtitle: 's', description: 'd', date: 'd', time: 't', location: 'l' }
const readEvent = async (site: { url: string }) => (await fetch(`${site.url}/api/event`)).json()
const isPost = (request: { method: () => string }) => request.method() === 'POST'

test.describe('the event at the start of a page', () => {
  test('is stored under event-store, with a flag once it has loaded', async ({ page, site }) => {
    await send(site, 'POST', '/api/event', edit)
    await open(page, '/share')
    await expect
      .poll(() => page.evaluate(() => JSON.parse(localStorage.getItem('event-store') ?? 'null')))
      .toMatchObject({ hydrated: true, unsent: false, content: { pageTitle: 'Edited', location: 'l' } })
  })

  test('is posted as the default by the first visitor if there is none yet', async ({ page, site }) => {
    const posted = page.waitForRequest(isPost)
    await open(page, '/')
    expect(await (await posted).headerValue('if-none-match')).toBe('*')
    expect((await (await posted).response())?.status()).toBe(200)
    expect(await readEvent(site)).toMatchObject({ title: 'Sabbath Worship Service', time: '10:00 AM' })

    await send(site, 'POST', '/api/event', edit)
    const writes: string[] = []
    page.on('request', (request) => isPost(request) && writes.push(request.url()))
    await open(page, '/')
    await page.waitForLoadState('networkidle')
    await expect(page.getByRole('heading', { level: 1 })).toHaveText('Edited')
    expect(writes).toEqual([])
  })

  for (const path of ['/admin', '/privacy', '/nope']) {
    test.describe('on another page', () => {
      test.use({ expectedErrors: /status of 404/ })

      test(`is posted as the default if there is none yet: ${path}`, async ({ page, site }) => {
        const posted = page.waitForRequest(isPost)
        await page.goto(path)
        expect(await (await posted).headerValue('if-none-match')).toBe('*')
        await expect.poll(() => readEvent(site)).toMatchObject({ title: 'Sabbath Worship Service' })
      })
    })
  }

  test('is changed without a conflict while the default is still being posted', async ({ page, site }) => {
    const edited = Promise.withResolvers<void>()
    await page.route('**/api/event', async (route) => {
      if (route.request().headers()['if-none-match'] !== undefined) await edited.promise
      await route.continue()
    })
    const posted = page.waitForRequest(isPost)
    await open(page, '/')
    await posted
    await page.getByRole('button', { name: 'Edit' }).click()
    await page.getByLabel('Page Title').fill('Edited')
    await page.getByRole('button', { name: 'Confirm' }).click()
    await expect(page.getByRole('heading', { level: 1 })).toHaveText('Edited')
    edited.resolve()
    await expect.poll(() => readEvent(site)).toMatchObject({ title: 'Edited' })
    await expect(page.getByRole('heading', { level: 1 })).toHaveText('Edited')
  })

  test.describe('where another visitor was faster', () => {
    test('does not overwrite what was stored in the meantime, and shows it', async ({ page, site }) => {
      await page.route('**/api/event', async (route) => {
        if (isPost(route.request())) await send(site, 'POST', '/api/event', edit)
        await route.continue()
      })
      const replied = page.waitForResponse((response) => isPost(response.request()))
      await open(page, '/')
      expect((await replied).status()).toBe(412)
      expect(await readEvent(site)).toMatchObject({ title: 'Edited' })
      await expect(page.getByRole('heading', { level: 1 })).toHaveText('Edited')
    })
  })

  test.describe('when a call fails', () => {
    test.use({ expectedErrors: /Failed to (load resource|sync event details|initialize event)/ })

    test('keeps a change that could not be sent, and sends it at the next start', async ({ page, site }) => {
      await open(page, '/')
      await expect.poll(() => readEvent(site)).not.toBeNull()
      await page.route('**/api/event', (route) =>
        isPost(route.request()) ? route.fulfill({ status: 500, body: 'no' }) : route.continue(),
      )
      const logged = page.waitForEvent('console', (message) =>
        message.text().startsWith('Failed to sync event details'),
      )
      await page.getByRole('button', { name: 'Edit' }).click()
      await page.getByLabel('Page Title').fill('Only here')
      await page.getByRole('button', { name: 'Confirm' }).click()
      await logged
      const heading = page.getByRole('heading', { level: 1 })
      await expect(heading).toHaveText('Only here')
      await expect(page).toHaveTitle('Only here')
      await expect(page.getByRole('region', { name: /^Notifications/ }).getByRole('listitem')).toHaveCount(0)

      await page.reload()
      await expect(heading).toHaveText('Only here')
      await expect(page).toHaveTitle('Only here')
      expect(await readEvent(site)).toMatchObject({ title: 'Sabbath Worship Service' })

      await page.unrouteAll()
      await page.reload()
      await expect.poll(() => readEvent(site)).toMatchObject({ title: 'Only here' })
      await expect
        .poll(() => page.evaluate(() => JSON.parse(localStorage.getItem('event-store') ?? '{}').unsent))
        .toBe(false)
      await expect(heading).toHaveText('Only here')
    })

    test('logs that it could not be loaded, and shows what came with the page', async ({ page, site }) => {
      await send(site, 'POST', '/api/event', edit)
      await page.route('**/api/event', (route) => route.abort())
      const logged = page.waitForEvent('console', (message) => message.text().startsWith('Failed to initialize event'))
      await open(page, '/')
      await logged
      await expect(page.getByRole('heading', { level: 1 })).toHaveText('Edited')
      await expect(page.getByRole('region', { name: /^Notifications/ }).getByRole('listitem')).toHaveCount(0)
    })
  })
})
