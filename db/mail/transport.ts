import { Readable } from 'node:stream'
import { isLoopback } from '#db/access/loopback.ts'
import type { Mail } from '#db/config/config.ts'

/** A server that neither replies nor hangs up; the lease of the one that sends is longer. */
const TIMEOUT_MS = 60_000
/** For one reply; servers that check for spam take their time. */
const REPLY_TIMEOUT_MS = 30_000

/** A message with its headers. */
export type Letter = {
  to: string
  /** The name of the sender, beside the address. */
  fromName: string
  messageId: string
  subject: string
  text: string
  html?: string
  calendar?: string | undefined
  /** The address that stops messages by a POST (RFC 8058). */
  stopUrl?: string | undefined
}

/**
 * What became of a letter. `delayed`: the server does not have it, and may take it later; `failed`: it never will;
 * `unknown`: the connection ended between the letter and the reply. `failure` is a sentence without personal data.
 */
export type Delivery =
  | { result: 'sent' }
  | { result: 'failed' | 'unknown'; failure: string }
  | {
      result: 'delayed'
      failure: string
      /** No other letter would fare better now. */
      concernsAll: boolean
    }

export const UNKNOWN =
  'It is unknown whether this was sent: the site or the connection stopped before the mail server replied. Send it again only if a second copy does no harm.'

/** Hands a letter to the mail server, within a minute. Nodemailer is loaded by the first one. */
export async function sendLetter(letter: Letter, { server, from }: Mail, signal: AbortSignal): Promise<Delivery> {
  const [{ default: SMTPConnection }, { default: MailComposer }] = await Promise.all([
    import('nodemailer/lib/smtp-connection'),
    import('nodemailer/lib/mail-composer'),
  ])
  const { options, credentials } = readServer(server)
  const raw = await new MailComposer(mimeOf(letter, from)).compile().build()
  const connection = new SMTPConnection(options)
  let isHandedOver = false
  // The connection reads it once the server has asked for it, not before.
  function* content() {
    isHandedOver = true
    yield raw
  }
  try {
    await new Promise<void>((resolve, reject) => {
      const done = (error: unknown) => (error ? reject(error) : resolve())
      const send = (error: unknown) =>
        error ? reject(error) : connection.send({ from, to: [letter.to] }, Readable.from(content()), done)
      const ending = AbortSignal.any([signal, AbortSignal.timeout(TIMEOUT_MS)])
      ending.addEventListener('abort', () => reject({ code: 'ETIMEDOUT' }), { once: true })
      connection.once('error', reject)
      connection.connect((error) =>
        error || credentials === undefined ? send(error) : connection.login({ credentials }, send),
      )
    })
    return { result: 'sent' }
  } catch (error) {
    return deliveryAfter(error, isHandedOver)
  } finally {
    connection.on('error', () => {})
    connection.close()
  }
}

/**
 * With smtps the connection is secure from the start. With smtp it has to become so (STARTTLS) before anything is said,
 * except on this computer and where the address says `?tls=off`.
 */
function readServer(server: string) {
  const { protocol, hostname, port, username, password, searchParams } = new URL(server)
  const secure = protocol === 'smtps:'
  const isPlain = !secure && (isLoopback(hostname) || searchParams.get('tls') === 'off')
  const user = decodeURIComponent(username)
  return {
    options: {
      host: hostname.replace(/^\[|\]$/g, ''),
      port: port === '' ? undefined : Number(port),
      ...(secure ? { secure } : isPlain ? { ignoreTLS: true } : { requireTLS: true }),
      connectionTimeout: REPLY_TIMEOUT_MS,
      dnsTimeout: REPLY_TIMEOUT_MS,
      greetingTimeout: REPLY_TIMEOUT_MS,
      socketTimeout: REPLY_TIMEOUT_MS,
      socketCloseTimeout: 0,
    },
    credentials: user === '' ? undefined : { user, pass: decodeURIComponent(password) },
  }
}

/** Addresses are given as such, so that no text is read as one. */
function mimeOf({ to, fromName, subject, calendar, stopUrl, ...letter }: Letter, from: string) {
  const stop = stopUrl && {
    'List-Unsubscribe': { prepared: true, value: `<${stopUrl}>` },
    'List-Unsubscribe-Post': 'List-Unsubscribe=One-Click',
  }
  return {
    ...letter,
    from: { name: oneLine(fromName), address: from },
    to: { name: '', address: to },
    subject: oneLine(subject),
    headers: { 'Auto-Submitted': 'auto-generated', ...stop },
    attachments:
      calendar === undefined
        ? []
        : [{ filename: 'service.ics', content: calendar, contentType: 'text/calendar; charset=utf-8' }],
    disableFileAccess: true,
    disableUrlAccess: true,
  }
}

function oneLine(text: string): string {
  return text.replace(/\p{Cc}+/gu, ' ').trim()
}

/** The texts of errors hold addresses, so only their codes are told. */
function deliveryAfter(error: unknown, isHandedOver: boolean): Delivery {
  const { code = '', originalCode, responseCode, command = '' } = error as Failure
  if (isHandedOver && responseCode === undefined) return { result: 'unknown', failure: UNKNOWN }
  const isAboutLetter = /^(RCPT TO|DATA)$/.test(command)
  const isRefused = responseCode !== undefined && responseCode >= 500
  if ((isAboutLetter && isRefused) || (code === 'EENVELOPE' && responseCode === undefined)) {
    const failure = `The mail server refused the message for good (${responseCode ?? code}). The address may not exist.`
    return { result: 'failed', failure }
  }
  const reason = responseCode ?? originalCode ?? code
  return { result: 'delayed', failure: sentenceOf(code, command, isRefused, reason), concernsAll: !isAboutLetter }
}

type Failure = { code?: string; originalCode?: string; responseCode?: number; command?: string }

function sentenceOf(code: string, command: string, isRefused: boolean, reason: string | number): string {
  if (code === 'EAUTH') return `The mail server refused the user and the password in SMTP_URL (${reason}).`
  if (code === 'ETLS')
    return `No secure connection to the mail server: check SMTP_URL, and the certificate of the server (${reason}).`
  if (command === 'MAIL FROM' && isRefused)
    return `The mail server takes no messages from the address in MAIL_FROM (${reason}).`
  if (code === 'ETIMEDOUT') return `The mail server did not reply in time (${reason}).`
  if (/^(EDNS|ECONNECTION|ESOCKET)$/.test(code)) return `The mail server cannot be reached: check SMTP_URL (${reason}).`
  return `The mail server asked to try again later (${reason}).`
}
