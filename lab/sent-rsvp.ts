import type { Random } from './random.ts'
import { keyOf, makeRsvp, type RsvpBody } from './rsvp.ts'

/** An RSVP as it is sent, and the replies to it. */
export type SentRsvp = {
  token: string
  key: string | undefined
  /** Entered by an administrator: it has no private link. */
  entered: boolean
  body: RsvpBody
  /** That, and what it was changed to, in the order in which that was asked for. */
  versions: RsvpBody[]
  /** The place of the oldest one that it may still be. */
  oldest: number
  /** A change without a reply may still take effect after one that was acknowledged. */
  doubtful: boolean
  /** Only one client at a time: of two changes it is unknown which came last. */
  changing: boolean
  /** The key of its private link. */
  link: string | undefined
  times: number
  /** How many of these times the client knows that it was not stored. */
  refused: number
  /** The ids in the replies that acknowledged it. */
  ids: number[]
  /** The id under which it was found in the database: from then on it has to stay. */
  storedAs: number | undefined
}

/** One that was not sent yet. */
export function makeSent(
  token: string,
  random: Random,
  { isKeyed, entered }: { isKeyed: boolean; entered: boolean },
): SentRsvp {
  const body = makeRsvp(token, random)
  return {
    token,
    key: isKeyed ? keyOf(token) : undefined,
    entered,
    body,
    versions: [body],
    oldest: 0,
    doubtful: false,
    changing: false,
    link: undefined,
    times: 0,
    refused: 0,
    ids: [],
    storedAs: undefined,
  }
}
