import { UserError } from '#db/errors.ts'

export function noSuchRsvp(): UserError {
  return new UserError('not-found', 'There is no such response. It may have been deleted already.')
}
