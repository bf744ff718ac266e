import type { PasskeyError, PasskeyTrouble } from '#site/lib/passkeys.ts'
import { ResponseError } from '#site/lib/request.ts'
import { t } from '#site/texts/texts.ts'

/** Why a call failed: the sentence of the server, or one about the passkey, or else this one. */
export function reasonOr(otherwise: string): (error: unknown) => string {
  return (error) => {
    // That the session has ended is said by whoever shows this.
    if (error instanceof ResponseError && error.status === 401) return otherwise
    if (error instanceof ResponseError) return error.fields[0]?.message ?? error.detail ?? otherwise
    return isPasskeyError(error) ? passkeySentences()[error.trouble] : otherwise
  }
}

/** Here, because they are the administration's: visitors' pages do not carry them. */
export function passkeySentences(): Record<PasskeyTrouble, string> {
  return {
    canceled: t('No passkey was chosen. Try again, or use a password.'),
    unsupported: t('This browser or device cannot use passkeys. Use a password, or another device.'),
    known: t('This device has a passkey of yours already. Use that one.'),
    failed: t('The passkey could not be used. Try again in a moment, or use a password.'),
  }
}

/** By its name: the class comes with the code for passkeys, which is loaded on demand. */
function isPasskeyError(error: unknown): error is PasskeyError {
  return error instanceof Error && error.name === 'PasskeyError'
}

/** The same for a dialog, which covers the notice that offers to sign in, and keeps what was typed. */
export function reasonInDialogOr(otherwise: string): (error: unknown) => string {
  return (error) =>
    error instanceof ResponseError && error.status === 401
      ? t('You are no longer signed in. Sign in in another tab.')
      : reasonOr(otherwise)(error)
}
