import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseEnv } from 'node:util'
import { errorCodeOf, UserError } from '#db/values/errors.ts'
import { type Config, environment, readConfig, type Variables } from './config.ts'
import { projectRoot } from './places.ts'

/**
 * Adds the settings in the file .env, unless they are set already, to the environment variables, and reads them all.
 * @throws UserError 'configuration' as `readConfig` does, and if the file cannot be read.
 */
export function readSettings(variables: Variables = process.env): Config {
  for (const [name, value] of Object.entries(readEnvFile(variables))) if (isSetting(name)) variables[name] ??= value
  return readConfig(variables)
}

/** A sentence for each line of .env that sets nothing. */
export function findUnknownSettings(variables: Variables = process.env): string[] {
  return Object.keys(readEnvFile(variables))
    .filter((name) => !isSetting(name))
    .map((name) => `${name} in .env is not a setting, and does nothing. See docs/settings.md.`)
}

function isSetting(name: string): boolean {
  return name in environment.shape
}

function readEnvFile({ RSVP_ENV_FILE }: Variables): Variables {
  const file = join(projectRoot, '.env')
  // A new build is tried without the file: it may be wrong, or unreadable for the account that builds.
  if (RSVP_ENV_FILE === 'none' || !existsSync(file)) return {}
  try {
    return parseEnv(readFileSync(file, 'utf8'))
  } catch (error) {
    const why = `The settings in ${file} cannot be read (${errorCodeOf(error)}). Check who may read the file.`
    throw new UserError('configuration', why)
  }
}
