import { Readable } from 'node:stream'
import type { Mail } from '#db/config/config.ts'
import { UserError } from '#db/values/errors.ts'
import { isLoopback } from '#db/values/url.ts'

/** For a server that neither replies nor hangs up; the lease of the one that sends is longer. */
const TIMEOUT_MS = 60_000

/** A message with what its headers need. */
export type Letter = {
  /** The same for each copy of the letter, and for no other. */
  id: string
  to: string
  /** The name of the sender, beside the address, if the settings have none. */
  fromName: string
  subject: string
  text: string
  html: string
  /** An iCalendar file with the service, attached. */
  calendar?: string | undefined
  /** The address that stops messages by a POST (RFC 8058). */
  stopUrl?: string | undefined
}
export type Message = Omit<Letter, 'id' | 'fromName' | 'stopUrl'>

/**
 * What became of a letter. `delayed`: the server does not have it, and may take it later; `failed`: it never will;
 * `unknown`: the connection ended between the letter and the reply; `dropped`: there was no need to send it.
 */
export type Delivery = {
  result: 'sent' | 'delayed' | 'failed' | 'unknown' | 'dropped'
  /** Without personal data. */
  failure?: UserError
}

/** Scheme and host of the site, if known, and what ends the sending. */
type Sending = { origin?: string | undefined; ending?: AbortSignal }

/** Hands a letter to the mail server, within a minute. Nodemailer is loaded by the first one. */
export async function sendLetter(letter: Letter, mail: Mail, { origin, ending }: Sending = {}): Promise<Delivery> {
  const { default: nodemailer } = await import('nodemailer')
  // Many servers want a real one. Without it, nodemailer takes that of this computer.
  const host = origin === undefined ? '' : new URL(origin).hostname
  const name = /^[[\d]/.test(host) ? '' : host
  const transport = nodemailer.createTransport({ ...readServer(mail.server), name })
  let isHandedOver = false
  // The connection reads the content once the server has asked for it, not before.
  async function* handOver(content: Readable) {
    isHandedOver = true
    yield* content
  }
  transport.use('stream', ({ message }, done) => {
    message?.processFunc((content) => Readable.from(handOver(content as Readable)))
    done()
  })
  const signals = [AbortSignal.timeout(TIMEOUT_MS), ...(ending ? [ending] : [])]
  const mime = mimeOf({ ...letter, fromName: mail.name || letter.fromName }, mail.from)
  try {
    await transport.sendMail({ ...mime, signal: AbortSignal.any(signals) })
    return { result: 'sent' }
  } catch (error) {
    return deliveryAfter(error as Failure, isHandedOver, mail)
  }
}

/**
 * With smtps the connection is secure from the start. With smtp it has to become so (STARTTLS) before anything is said,
 * except on this computer and where the address says `?tls=off`.
 */
function readServer(server: string) {
  const { protocol, hostname, port, username, password, search } = new URL(server)
  const isPlain = isLoopback(hostname) || search === '?tls=off'
  return {
    host: hostname.replace(/^\[|\]$/g, ''),
    port: Number(port) || undefined,
    ...(protocol === 'smtps:' ? { secure: true } : isPlain ? { ignoreTLS: true } : { requireTLS: true }),
    connectionTimeout: TIMEOUT_MS / 2,
    socketCloseTimeout: 0,
    ...(username && { auth: { user: decodeURIComponent(username), pass: decodeURIComponent(password) } }),
  }
}

/** Addresses are given as such, so that no text is read as one. */
function mimeOf({ id, to, fromName, subject, text, html, calendar, stopUrl }: Letter, from: string) {
  const stop = stopUrl && {
    'List-Unsubscribe': { prepared: true, value: `<${stopUrl}>` },
    'List-Unsubscribe-Post': 'List-Unsubscribe=One-Click',
  }
  const contentType = 'text/calendar; charset=utf-8'
  return {
    text,
    html,
    messageId: `<${id}@${from.split('@').at(-1)}>`,
    from: { name: fromName, address: from },
    to: { name: '', address: to },
    subject,
    headers: { 'Auto-Submitted': 'auto-generated', ...stop },
    attachments: calendar === undefined ? [] : [{ filename: 'service.ics', content: calendar, contentType }],
    disableFileAccess: true,
    disableUrlAccess: true,
  }
}

type Failure = { code?: string; originalCode?: string; response?: string; responseCode?: number; command?: string }

/** Only what says that the address is wrong is final. All else is the trouble of the server or ours, and can be fixed. */
function deliveryAfter(error: Failure, isHandedOver: boolean, { server }: Mail): Delivery {
  const { code = '', originalCode, response = '', responseCode, command = '' } = error
  if (isHandedOver && responseCode === undefined) return { result: 'unknown', failure: new UserError('mail-unknown') }
  const password = decodeURIComponent(new URL(server).password)
  // From then on, its words could have the address.
  const words = isAfterAddress(command) ? codesOf(response) : response.replaceAll(password || '…', '…')
  const reply = `${originalCode ?? code} ${words}`.replace(/\s+/g, ' ').trim().slice(0, 300)
  if ((code === 'EENVELOPE' && command === 'API') || isWrongAddress(command, response))
    return { result: 'failed', failure: new UserError('mail-refused', { reply }) }
  const isReached = response !== '' || code === 'EMESSAGE'
  return { result: 'delayed', failure: new UserError(isReached ? 'mail-not-taken' : 'mail-server-away', { reply }) }
}

function isAfterAddress(command: string): boolean {
  return /^(RCPT TO|DATA)$/.test(command)
}

function codesOf(response: string): string {
  const [codes = ''] = /^\d{3}([ -]\d\.\d{1,3}\.\d{1,3})?/.exec(response) ?? []
  return codes.replace('-', ' ')
}

/** By the enhanced codes, wherever they stand in the reply. 5.1.7 and 5.1.8 are about the address of the sender. */
function isWrongAddress(command: string, response: string): boolean {
  const codes = response.match(/(?<![\d.])[245]\.\d{1,3}\.\d{1,3}(?!\.?\d)/g)
  if (codes === null) return command === 'RCPT TO' && /^55[013]/.test(response)
  const areFinal = codes.every((enhanced) => /^5\.1\.(?![78]$)/.test(enhanced))
  return isAfterAddress(command) && response.startsWith('5') && areFinal
}
