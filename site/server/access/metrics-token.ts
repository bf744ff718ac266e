import { readFile } from 'node:fs/promises'
import { firstLine } from '#db/access/at-start.ts'
import type { Config } from '#db/config/config.ts'
import { metricsToken } from '#db/config/setting-values.ts'
import { UserError } from '#db/errors.ts'
import { errorCodeOf } from '#db/process/errors.ts'

/**
 * The token that opens /metrics to other machines, if there is one: METRICS_TOKEN, or the first line of METRICS_TOKEN_FILE.
 * @throws UserError 'configuration' when both are given, or when the file holds none.
 */
export async function givenMetricsToken({
  metricsToken: token,
  metricsTokenFile: file,
}: Pick<Config, 'metricsToken' | 'metricsTokenFile'>): Promise<string | undefined> {
  if (file === undefined || file === '') return token
  if (token !== undefined) {
    throw new UserError('configuration', 'Give METRICS_TOKEN or METRICS_TOKEN_FILE, not both.')
  }
  const text = await readFile(file, 'utf8').catch((error) => {
    const code = errorCodeOf(error)
    throw new UserError(
      'configuration',
      `The token in ${file} (METRICS_TOKEN_FILE) cannot be read (${code}). Check the path and who may read it.`,
    )
  })
  const read = metricsToken.safeParse(firstLine(text))
  if (read.success) return read.data
  throw new UserError(
    'configuration',
    `The first line of ${file} (METRICS_TOKEN_FILE) ${read.error.issues[0]?.message}`,
  )
}
