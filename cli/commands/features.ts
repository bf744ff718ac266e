import { changeFeatures, getFeatures } from '#db/feature/operations.ts'
import { type Features, featureNames } from '#db/feature/schema.ts'
import { featureTexts } from '#db/feature/texts.ts'
import type { Context } from '../context.ts'
import { usageError } from '../exit-code.ts'
import { nameMeant } from '../given.ts'
import { hasTerminal, printJson, printRows, say } from '../output/output.ts'

/** Shows the three features, switches those that are named, or opens a screen to switch them. */
export async function features(words: string[], options: { json?: true }, context: Context): Promise<void> {
  const { call, quiet, io } = context
  if (words.length === 0 && !options.json && hasTerminal(io)) return switchOnScreen(context)
  const change = changeOf(words)
  const features = change === undefined ? await getFeatures(call) : await changeFeatures(change, call)
  if (change !== undefined && !quiet) say('Feature settings have been saved successfully.', io)
  if (options.json) return printJson(features, io)
  if (change !== undefined && quiet) return
  const rows = featureNames.map((name) => {
    const { label, description } = featureTexts[name]
    return [name, features[name] ? 'on' : 'off', `${label}: ${description}`]
  })
  await printRows(rows, io)
}

async function switchOnScreen(context: Context): Promise<void> {
  const { drawScreen } = await import('../ui/draw.tsx')
  const { FeaturesScreen } = await import('../screens/FeaturesScreen.tsx')
  const features = await getFeatures(context.call)
  const change = (features: Partial<Features>) => changeFeatures(features, context.call)
  await drawScreen(FeaturesScreen, { features, change }, context)
}

/** Parses e.g. `familyRsvp off volunteerSignup on`; undefined without words. */
function changeOf(words: string[]): Partial<Features> | undefined {
  if (words.length === 0) return undefined
  const change: Partial<Features> = {}
  for (let position = 0; position < words.length; position += 2) {
    const [word = '', state = ''] = words.slice(position, position + 2)
    const name = nameMeant(word, featureNames)
    if (name === undefined) {
      const sentence = `There is no feature ${JSON.stringify(word)}: name one of ${featureNames.join(', ')}, and say on or off after it, e.g. \`rsvp features familyRsvp off\`.`
      throw usageError(sentence)
    }
    if (!/^(on|off)$/i.test(state)) {
      throw usageError('Say on or off after each feature, e.g. `rsvp features familyRsvp off`.')
    }
    change[name] = state.toLowerCase() === 'on'
  }
  return change
}
