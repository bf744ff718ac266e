import { retryMail, sendTestMail } from '#db/mail/operations.ts'
import type { Context } from '../context.ts'
import { CommandError, exitCodes } from '../exit-code.ts'
import { counted, printJson, say } from '../output/output.ts'

/** Sends one message at once, to see whether the mail server takes it. */
export async function testMail(address: string | undefined, _: object, context: Context): Promise<void> {
  const { call, io, quiet } = context
  const { to } = await sendTestMail({ to: address }, call, configOf(context))
  if (!quiet) say(`The mail server took a message to ${to}. Look into that mailbox, and into its spam.`, io)
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
