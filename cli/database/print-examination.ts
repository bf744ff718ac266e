import { examineBackup } from '#db/backup/copy.ts'
import { UserError } from '#db/errors.ts'
import type { Io } from '../io.ts'
import { printJson } from '../output/output.ts'
import type { Examination } from './surroundings.ts'

/** Examines a file, in the process that `examineApart` has started for it. */
export async function printExamination(file: string, io: Io): Promise<void> {
  const examined: Examination = await examineBackup(file).catch((error) => {
    if (!(error instanceof UserError)) throw error
    return { refusal: error.code, message: error.message }
  })
  await printJson(examined, io)
}
