// What a person does in a browser and sees there, by any driver.
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'

/**
 * @typedef {object} Driver
 * @property {string} version
 * @property {(address: string) => Promise<unknown>} go
 * @property {(source: string) => Promise<any>} evaluate an expression
 * @property {(source: string) => Promise<void>} press the element that an expression gives
 * @property {(source: string, text: string) => Promise<void>} type
 * @property {(path: string) => Promise<void>} screenshot
 * @property {(width: number, height: number) => Promise<unknown>} resize
 * @property {() => Promise<void>} close
 */

const TIMEOUT_MS = 20_000

/** @param {Driver} driver */
export function walkWith(driver, base, folder) {
  return {
    evaluate: driver.evaluate,
    resize: driver.resize,
    until,
    sees: (text) => until(`document.body.innerText.includes(${JSON.stringify(text)})`),
    /** Takes a picture once animations have ended. */
    async look(name) {
      await wait(500)
      await driver.screenshot(join(folder, `${name}.png`))
    },
    /** Opens a page and waits until all of it works. */
    async open(path) {
      await driver.go(base + path)
      await driver.evaluate('void scrollTo(0, document.documentElement.scrollHeight)')
      await until("document.querySelector('astro-island[ssr]') === null")
      await driver.evaluate('void scrollTo(0, 0)')
      await wait(300)
    },
    async press(name) {
      await driver.press(await inTheMiddle(name))
    },
    async fill(name, text) {
      const field = await inTheMiddle(name)
      await driver.evaluate(`void (${field}).select()`)
      await driver.type(field, text)
    },
  }

  async function until(condition) {
    for (const deadline = Date.now() + TIMEOUT_MS; Date.now() < deadline; await wait(100)) {
      if (await driver.evaluate(`Boolean(${condition})`)) return
    }
    throw new Error(`This never came true: ${condition}`)
  }

  /** Scrolls it to where no bar covers it. */
  async function inTheMiddle(name) {
    const element = named(name)
    await until(element)
    await driver.evaluate(`void (${element}).scrollIntoView({ block: 'center', behavior: 'instant' })`)
    return element
  }
}

/** The visible control of a name, or, after `css:`, the first that matches a selector. */
export function named(name) {
  if (name.startsWith('css:')) return `document.querySelector(${JSON.stringify(name.slice(4))})`
  return `(() => {
    const nameOf = (control) =>
      (control.getAttribute('aria-label') || control.labels?.[0]?.innerText || control.innerText || '').trim()
    const controls = [...document.querySelectorAll('dialog[open] button, button, a, label, summary, input, textarea')]
      .filter((control) => control.checkVisibility())
    const wanted = ${JSON.stringify(name)}
    return controls.find((control) => nameOf(control) === wanted)
      ?? controls.find((control) => nameOf(control).startsWith(wanted)) ?? null
  })()`
}
