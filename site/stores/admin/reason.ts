import { ResponseError } from '#site/lib/request.ts'
import { said } from '#site/texts/said.ts'
import { t } from '#site/texts/texts.ts'

/** Why a call failed: the sentence of the server, or for a passkey that of the browser, or else this one. */
export function reasonOr(otherwise: string): (error: unknown) => string {
  return (error) => {
    // That the session has ended is said by whoever shows this.
    if (error instanceof ResponseError && error.status === 401) return otherwise
    if (error instanceof ResponseError) return said(error.fields[0]?.message ?? error.detail ?? otherwise)
    // By its name: the class comes with the code for passkeys, which is loaded on demand.
    return error instanceof Error && Object(error.cause).name === 'PasskeyError' ? error.message : otherwise
  }
}

/** The same for a dialog, which covers the notice that offers to sign in, and keeps what was typed. */
export function reasonInDialogOr(otherwise: string): (error: unknown) => string {
  return (error) =>
    error instanceof ResponseError && error.status === 401
      ? t('You are no longer signed in. Sign in in another tab.')
      : reasonOr(otherwise)(error)
}
