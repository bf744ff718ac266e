import { createInterface } from 'node:readline/promises'
import { Writable } from 'node:stream'
import { text } from 'node:stream/consumers'
import { listAdministrators } from '#db/access/administrators.ts'
import { assertUncommon } from '#db/access/password.ts'
import { firstLine, setPassword } from '#db/access/setup.ts'
import { isNew, placeOf } from '#db/config/places.ts'
import { UserError } from '#db/values/errors.ts'
import { newPassword } from '#db/values/schemas.ts'
import type { Context, Declare } from '../command.ts'
import { CommandError, exitCodes, failure, sentencesOf, usageError } from '../errors.ts'
import { examples, notEmpty } from '../options.ts'
import { say } from '../output.ts'
import { findAdmin } from './admins.ts'

export const declare: Declare = (command, run) => {
  command
    .description(
      'Sets the password of the administrator, and ends their sessions; an open site is guarded by it from then on. ' +
        'Where there are several administrators, --of says whose it is. Asks for it twice, or reads it from standard ' +
        'input. Never pass it as an argument: other accounts could read it there.',
    )
    .option('--of <email>', 'of the administrator with this email', notEmpty)
    // Commander's own errors would print the password.
    .allowUnknownOption()
    .allowExcessArguments()
    .hook('preAction', ({ args }) => {
      if (args.length > 0) command.error('error: leave the password out: it is asked for, or read from standard input')
    })
    .addHelpText('after', examples('rsvp password', 'rsvp password --of ruth@example.org < /run/secrets/ruth'))
    .action(
      run('nothing', async ({ of }, context) => {
        const { adminPassword, adminPasswordFile, databaseUrl } = context.readConfig()
        if (of === undefined && (adminPassword !== undefined || adminPasswordFile !== undefined)) {
          const name = adminPassword === undefined ? 'ADMIN_PASSWORD_FILE' : 'ADMIN_PASSWORD'
          throw new CommandError(exitCodes.configuration, `The site takes its password from ${name}. Change it there.`)
        }
        // Opens an existing database before it asks, to fail early. A new one is created only for a usable password.
        const isGuarded = isNew(databaseUrl) && of === undefined ? false : await hasAdministrator(of, context)
        const password = await readNewPassword(context)
        await context.openDatabase({ mustExist: false })
        await setPassword({ email: of, password }, context.call)
        const place = placeOf(databaseUrl)
        const done = isGuarded
          ? `The password in ${place} is changed. The person is signed out in every browser.`
          : `The password is set in ${place}. The site that uses it is guarded from now on: sign in at /admin.`
        say(done, context)
      }),
    )
}

/** Whether the password will be that of an existing administrator: an open site has none. */
async function hasAdministrator(email: string | undefined, { openDatabase }: Context): Promise<boolean> {
  await openDatabase({ mustExist: true })
  if (email !== undefined) return (await findAdmin(email)) !== undefined
  const { length } = await listAdministrators()
  if (length > 1) throw usageError('There are several administrators. Say whose password it is, with --of EMAIL.')
  return length === 1
}

/**
 * Asks twice at a terminal, otherwise reads standard input.
 * @throws CommandError 'failed' if the two inputs differ or cannot be used, 'interrupted' after Ctrl+C.
 */
async function readNewPassword(context: Context): Promise<string> {
  const { stdin } = context.io
  const questions = ['New password, 12 to 128 characters: ', 'The same again: ']
  const [typed = '', again] = stdin.isTTY
    ? await askSecrets(questions, usablePassword, context)
    : Array(2).fill(usablePassword(firstLine(await text(stdin))))
  if (typed !== again) throw failure('The two are not the same. Nothing was changed.')
  // Refuses the password before a database is created for it.
  await assertUncommon(typed).catch((error) => {
    throw error instanceof UserError ? failure(sentencesOf(error).join(' ')) : error
  })
  return typed
}

/** @throws CommandError 'failed' that says what a password needs. */
function usablePassword(typed: string): string {
  const parsed = newPassword.safeParse(typed)
  if (parsed.success) return parsed.data
  throw failure(parsed.error.issues.map(({ message }) => message).join(' '))
}

/**
 * Asks the questions one after the other and does not echo what is typed. A paste may answer several at once. Ends early
 * if `check` throws.
 * @throws CommandError 'interrupted' after Ctrl+C or Ctrl+D, or when the terminal is closed.
 */
async function askSecrets(
  questions: string[],
  check: (input: string) => string,
  { signal, io }: Context,
): Promise<string[]> {
  const unseen = new Writable({ write: (_shown, _encoding, done) => done() })
  // Without a history, where the arrow up would find the first password.
  const reader = createInterface({ input: io.stdin, output: unseen, terminal: true, historySize: 0, signal })
  const lines = reader[Symbol.asyncIterator]()
  const inputs: string[] = []
  try {
    for (const question of questions) {
      io.stderr.write(question)
      const { done, value } = await lines.next()
      io.stderr.write('\n')
      if (done) {
        // In this mode the terminal does not turn Ctrl+C into a signal.
        io.emit('SIGINT')
        signal.throwIfAborted()
        throw new CommandError(exitCodes.interrupted, '')
      }
      inputs.push(check(value))
    }
    return inputs
  } finally {
    reader.close()
  }
}
