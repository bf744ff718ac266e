import { Readable } from 'node:stream'
import type { Mail } from '#db/config/config.ts'
import { UserError } from '#db/values/errors.ts'
import { isLoopback } from '#db/values/url.ts'

/** For a server that neither replies nor hangs up. Shorter than LEASE_MS in deliver.ts. */
const TIMEOUT_MS = 60_000

/** A message with the values of its headers. */
export type Letter = {
  /** The same for each copy of the letter, and for no other. */
  id: string
  to: string
  /** The sender's name, unless the settings have one. */
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
 * `delayed`: the server has not taken the letter, but may later. `failed`: it never will. `unknown`: the connection ended
 * between the letter and the reply. `dropped`: there was no need to send it.
 */
export type Delivery = {
  result: 'sent' | 'delayed' | 'failed' | 'unknown' | 'dropped'
  /** Without personal data. */
  failure?: UserError
}

/** `origin` is that of the site, if known; `ending` interrupts the sending. */
type Sending = { origin?: string | undefined; ending?: AbortSignal }

/** Hands a letter to the mail server, within a minute. */
export async function sendLetter(letter: Letter, mail: Mail, { origin, ending }: Sending = {}): Promise<Delivery> {
  const { default: nodemailer } = await import('nodemailer')
  // Many servers require a real host name. Without one, nodemailer takes that of this computer.
  const host = origin === undefined ? '' : new URL(origin).hostname
  const name = /^[[\d]/.test(host) ? '' : host
  const transport = nodemailer.createTransport({ ...readServer(mail.server), name })
  let isHandedOver = false
  // The connection reads the content only after the server has accepted the recipient.
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
 * smtps is encrypted from the start. smtp must be encrypted by STARTTLS before anything else is sent, except on this
 * computer and with `?tls=off`.
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

/** Addresses are given as objects, so that no text is parsed as an address. */
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

/** Only a wrong address is final. Any other failure can be fixed, on the server or on this site. */
function deliveryAfter(error: Failure, isHandedOver: boolean, { server }: Mail): Delivery {
  const { code = '', originalCode, response = '', responseCode, command = '' } = error
  if (isHandedOver && responseCode === undefined) return { result: 'unknown', failure: new UserError('mail-unknown') }
  const password = decodeURIComponent(new URL(server).password)
  // After that, the text of a reply could contain the address.
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

/** Reads the enhanced codes anywhere in the reply. 5.1.7 and 5.1.8 are about the sender's address. */
function isWrongAddress(command: string, response: string): boolean {
  const codes = response.match(/(?<![\d.])[245]\.\d{1,3}\.\d{1,3}(?!\.?\d)/g)
  if (codes === null) return command === 'RCPT TO' && /^55[013]/.test(response)
  const areFinal = codes.every((enhanced) => /^5\.1\.(?![78]$)/.test(enhanced))
  return isAfterAddress(command) && response.startsWith('5') && areFinal
}
