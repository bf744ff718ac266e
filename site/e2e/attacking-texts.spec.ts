import type { Page } from '@playwright/test'
import { test as base, expect, open, tab, waitForHydration } from './fixtures.ts'
import { addMember, fillForm, member, openMore, roles } from './form.ts'
import { callAs, guarded, signIn } from './guarded.ts'
import { changeDatabase, storeRsvps } from './stored.ts'

/** Texts that run as a script where they are not escaped: as an element, in an attribute, in a script. */
const attackingTexts = [
  '<script>alert(1)</script>',
  '<ScRiPt>alert(2)</sCrIpT>',
  '<scr<script>ipt>alert(1)</scr</script>ipt>',
  '</title><script>alert(1)</script>',
  '</textarea><script>alert(1)</script>',
  '</script><script>alert(1)</script>',
  '<!--><script>alert(1)</script>-->',
  '<img src=x onerror=alert(1)>',
  '<svg onload=alert(1)>',
  '<iframe srcdoc="<script>parent.alert(1)</script>">',
  '<a href="javascript:alert(1)" autofocus>Ana</a>',
  '<base href="//evil.example/"><link rel=stylesheet href=x>',
  '<form action="//evil.example"><button>RSVP',
  '" autofocus onfocus="alert(1)" x="',
  "' autofocus onfocus='alert(1)' x='",
  '"><script>alert(1)</script>',
  '&lt;script&gt;alert(1)&lt;/script&gt;&#x22;&quot;',
  // biome-ignore lint/suspicious/noTemplateCurlyInString: attackers type it.
  '${alert(1)}{{constructor.constructor("alert(1)")()}}',
  '\\u003cscript\\u003ealert(1)//\u2028\\";alert(1)//',
]

/** An address whose local part is valid and attacks. */
const attackingAddress = (position: number) => `'-alert.${position}-'onfocus'x@evil.example`

/** Records every dialog that an attack opens and every request to another site. CSP reports fail every test anyway. */
const test = base.extend<{ attacks: string[] }>({
  attacks: async ({ context, site }, use) => {
    const attacks: string[] = []
    await context.exposeFunction('recordAttack', (name: string) => attacks.push(name))
    await context.addInitScript(() => {
      for (const name of ['alert', 'confirm', 'prompt', 'print']) {
        Reflect.set(window, name, () => Reflect.get(window, 'recordAttack')(name))
      }
    })
    context.on('request', (request) => {
      if (!request.url().startsWith(`${site.url}/`) && !request.url().startsWith('data:')) attacks.push(request.url())
    })
    await use(attacks)
  },
})
test.use({ variables: guarded, expectedErrors: /status of (400|404)/ })

const fields = ['title', 'subtitle', 'eventTitle', 'description', 'date', 'time', 'location', 'contact', 'whatToExpect']
const allTexts = attackingTexts.join(' ')
const column = (page: Page, name: string) => page.locator(`[data-label="${name}"]`)
const newestFirst = attackingTexts.toReversed()

/** Puts an attack into every text that a person can enter: those of the event, of the roles and of a response for each. */
async function attackEverywhere(page: Page, site: Parameters<typeof storeRsvps>[0]): Promise<void> {
  await signIn(page)
  await callAs(page, 'PATCH', '/api/settings', { publicNames: 'full' })
  await callAs(page, 'PATCH', '/api/church', { name: '</script><img src=x onerror="alert(1)">' })
  await callAs(page, 'POST', '/api/event', Object.fromEntries(fields.map((field) => [field, allTexts])))
  for (const name of attackingTexts) await callAs(page, 'POST', '/api/volunteer-roles', { name })
  const roles = await (await page.request.get('/api/volunteer-roles')).json()
  await storeRsvps(
    site,
    attackingTexts.map((text, position) => ({
      name: text,
      email: attackingAddress(position),
      phone: text.slice(0, 40),
      message: text,
      attending: true,
      familyMembers: [{ name: text }],
      volunteerRoles: [roles.find(({ name }: { name: string }) => name === text).id],
    })),
  )
}

/** Fires on every element the events that an injected attribute may be waiting for. */
async function fireEvents(page: Page): Promise<void> {
  await page.evaluate(() => {
    for (const element of document.querySelectorAll<HTMLElement>('#root *')) {
      for (const type of ['mouseover', 'pointerenter', 'focus', 'toggle', 'error', 'load'])
        element.dispatchEvent(new Event(type))
    }
  })
}

test('shows texts that attack literally on all pages, and runs none of them', async ({ page, site, attacks }) => {
  await attackEverywhere(page, site)
  await open(page, '/')
  await expect(page).toHaveTitle(allTexts)
  await expect(page.locator('meta[name="description"]')).toHaveAttribute('content', allTexts)
  await expect(page.getByRole('heading', { level: 1 })).toHaveText(allTexts)
  await expect(page.locator('.invitation').getByText(allTexts)).toHaveCount(9)
  await expect.poll(() => page.locator('.responses__name').allTextContents()).toEqual(newestFirst)
  await page.getByText("Yes, I'll attend").click()
  const offered = roles(page).getByRole('button')
  expect((await offered.allTextContents()).slice(-attackingTexts.length)).toEqual(attackingTexts)
  await fireEvents(page)
  await page.getByRole('button', { name: 'Edit' }).click()
  await expect(page.getByLabel('Page Title')).toHaveValue(allTexts)
  await expect(page.getByLabel('Location')).toHaveValue(allTexts)
  await fireEvents(page)
  await open(page, '/admin')
  for (const name of ['Name', 'Message', 'Family Members', 'Volunteer Roles']) {
    const shown = await column(page, name).allTextContents()
    const texts = shown.map((text) => text.replace(/several people\?$| \(several people\?\)$/, ''))
    expect(texts, name).toEqual(newestFirst)
  }
  expect(await column(page, 'Phone').allTextContents()).toEqual(newestFirst.map((text) => text.slice(0, 40)))
  const addresses = attackingTexts.map((_, position) => attackingAddress(position)).toReversed()
  expect(await column(page, 'Email').allTextContents()).toEqual(addresses)
  await fireEvents(page)

  await tab(page, 'Settings').click()
  const named = page.getByRole('textbox', { name: /^Role / })
  const names = await named.evaluateAll((all) => all.map((field) => (field as HTMLInputElement).value))
  expect(names.slice(-attackingTexts.length)).toEqual(attackingTexts)
  await page.getByRole('button', { name: `Retire ${attackingTexts[0]}`, exact: true }).click()
  await expect(page.getByRole('dialog')).toContainText(`${attackingTexts[0]} will no longer be offered.`)
  await fireEvents(page)

  const moment = `strftime('%Y-%m-%dT%H:%M:%fZ', 'now', -id || ' minutes')`
  changeDatabase(site, `UPDATE rsvps SET deleted_at = ${moment}`)
  await open(page, '/admin')
  await page.getByText('Recently deleted').click()
  await expect.poll(() => page.locator('.deleted .item__name').allTextContents()).toEqual(attackingTexts)
  await fireEvents(page)

  const text = attackingTexts.find((each) => each.startsWith('" autofocus')) ?? ''
  await open(page, '/share')
  await fillForm(page, text)
  await addMember(page).click()
  await member(page).fill(text)
  await page.getByRole('button', { name: 'Submit RSVP' }).click()
  await expect(page.getByText(`Thank you, ${text}`, { exact: true })).toBeVisible()
  await expect(page.getByText(`Coming: ${text}, ${text}`, { exact: true })).toBeVisible()
  await expect(page.locator('.responses__name').first()).toHaveText(text)
  await fireEvents(page)

  // Without script the form comes back, and shows the texts again.
  await openMore(page)
  await page.getByRole('link', { name: 'Respond for another family' }).click()
  await page.locator('#rsvp-form').evaluate((form: HTMLFormElement, typed) => {
    for (const field of form.querySelectorAll<HTMLInputElement>('[name=name], [name=email], [name=message]'))
      field.value = typed
    form.submit()
  }, allTexts)
  await page.waitForURL('/api/rsvp#*')
  await waitForHydration(page)
  await expect(page.getByLabel('Name', { exact: true })).toHaveValue(allTexts)
  await expect(page.getByLabel('Message')).toHaveValue(allTexts)
  const encoded = encodeURIComponent('"><script>alert(1)</script>')
  for (const path of [`/?before=${encoded}&thanks=${encoded}`, `/admin?tab=${encoded}`]) await page.goto(path)
  expect(attacks).toEqual([])
})
