import { changeFeatures, getFeatures } from '#db/features.ts'
import { type Features, featureNames } from '#db/values/features.ts'
import { featureTexts } from '#db/values/titles.ts'
import type { Context, Declare } from '../command.ts'
import { usageError } from '../errors.ts'
import { examples } from '../options.ts'
import { hasTerminal, printJson, printRows, say } from '../output.ts'

export const declare: Declare = (command, run) => {
  command
    .description(
      'Shows the three features, or switches those that are named. On a terminal, without arguments, it opens a screen ' +
        'with switches.',
    )
    .argument('[changes...]', 'features, each followed by on or off, e.g. familyRsvp on')
    .option('--json', 'print a JSON object')
    .addHelpText('after', examples('rsvp features', 'rsvp features familyRsvp off volunteerSignup on'))
    .action(
      run('database', async (words, { json }, context) => {
        const { call, quiet, io } = context
        if (words.length === 0 && !json && hasTerminal(io)) return switchOnScreen(context)
        const isChange = words.length > 0
        const features = isChange ? await changeFeatures(changeOf(words), call) : await getFeatures()
        if (isChange) say('Feature settings have been saved successfully.', context)
        if (json) return printJson(features, io)
        if (isChange && quiet) return
        const rows = featureNames.map((name) => {
          const { label, description } = featureTexts[name]
          return [name, features[name] ? 'on' : 'off', `${label}: ${description}`]
        })
        await printRows(rows, io)
      }),
    )
}

async function switchOnScreen(context: Context): Promise<void> {
  const { draw } = await import('../ui/draw.tsx')
  const { FeaturesScreen } = await import('../ui/FeaturesScreen.tsx')
  const features = await getFeatures()
  const change = (features: Partial<Features>) => changeFeatures(features, context.call)
  await draw(FeaturesScreen, { features, change }, context)
}

/** Parses e.g. `familyRsvp off volunteerSignup on`. */
function changeOf(words: string[]): Partial<Features> {
  const change: Partial<Features> = {}
  for (let position = 0; position < words.length; position += 2) {
    const [word = '', state = ''] = words.slice(position, position + 2)
    const name = featureNames.find((known) => known === word)
    if (name === undefined) {
      const todo = 'and say on or off after it, e.g. `rsvp features familyRsvp off`.'
      throw usageError(`There is no feature ${JSON.stringify(word)}: name one of ${featureNames.join(', ')}, ${todo}`)
    }
    if (state !== 'on' && state !== 'off')
      throw usageError('Say on or off after each feature, e.g. `rsvp features familyRsvp off`.')
    change[name] = state === 'on'
  }
  return change
}
