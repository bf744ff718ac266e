import { Readable } from 'node:stream'
import { isLoopback } from '#db/access/loopback.ts'
import type { Mail } from '#db/config/config.ts'

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
  /** A sentence without personal data. */
  failure?: string
  /** No other letter would fare better now. */
  concernsAll?: boolean
}

export const UNKNOWN =
  'It is unknown whether this was sent: the site or the connection stopped before the mail server replied. Send it again only if a second copy does no harm.'

/**
 * Hands a letter to the mail server, within a minute. Nodemailer is loaded by the first one.
 * @throws if no message can be made of it.
 */
export async function sendLetter(
  letter: Letter,
  { server, from, name }: Mail,
  ending?: AbortSignal,
): Promise<Delivery> {
  const [{ default: SMTPConnection }, { default: MailComposer }] = await Promise.all([
    import('nodemailer/lib/smtp-connection'),
    import('nodemailer/lib/mail-composer'),
  ])
  const raw = await new MailComposer(mimeOf({ ...letter, fromName: name || letter.fromName }, from)).compile().build()
  const { credentials, ...options } = readServer(server)
  const connection = new SMTPConnection(options)
  let isHandedOver = false
  // The connection reads it once the server has asked for it, not before.
  function* content() {
    isHandedOver = true
    yield raw
  }
  const late = AbortSignal.timeout(TIMEOUT_MS)
  const leaving = ending === undefined ? late : AbortSignal.any([late, ending])
  try {
    await new Promise<void>((resolve, reject) => {
      const leave = () => reject({ code: 'ETIMEDOUT' })
      if (leaving.aborted) return leave()
      leaving.addEventListener('abort', leave, { once: true })
      const done = (error: unknown) => (error ? reject(error) : resolve())
      const send = (error: unknown) =>
        error ? reject(error) : connection.send({ from, to: [letter.to] }, Readable.from(content()), done)
      connection.once('error', reject)
      connection.connect((error) => (error || !credentials ? send(error) : connection.login({ credentials }, send)))
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
  const { protocol, hostname, port, username, password, search } = new URL(server)
  const isPlain = isLoopback(hostname) || search === '?tls=off'
  return {
    host: hostname.replace(/^\[|\]$/g, ''),
    port: Number(port) || undefined,
    ...(protocol === 'smtps:' ? { secure: true } : isPlain ? { ignoreTLS: true } : { requireTLS: true }),
    socketCloseTimeout: 0,
    credentials: username && { user: decodeURIComponent(username), pass: decodeURIComponent(password) },
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

/** The texts of errors hold addresses, so only their codes are told. */
function deliveryAfter(error: unknown, isHandedOver: boolean): Delivery {
  const { code = '', originalCode, responseCode, command = '' } = error as Failure
  if (isHandedOver && responseCode === undefined) return { result: 'unknown', failure: UNKNOWN }
  const reason = [originalCode ?? code, responseCode].join(' ').trim()
  const isAboutLetter = /^(RCPT TO|DATA)$/.test(command)
  const isRefused = responseCode !== undefined && responseCode >= 500
  if ((isAboutLetter && isRefused) || (code === 'EENVELOPE' && responseCode === undefined)) {
    const failure = `The mail server refused the message for good (${reason}). The address may not exist.`
    return { result: 'failed', failure }
  }
  const failure =
    responseCode === undefined
      ? `The mail server cannot be reached: check SMTP_URL (${reason}).`
      : `The mail server takes no messages now (${reason}). If that lasts, check SMTP_URL and MAIL_FROM.`
  return { result: 'delayed', failure, concernsAll: !isAboutLetter }
}

type Failure = { code?: string; originalCode?: string; responseCode?: number; command?: string }
