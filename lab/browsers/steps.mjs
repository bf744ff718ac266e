// What a visitor does on a phone, and the clerk on a laptop and a phone. Each step fails with the unmet condition.
import { named } from './walk.mjs'

const rows = (count) => `document.querySelectorAll('tbody input[type=checkbox]').length === ${count}`
const dialog = "document.querySelector('[role=alertdialog], dialog[open]')"

export const visitorSteps = {
  async 'opens the invitation'({ walk }) {
    await walk.resize(390, 844)
    await walk.open('/share')
    await walk.look('share')
    await walk.until("document.querySelector('.leaf')?.checkVisibility()")
    await walk.until('document.documentElement.scrollWidth <= innerWidth')
    // WebKitGTK's window is wider and its cover higher.
    await walk.until(`innerWidth > 390 || ${named("No, I can't")}.getBoundingClientRect().bottom <= innerHeight`)
  },
  async 'has both choices in reach further down'({ walk }) {
    await walk.evaluate('void scrollTo(0, document.documentElement.scrollHeight)')
    await walk.until(
      "(({ top, bottom }) => top > 0 && bottom <= innerHeight + 1)(document.querySelector('.reply-bar').getBoundingClientRect())",
    )
    await walk.look('share-bar')
  },
  async 'is told what is missing'({ walk }) {
    await walk.press('Submit RSVP')
    await walk.sees('Name is required')
    await walk.look('share-errors')
    await walk.open('/share')
  },
  async 'says yes for the family'({ walk }) {
    await walk.press("Yes, I'll attend")
    await walk.fill('css:[name=name]', 'Ana Cole')
    await walk.fill('css:[name=email]', 'ana@cole.example')
    await walk.press('Add Family Member')
    await walk.fill('Name of family member 1', 'Joel Cole')
    await walk.press('Child')
    await walk.press('Usher')
    await walk.look('share-filled')
    await walk.press('Submit RSVP')
    await walk.sees('Thank you, Ana Cole')
    await walk.look('share-thanks')
  },
  async 'is stored'({ readRsvps }) {
    const [{ name, attending, familyMembers, volunteerSignups }] = await readRsvps()
    const seen = JSON.stringify([name, attending, familyMembers[0]?.age, volunteerSignups.length])
    if (seen !== '["Ana Cole",true,"child",1]') throw new Error(`This is stored: ${seen}`)
  },
  async 'changes it by the private link'({ walk }) {
    await walk.press('Change or withdraw')
    await walk.until("location.pathname === '/answer' && document.querySelector('astro-island[ssr]') === null")
    await walk.look('private-link')
    await walk.press("No, I can't")
    await walk.press('Save')
    await walk.sees('Your RSVP says now what you see here.')
  },
  async 'withdraws it and takes that back'({ walk, readRsvps }) {
    await walk.press('Withdraw my RSVP')
    await walk.sees('You have withdrawn this RSVP')
    await walk.look('private-link-withdrawn')
    await walk.press('Take that back')
    await walk.until("document.querySelector('[name=name]')")
    const [{ attending }] = await readRsvps()
    if (attending) throw new Error('The change is not stored.')
  },
  async 'says no for another family'({ walk }) {
    await walk.open('/share')
    await walk.press('Done')
    await walk.press("No, I can't")
    await walk.fill('css:[name=name]', 'Ben Roe')
    await walk.fill('css:[name=email]', 'ben@roe.example')
    await walk.press('Submit RSVP')
    await walk.sees('Thank you, Ben Roe')
    await walk.look('share-thanks-no')
    await walk.press('Done')
  },
  async 'shows the QR code on a laptop'({ walk }) {
    await walk.resize(1280, 800)
    await walk.open('/share')
    await walk.until(`${named("No, I can't")}.getBoundingClientRect().bottom <= innerHeight`)
    await walk.look('share-laptop')
    await walk.press('Show the QR code')
    await walk.until("document.querySelector('img[alt^=QR]')?.naturalWidth > 0")
    await walk.look('share-code')
  },
  async 'finds the page as it was when the site is gone'({ walk, stopSite }) {
    await walk.resize(390, 844)
    await walk.open('/share')
    await walk.until("navigator.serviceWorker.controller?.state === 'activated'")
    await walk.open('/share')
    await stopSite()
    await walk.open('/share')
    await walk.sees('You are offline')
    await walk.look('share-offline')
  },
}

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
