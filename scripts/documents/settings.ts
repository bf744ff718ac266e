import { Help } from '@commander-js/extra-typings'
import { describeSettings } from '#db/config/config.ts'
import { code } from './http.ts'

/** Columns for text, including the comment sign. */
const WIDTH = 120

/** `.env.example`: a commented line for each setting, with its default. */
export function envExample(): string {
  const settings = describeSettings().map(({ name, meaning, preset }) => {
    const lines = new Help().boxWrap(meaning, WIDTH - 2).split('\n')
    return [...lines, `${name}=${preset}`].map((line) => `# ${line}\n`).join('')
  })
  return `${['# Copy to .env and change what you need. Everything is optional. The values shown are the defaults.\n', ...settings].join('\n')}`
}

/** `docs/settings.md` */
export function settingsPage(): string {
  const rows = describeSettings().map(
    ({ name, meaning, preset }) => `| ${code(name)} | ${code(preset)} | ${meaning.replaceAll('|', '\\|')} |\n`,
  )
  return `# Settings

<!-- Written by \`npm run docs\` from db/config/config.ts. -->

All settings are optional. Put them into the environment or into a file \`.env\` in the folder of the site; [.env.example](../.env.example) is a template. An option of \`rsvp\` overrides the environment, and the environment overrides \`.env\`. An empty setting counts as not set.

| setting | default | meaning |
| --- | --- | --- |
${rows.join('')}
A value with a \`#\` needs quotes: \`ADMIN_PASSWORD='a # in it'\`. In the \`.env\` of Docker Compose, so does a value with a \`$\`. The site and \`rsvp\` read the settings when they start. If any are wrong, they list every mistake and exit with code 78.

What visitors see and how long RSVPs are kept is set on the Settings tab of the administration. \`NO_COLOR=1\` prints without colors.
`
}
