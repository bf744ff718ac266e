import { Help } from '@commander-js/extra-typings'
import { describeSettings } from '#db/config/environment.ts'

const COLUMNS = 120

/** Every setting with its meaning, formatted like the options of a command. */
export function environmentTopic(): string {
  const settings = describeSettings()
  const width = Math.max(...settings.map(({ name }) => name.length))
  const help = new Help()
  help.prepareContext({ helpWidth: COLUMNS })
  const items = settings.map(({ name, meaning, preset, example }) => {
    const shown = preset ? ` (default: ${preset})` : example && ` (example: ${example})`
    return help.formatItem(name, width, meaning + shown, help)
  })
  return `Settings, all optional, from the environment or from the file .env beside package.json:

${items.join('\n')}

An option overrides the environment, and the environment overrides .env.
NO_COLOR=1 prints without colors, like --no-color.
`
}
