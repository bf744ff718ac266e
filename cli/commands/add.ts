import { recordAct } from '#db/audit.ts'
import { addRsvp } from '#db/rsvp/entry.ts'
import { membersFrom } from '#db/rsvp/import.ts'
import { getRsvp } from '#db/rsvp/list.ts'
import { listEveryVolunteerRole } from '#db/rsvp/roles.ts'
import { createSampleRsvps, hasRealRsvps } from '#db/rsvp/sample.ts'
import type { Context, Declare } from '../command.ts'
import { failure, notFoundError, usageError } from '../errors.ts'
import { examples, wholeNumber } from '../options.ts'
import { printJson, say } from '../output.ts'
import { dateOfWeek } from '../selection.ts'

/** How many samples are stored in one write. */
const SAMPLES_AT_ONCE = 50

/** Samples are dated evenly over the last four weeks. */
const PERIOD_MS = 28 * 24 * 60 * 60 * 1000

export const declare: Declare = (command, run) => {
  command
    .description(
      'Adds a response, for the service of this week unless another is given. Only the name is needed. --samples adds ' +
        'realistic responses to try the site with, which `rsvp delete --samples` removes again; if there are real ' +
        'responses, it refuses without --force.',
    )
    .option('--name <name>', 'who it is from')
    .option('--no-attending', 'this person is not coming')
    .option('--family <names>', 'who is coming along, e.g. "Joel Cole (child); Dina Cole"')
    .option('--role <role...>', 'the roles they offer to fill: ids or names')
    .option('--phone <number>', 'the phone number')
    .option('--email <address>', 'the email address')
    .option('--message <text>', 'the message')
    .option('--week <week>', 'for which service: this, next, last or its date, e.g. 2026-11-21')
    .option('--samples <number>', 'add this many samples instead', wholeNumber)
    .option('--force', 'add samples even if there are real responses')
    .option('--json', 'print the response as JSON')
    .addHelpText(
      'after',
      examples(
        'rsvp add --name "Ana Cole" --family "Joel Cole (child); Dina Cole" --role Usher Music',
        'rsvp add --samples 50',
      ),
    )
    .action(
      run('database', async (options, context) => {
        const { call, io } = context
        const { samples, force, json, family, role, week, name, ...texts } = options
        if (samples !== undefined) return addSamples(samples, force, context)
        if (name === undefined) throw usageError('Give a name, e.g. `rsvp add --name "Ana Cole"`.')
        const { id } = await addRsvp(
          {
            ...texts,
            name,
            familyMembers: family === undefined ? undefined : membersFrom(family),
            volunteerRoles: role && (await Promise.all(role.map((word) => findRole(word)))),
            serviceDate: week === undefined ? undefined : await dateOfWeek(week, context),
          },
          call,
        )
        if (json) await printJson(await getRsvp({ id: String(id) }), io)
        else say(`Added response ${id}.`, context)
      }),
    )
}

async function addSamples(count: number, force: true | undefined, context: Context): Promise<void> {
  const { call } = context
  if (!force && (await hasRealRsvps())) {
    throw failure('The database already has responses. Add --force to add samples beside them, or use another --db.')
  }
  const moments = Array.from({ length: count }, (_, index) => {
    const age = PERIOD_MS * (1 - (index + 1) / count)
    return new Date(call.now.getTime() - age).toISOString()
  })
  for (let added = 0; added < count; added += SAMPLES_AT_ONCE)
    await createSampleRsvps(moments.slice(added, added + SAMPLES_AT_ONCE), call)
  await recordAct({ action: 'samples added', subject: String(count) }, call)
  say(`Added ${count} sample responses. \`rsvp delete --samples\` removes them again.`, context)
}

/**
 * Finds a role by its id, or by its name in any capitalization: first among the roles on offer, then among the retired.
 * @throws CommandError 'notFound'
 */
async function findRole(word: string): Promise<number> {
  const roles = (await listEveryVolunteerRole()).toSorted((a, b) => Number(a.retired) - Number(b.retired))
  const name = word.trim().toLowerCase()
  const found = roles.find((role) => word === String(role.id)) ?? roles.find((role) => role.name.toLowerCase() === name)
  if (found !== undefined) return found.id
  throw notFoundError(`There is no role ${JSON.stringify(word)}: see Settings › Invitation › Roles.`)
}
