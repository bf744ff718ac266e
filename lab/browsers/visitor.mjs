// What a visitor does on a phone. Each step fails with what was not so.
import { named } from './walk.mjs'

export const visitorSteps = {
  async 'opens the invitation'({ walk }) {
    await walk.resize(390, 844)
    await walk.open('/share')
    await walk.look('share')
    await walk.until("document.querySelector('.tile')?.checkVisibility()")
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
