import { sendTestMail } from '#db/mail/deliver.ts'
import { retryMail } from '#db/mail/queue.ts'
import type { Context, Declare } from '../command.ts'
import { CommandError, exitCodes } from '../errors.ts'
import { examples } from '../options.ts'
import { counted, report, say } from '../output.ts'

export const declare: Declare = (command, run) => {
  command
    .description('The site sends mail once SMTP_URL and MAIL_FROM are set, see docs/settings.md.')
    .addHelpText('after', examples('rsvp mail test ruth@example.org', 'rsvp mail retry'))

  command
    .command('test')
    .summary('send a test message')
    .description('Sends one message at once, by default to MAIL_FROM, and says what the mail server replied.')
    .argument('[address]', 'to whom')
    .addHelpText('after', examples('rsvp mail test', 'rsvp mail test ruth@example.org'))
    .action(
      run('database', async (address, _, context) => {
        const { to } = await sendTestMail({ to: address }, context.call, configWithMail(context))
        say(`The mail server took a message to ${to}. Look into that mailbox, and into its spam.`, context)
      }),
    )

  command
    .command('retry')
    .summary('send messages again that were not sent')
    .description(
      'Queues those messages once more, and those that the mail server has refused until now; the running site sends ' +
        'them. Whoever got one of unknown outcome gets it twice: Settings › Server › Mail repeats single ones.',
    )
    .option('--json', 'print a JSON object')
    .addHelpText('after', examples('rsvp mail retry', 'rsvp mail retry --json'))
    .action(
      run('database', async ({ json }, context) => {
        configWithMail(context)
        const queued = await retryMail({}, context.call)
        const sentence = `Queued ${counted(queued, 'message')} once more. The running site sends them.`
        await report({ queued }, sentence, json, context)
      }),
    )
}

/** @throws CommandError 'configuration' without a mail server. */
function configWithMail({ readConfig }: Context) {
  const config = readConfig()
  if (config.mail !== undefined) return config
  const todo = 'set SMTP_URL and MAIL_FROM, see docs/settings.md.'
  throw new CommandError(exitCodes.configuration, `No mail is sent: ${todo}`)
}
