import type { IncomingMessage } from 'node:http'
import { millisecondsInMinute } from 'date-fns/constants'
import { LANGUAGE_QUERY } from '#site/server/language/choose-language.ts'
import { type Known, renderPage, type SharedPage, type Site } from './shared-page.ts'
import { openShelf, type Shelf } from './shelf.ts'

/** What every visitor with the same language gets alike. Everything else is made for each request. */
const KEPT_PAGES = new Set(['/', '/share', '/privacy', '/calendar.ics'])
const KEPT_CALLS = new Set(['/api/event', '/api/features', '/api/volunteer-roles'])
/** What pages read of a query. The rest changes nothing, e.g. what social networks append to a link. */
const READ_FROM_QUERY = ['before', 'thanks', 'date', 'to', LANGUAGE_QUERY]
/**
 * The names under which a site is reached at a time, where PUBLIC_URL does not say which: pages show their own. Clients
 * make them up, so their number is limited.
 */
const ORIGINS_MAXIMUM = 8
/**
 * Of the requests under other names, each sixteenth takes the place of the name that was unused for longest. So one that
 * is asked for often gets a place and stays, and made-up ones seldom cost another its place.
 */
const REQUESTS_FOR_A_PLACE = 16

type Request = Pick<IncomingMessage, 'method' | 'url' | 'headers'>
type Shelves = Map<string, Shelf<SharedPage>>

type Found = {
  /** The pattern that its address matches, for the log. */
  route: string
  page: SharedPage | Promise<SharedPage>
}

/** Finds the page that a request asks for, or makes it; undefined where it has to be made for this request alone. */
export type FindPage = (request: Request, known: Known) => Found | undefined

/**
 * Keeps public pages in memory while the data they show stays the same. Only for visitors of a guarded site: in open mode
 * everyone is an administrator.
 * @param changes differs once something was stored; undefined while that cannot be told.
 */
export function keepPages(site: Site, changes: () => string | undefined): FindPage {
  /** By name; the one that was used last stands at the end. */
  const origins = new Map<string, Shelves>()
  let withoutPlace = 0

  /** Of what pages show: the data, and the minute, which is printed on them. */
  function versionNow(): string | undefined {
    const stored = changes()
    return stored && `${stored} ${Math.floor(Date.now() / millisecondsInMinute)}`
  }

  function shelfOf(path: string, known: Known): Shelf<SharedPage> | undefined {
    const shelves = shelvesOf(known.origin)
    if (shelves === undefined) return undefined
    const key = `${path} ${known.language}`
    const shelf = shelves.get(key) ?? openShelf(() => renderPage(path, known, site), versionNow)
    shelves.set(key, shelf)
    return shelf
  }

  function shelvesOf(name: string): Shelves | undefined {
    const shelves = origins.get(name)
    if (shelves === undefined && !makePlace()) return undefined
    origins.delete(name)
    const used = shelves ?? new Map()
    origins.set(name, used)
    return used
  }

  function makePlace(): boolean {
    if (origins.size < ORIGINS_MAXIMUM) return true
    withoutPlace += 1
    if (withoutPlace % REQUESTS_FOR_A_PLACE !== 0) return false
    const [unused = ''] = origins.keys()
    return origins.delete(unused)
  }

  return ({ method, url = '', headers }, known) => {
    const path = keptPath(url)
    if (path === undefined || (method !== 'GET' && method !== 'HEAD')) return undefined
    if (!site.mode.isKnownGuarded() || headers.cookie?.includes('rsvp-session')) return undefined
    const version = versionNow()
    if (version === undefined) return undefined
    const shelf = shelfOf(path, known)
    return shelf && { route: path, page: shelf.current(version) ?? shelf.take(version) }
  }
}

function keptPath(url: string): string | undefined {
  if (KEPT_PAGES.has(url) || KEPT_CALLS.has(url)) return url
  const end = url.indexOf('?')
  if (end === -1 || !KEPT_PAGES.has(url.slice(0, end))) return undefined
  const query = new URLSearchParams(url.slice(end))
  return READ_FROM_QUERY.some((name) => query.has(name)) ? undefined : url.slice(0, end)
}
