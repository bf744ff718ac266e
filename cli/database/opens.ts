import { UserError } from '#db/errors.ts'
import type { Context } from '../context.ts'

/** Opens the database, if it can be: that it is lost or broken is when a drill and a restore count most. */
export async function opens(context: Context): Promise<boolean> {
  try {
    await context.openDatabase({ mustExist: true })
    return true
  } catch (error) {
    if (error instanceof UserError) return false
    throw error
  }
}
