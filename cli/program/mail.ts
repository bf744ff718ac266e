import type { CommandUnknownOpts } from '@commander-js/extra-typings'
import type { Run } from '../run.ts'
import { command, examples } from './arguments.ts'

export function addMailCommands(program: CommandUnknownOpts, run: Run): void {
  const mail = command(program, 'mail', 'test the mail server, and see what was not sent', [
    'The site sends mail once SMTP_URL and MAIL_FROM are set, see `rsvp help environment`.',
  ]).addHelpText(...examples('rsvp mail test ruth@example.org', 'rsvp mail queue'))

  command(mail, 'test', 'send a test message', [
    'Sends one message at once, by default to MAIL_FROM, and says what the mail server replied.',
  ])
    .argument('[address]', 'to whom')
    .addHelpText(...examples('rsvp mail test', 'rsvp mail test ruth@example.org'))
    .action(run('database', async () => (await import('../commands/mail.ts')).testMail))

  command(mail, 'queue', 'list the messages that were not sent', [
    'Lists the messages that were given up, or of which it is unknown whether they were sent: id, kind, when, and',
    'why. Says how many are waiting, and why if they are due.',
  ])
    .option('--json', 'print a JSON object')
    .addHelpText(...examples('rsvp mail queue', 'rsvp mail queue --json | jq .waiting'))
    .action(run('database', async () => (await import('../commands/mail.ts')).mailQueue))

  command(mail, 'retry', 'send messages again that were not sent', [
    'Queues those messages once more, and those that the mail server has refused until now; the running site sends',
    'them. Who got one of unknown outcome gets it twice: the administration repeats single ones, at Settings, Mail.',
  ])
    .option('--json', 'print a JSON object')
    .addHelpText(...examples('rsvp mail retry', 'rsvp mail retry --json'))
    .action(run('database', async () => (await import('../commands/mail.ts')).retry))
}
