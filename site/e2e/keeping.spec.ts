import { mkdtempSync, readdirSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Page } from '@playwright/test'
import { expect, expectToast, open, test } from './fixtures.ts'
import { changeDatabase, read, readRsvps, storeRsvps, testRsvp } from './stored.ts'
import { expectNoFindings } from './usable.ts'

const BACKUP_DIR = mkdtempSync(join(tmpdir(), 'rsvp-keeping-'))
// Browsers log what is refused.
test.use({ variables: { BACKUP_DIR }, expectedErrors: /400/ })

const panel = (page: Page, name: string) => page.getByRole('region', { name })
const dialog = (page: Page) => page.getByRole('alertdialog')

test.describe('an owner', () => {
  test('chooses how long responses are kept, and first sees how many that touches', async ({ page, site }) => {
    await storeRsvps(site, [testRsvp(), testRsvp({ name: 'Ben Cole' }), testRsvp({ name: 'Cy Roe' })])
    changeDatabase(site, "UPDATE rsvps SET created_at = datetime('now', '-100 days') WHERE id <= 2")
    await open(page, '/admin?tab=settings#keeping')
    const keeping = panel(page, 'How Long Responses Are Kept')
    const save = keeping.getByRole('button', { name: 'Save' })
    await keeping.getByLabel('Keep responses').selectOption('90 days')
    await save.click()
    await expect(dialog(page)).toHaveAccessibleName('Keep responses for 90 days?')
    await expect(dialog(page)).toContainText('2 responses are older already.')
    await page.keyboard.press('Escape')
    await expect(save).toBeFocused()
    expect(await read(site, '/api/settings')).toMatchObject({ retentionDays: null })

    await save.press('Enter')
    await dialog(page).getByRole('button', { name: 'Save' }).click()
    await expectToast(page, 'Settings Updated', 'How long responses are kept has been changed.')
    expect(await read(site, '/api/settings')).toMatchObject({ retentionDays: 90 })
    await page.reload()
    await expect(keeping.getByLabel('Keep responses')).toHaveValue('90')
  })

  test('erases what an address has sent, after a question that says how much', async ({ page, site }) => {
    await storeRsvps(site, [testRsvp(), testRsvp({ name: 'Ben Cole' }), testRsvp({ email: 'cy@roe.example' })])
    await open(page, '/admin?tab=settings#erasing')
    const erasing = panel(page, 'Erase for Good')
    const find = erasing.getByRole('button', { name: 'Find Responses' })
    await find.click()
    await expect(erasing.getByLabel('Email')).toBeFocused()
    await expect(erasing.getByLabel('Email')).toHaveAccessibleDescription('Invalid email address')
    await erasing.getByLabel('Email').fill('no.one@cole.example')
    await erasing.getByLabel('Email').press('Enter')
    await expect(erasing.getByRole('status')).toHaveText('Nothing is stored under that address.')
    await erasing.getByLabel('Email').fill('ana@cole.example')
    await find.click()
    await expect(dialog(page)).toHaveAccessibleName('Erase 2 responses for good?')
    await expectNoFindings(page, 'the question before erasing', '[role=alertdialog]')
    await dialog(page).getByRole('button', { name: 'Cancel' }).click()
    expect(await readRsvps(site)).toHaveLength(3)
    await find.click()
    await dialog(page).getByRole('button', { name: 'Erase' }).click()
    await expectToast(page, 'Erased 2 responses for good', 'Older backups may still hold them.')
    expect(await readRsvps(site)).toMatchObject([{ email: 'cy@roe.example' }])
    await expect(page.getByRole('heading', { name: 'Erase for Good' })).toBeFocused()
  })

  test('makes a backup, and downloads one', async ({ page, site }) => {
    await storeRsvps(site, [testRsvp()])
    await open(page, '/admin?tab=settings#backups')
    const backups = panel(page, 'Backups')
    await backups.getByRole('button', { name: 'Make One Now' }).press('Enter')
    await expectToast(page, 'Backup Made', 'Everything that is stored now is in it.')
    await expect(backups).toContainText(/rsvp-.+Z\.db/)
    const [name] = /rsvp-[\w.-]+Z\.db/.exec((await backups.textContent()) ?? '') ?? []
    expect(readdirSync(BACKUP_DIR)).toContain(name)

    await expectNoFindings(page, 'the backups', '#backups')
    const press = () => backups.getByRole('button', { name: 'Download One' }).press('Enter')
    const [download] = await Promise.all([page.waitForEvent('download'), press()])
    expect(download.suggestedFilename()).toMatch(/^rsvp-\d{4}-[-\dT.]+Z\.db$/)
  })
})
