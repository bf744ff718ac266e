// What is done on a page before its picture is taken.
import { PASSWORD } from './sites.mjs'

export const button = (page, name) => page.getByRole('button', { name, exact: true })
export const click = (name) => (page) => button(page, name).click()

export const event = {
  title: 'Sabbath Worship Service',
  subtitle: 'Join us in worship and fellowship',
  description: 'Come as you are.',
  date: 'Every Sabbath',
  location: '123 Main Street, Springfield',
}

export async function fill(page) {
  await page.getByText("Yes, I'll attend").click()
  await page.getByLabel('Name', { exact: true }).fill('Ana Cole')
  await page.getByLabel('Email').fill('ana@cole.example')
}

export async function addFamily(page) {
  for (const [place, name] of ['Joel Cole', 'Dina Cole'].entries()) {
    await button(page, 'Add Family Member').click()
    await page.getByLabel(`Name of family member ${place + 1}`).fill(name)
  }
}

export async function submit(page) {
  await button(page, 'Submit RSVP').click()
  // In its panel and in the notice, which comes a little later.
  await page.getByText('RSVP Submitted').first().waitFor()
  await page.locator('.thanks').waitFor()
}

export async function edit(page, { time }) {
  await button(page, 'Edit').click()
  await page.getByLabel('Time', { exact: true }).fill(time)
}

/** Signs in without the form, as its script would. */
export async function signIn(page) {
  await page.goto('/admin')
  await page.evaluate(
    (password) =>
      fetch('/api/session', {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ password }),
      }),
    PASSWORD,
  )
}
