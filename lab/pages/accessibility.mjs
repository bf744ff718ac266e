// Runs axe on a screen in both color schemes, on a phone and in English on a laptop too, and keeps its HTML as it was served
// and as it is then.
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { AxeBuilder } from '@axe-core/playwright'
import { openScreen } from '../../scripts/screenshots/open.mjs'
import { paintPlainGround } from '../../scripts/testing/plain-ground.mjs'
import { speaking } from './speaking.mjs'

const phone = { width: 390, height: 844 }
const laptop = { width: 1280, height: 800 }
/** What depends on colors: the rest is the same in the dark. */
const rulesOfColors = ['color-contrast', 'link-in-text-block']

/** @returns {Promise<string[]>} what is wrong, a line for each. */
export async function checkScreen(browser, sites, screen, language, folder) {
  const name = `${screen.name} ${language}`
  const found = []
  try {
    const { page, close } = await openScreen(browser, sites, screen, {
      language,
      speaking: speaking(language),
      onServed: async (page, reply) => {
        page.on('pageerror', (error) => found.push(`${name}: the page threw ${error.message}`))
        writeFileSync(join(folder, `${name} served.html`), await reply.text())
      },
    })
    try {
      writeFileSync(join(folder, `${name} drawn.html`), await page.content())
      found.push(...(await runAxe(page, name, language === 'en' ? [phone, laptop] : [phone])))
    } finally {
      await close()
    }
  } catch (error) {
    found.push(`${name}: it was not checked, ${error.message.split('\n').slice(0, 3).join(' ')}`)
  }
  return found
}

async function runAxe(page, name, sizes) {
  const found = []
  await page.evaluate(paintPlainGround)
  for (const colorScheme of ['light', 'dark']) {
    await page.emulateMedia({ colorScheme })
    for (const size of sizes) {
      await page.setViewportSize(size)
      const axe = new AxeBuilder({ page })
      const { violations } = await (colorScheme === 'dark' ? axe.withRules(rulesOfColors) : axe).analyze()
      const where = `${name} ${colorScheme} ${size.width}`
      found.push(...violations.map((violation) => `${where}: axe ${violation.id}, ${firstOf(violation)}`))
    }
  }
  return found
}

function firstOf({ help, nodes: [first, ...others] }) {
  const more = others.length > 0 ? ` and ${others.length} more` : ''
  return `${help}: ${first?.target.join(' ')}${more}. ${first?.failureSummary?.replaceAll('\n', ' ') ?? ''}`
}
