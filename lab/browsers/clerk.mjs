// What the clerk does on a laptop, and looks at on a phone.
import { named } from './walk.mjs'

const rows = (count) => `document.querySelectorAll('tbody input[type=checkbox]').length === ${count}`
const dialog = "document.querySelector('[role=alertdialog], dialog[open]')"

export const clerkSteps = {
  async 'signs in'({ walk, password }) {
    await walk.resize(1280, 800)
    await walk.open('/admin')
    await walk.fill('css:#password', 'wrong')
    await walk.press('Sign In')
    await walk.until("document.querySelector('[role=alert], .field__error, .notice')")
    await walk.look('sign-in-wrong')
    await walk.fill('css:#password', password)
    await walk.press('Sign In')
    await walk.sees('RSVP Responses')
    await walk.until(rows(3))
    await walk.look('admin')
  },
  async 'finds a response'({ walk }) {
    await walk.open('/admin?q=Visitor+2')
    await walk.until(rows(1))
    await walk.open('/admin')
  },
  async 'changes their mind in a dialog'({ walk }) {
    await walk.press('css:tbody input[type=checkbox]')
    await walk.press('Delete Selected')
    await walk.until(`${dialog}?.checkVisibility()`)
    await walk.look('admin-dialog')
    await walk.press('Cancel')
    await walk.until(`!${dialog}?.checkVisibility()`)
    await walk.until(rows(3))
  },
  async 'deletes a response and takes that back'({ walk }) {
    await walk.press('Delete Selected')
    await walk.until(`${dialog}?.checkVisibility()`)
    await walk.press('Delete')
    await walk.until(rows(2))
    await walk.look('admin-deleted')
    await walk.press('Undo')
    await walk.until(rows(3))
  },
  async 'changes the event in place'({ walk }) {
    await walk.open('/')
    await walk.press('Edit')
    await walk.fill('css:[name=location]', '9 Elm Street')
    await walk.look('event-editor')
    await walk.press('Confirm')
    await walk.until(`${named('css:.invitation')}.innerText.includes('9 Elm Street')`)
  },
  async 'translates the event'({ walk }) {
    await walk.open('/admin?tab=settings')
    await walk.press('Translate the event into Spanish')
    await walk.fill('css:.translation [name=title]', 'Culto del sábado')
    await walk.look('translation')
    await walk.press('Save Translation')
    await walk.until(named('Edit the event in Spanish'))
    await walk.look('settings')
  },
  async 'prints the sheet and the poster'({ walk }) {
    for (const name of ['sheet', 'poster']) {
      await walk.open(`/admin/${name}`)
      await walk.until('document.documentElement.scrollWidth <= innerWidth')
      await walk.look(name)
    }
  },
  async 'looks on a phone who comes'({ walk }) {
    await walk.resize(390, 844)
    await walk.open('/admin')
    await walk.until('document.documentElement.scrollWidth <= innerWidth')
    await walk.look('admin-phone')
  },
}
