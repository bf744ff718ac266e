import type { CommandUnknownOpts } from '@commander-js/extra-typings'
import type { Run } from '../run.ts'
import { notEmpty } from './arguments.ts'
import { examples } from './examples.ts'

/** Commands that replace the version that is in use. */
export function addUpdateCommands(program: CommandUnknownOpts, run: Run): void {
  program
    .command('update')
    .summary('put a newer version into use')
    .description(
      'Updates every site that runs as a service here. Backs each up, installs the release beside the one in use, starts it once ' +
        'on a copy of each database, and puts it into use at one site after the other; visitors who come in that moment wait ' +
        'for a second. Where a site is not well, all of them go back by themselves. Says first what it will do, and asks. ' +
        'The release is an archive, an unpacked one, or a folder with some, of which the newest counts; by default it is the ' +
        'one whose command this is, or an archive in the current folder. SHA256SUMS and its signature, SHA256SUMS.sig, have ' +
        'to lie beside an archive, and are checked with the key of the release in use before anything of it is run.',
    )
    .addArgument(program.createArgument('[release]', 'the archive, or a folder').argParser(notEmpty))
    .option('--to <version>', 'this version, also an older one', notEmpty)
    .option('--unsigned', 'also a release that no signature proves; asks for its version at the terminal')
    .option('--yes', 'do not ask')
    .option('--dry-run', 'only say what would be done')
    .addHelpText('after', examples('rsvp update rsvp-0.3.0-linux-x64.tar.gz', 'rsvp update --to 0.3.0 --yes'))
    .action(run('process', () => import('../commands/update.ts')))

  program
    .command('rollback')
    .summary('go back to the version before')
    .description(
      'Puts the release into use again that the last update has replaced, in the same steps. ' +
        'What was stored since stays. Where the update has changed the tables in a way that it cannot use, it says so and ' +
        'changes nothing, unless --restore is given.',
    )
    .option('--restore', 'bring back the database from before the update as well, with the responses since')
    .option('--yes', 'do not ask')
    .option('--dry-run', 'only say what would be done')
    .addHelpText('after', examples('rsvp rollback', 'rsvp rollback --restore --yes'))
    .action(run('process', () => import('../commands/rollback.ts')))
}
