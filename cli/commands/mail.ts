import { getMailState, retryMail, sendTestMail } from '#db/mail/operations.ts'
import type { MailState } from '#db/mail/schema.ts'
import { shownTimeZone } from '#db/schedule/read-schedule.ts'
import { formatMoment } from '#db/values/dates.ts'
import type { Context } from '../context.ts'
import { CommandError, exitCodes } from '../exit-code.ts'
import { counted, printJson, printTable, say } from '../output/output.ts'
import type { Column } from '../ui/Table.tsx'

type Failed = MailState['failed'][number]

/** Sends one message at once, to see whether the mail server takes it. */
export async function testMail(address: string | undefined, _: object, context: Context): Promise<void> {
  const { call, io, quiet } = context
  const { to } = await sendTestMail({ to: address }, call, configOf(context))
  if (!quiet) say(`The mail server took a message to ${to}. Look into that mailbox, and into its spam.`, io)
}

/** Shows what was given up or may not have arrived, and says how much waits. */
export async function mailQueue({ json }: { json?: true }, context: Context): Promise<void> {
  const { call, io, quiet, readConfig } = context
  const state = await getMailState({ ...call, sendsMail: readConfig().mail !== undefined })
  if (json) return printJson(state, io)
  const zone = await shownTimeZone()
  const columns: Column<Failed>[] = [
    { title: 'Id', text: ({ id }) => String(id), least: 4, grow: 0 },
    { title: 'Message', text: ({ kind }) => kind, least: 12, grow: 0 },
    { title: 'Given up', text: ({ at }) => formatMoment(at, zone), least: 22, grow: 0 },
    { title: 'Why', text: ({ failure }) => failure, least: 30, grow: 2 },
  ]
  const cells = ({ id, kind, at, failure }: Failed) => [id, kind, at, failure]
  await printTable(undefined, { things: state.failed, cells, columns }, io)
  if (quiet) return
  if (!state.configured) say(NO_SERVER, io)
  if (state.trouble !== null) say(state.trouble, io)
  say(`${counted(state.waiting, 'message')} waiting.`, io)
}

/** Queues all messages once more that were given up or may not have arrived. */
export async function retry({ json }: { json?: true }, context: Context): Promise<void> {
  configOf(context)
  const { call, io, quiet } = context
  const queued = await retryMail({}, call)
  if (json) await printJson({ queued }, io)
  else if (!quiet) say(`Queued ${counted(queued, 'message')} once more. The running site sends them.`, io)
}

const NO_SERVER = 'No mail is sent: set SMTP_URL and MAIL_FROM, see `rsvp help environment`.'

/** @throws CommandError 'configuration' without a mail server. */
function configOf({ readConfig }: Context) {
  const config = readConfig()
  if (config.mail === undefined) throw new CommandError(exitCodes.configuration, NO_SERVER)
  return config
}
